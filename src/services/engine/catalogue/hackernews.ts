import { Schema } from "effect"
import { isoOfSeconds, isoOfText, oldestWithin } from "../../../domain/Dates.ts"
import { rawNews, rawText } from "../../../domain/RawResult.ts"
import { canParseUrl, webUrl } from "../../../domain/WebUrl.ts"
import { type RawResult } from "../../../domain/ResultItem.ts"
import {
  type Cursor,
  empty,
  type Engine,
  type EngineAnswer,
  type EngineQuery,
  fault,
  pageAfter,
  type Parsed,
  results
} from "../Engine.ts"
import * as Json from "../toolkit/JsonValue.ts"
import { textOfHtml } from "../toolkit/HtmlPage.ts"
import { params } from "../toolkit/Request.ts"

/**
 * Hacker News stories, through Algolia. https://hn.algolia.com/api
 *
 * - 10,000 requests an hour per IP address. At most 1,000 hits a query.
 * - The URL of a story without a link (Ask HN) is its discussion page. `story_text` is HTML.
 * - No region and no safe search. Content is in English and moderated by its readers.
 * - Text searches include polls, which are questions like Ask HN; news searches do not. `(a,b)` matches either tag.
 */
const Answer = Schema.Struct({ hits: Json.items, nbHits: Json.number, nbPages: Json.number })

const Hit = Schema.Struct({
  objectID: Json.member(Schema.Union(Schema.String, Schema.Number)),
  title: Json.text,
  story_title: Json.text,
  url: Json.text,
  story_url: Json.text,
  created_at: Json.text,
  created_at_i: Json.number,
  story_text: Json.text,
  comment_text: Json.text
})

const pageSize = 50
const lastPage = 1000 / pageSize

const requestFor =
  <K extends "text" | "news">(tags: string) =>
  (query: EngineQuery<K>, cursor: Cursor) => ({
    method: "GET" as const,
    url: "https://hn.algolia.com/api/v1/search",
    params: params({
      query: query.text,
      tags,
      page: cursor.page - 1,
      hitsPerPage: pageSize,
      numericFilters: query.timelimit && `created_at_i>${Math.floor(oldestWithin(query.timelimit, query.now) / 1000)}`
    }),
    persona: "program" as const,
    follow: true
  })

const discussion = (id: string | number | null): string | null =>
  id !== null && /^\d{1,15}$/.test(String(id)) ? `https://news.ycombinator.com/item?id=${id}` : null

const hostOf = (url: string | null): string =>
  url !== null && canParseUrl(url) ? new URL(url).hostname.replace(/^www\./, "") : "Hacker News"

const decode = Json.decodeBody(Answer)
const decodeHit = Json.decodeItem(Hit)

const decodeOne = Json.decodeBody(Hit)

/** Reads an answer that is a single hit instead of a list. */
const singleHit = (answer: EngineAnswer): typeof Answer.Type | null => {
  const hit = decodeOne(answer)
  return hit === null || hit.objectID === null ? null : { hits: [hit], nbHits: 1, nbPages: 1 }
}

/** Returns the members common to all kinds. `link` is null for a story that has only a discussion. */
const storyOf = (hit: typeof Hit.Type) => {
  const link = webUrl(hit.url ?? hit.story_url)
  return {
    link,
    title: hit.title?.trim() || hit.story_title,
    url: link ?? discussion(hit.objectID),
    body: textOfHtml(hit.story_text ?? hit.comment_text)
  }
}

const newsOf = (hit: typeof Hit.Type, now: number): RawResult<"news"> | null => {
  const { link, ...story } = storyOf(hit)
  const date = isoOfText(hit.created_at, now) ?? isoOfSeconds(hit.created_at_i)
  return rawNews({ ...story, date, source: hostOf(link) })
}

const textOf = (hit: typeof Hit.Type): RawResult<"text"> | null => rawText(storyOf(hit))

const parseWith =
  <K extends "text" | "news">(found: (hit: typeof Hit.Type, now: number) => RawResult<K> | null) =>
  (answer: EngineAnswer, query: EngineQuery<K>, cursor: Cursor): Parsed<K> => {
    const body = decode(answer) ?? singleHit(answer)
    if (body === null) return fault("layout_changed")
    if (body.hits.length === 0) return body.nbHits === 0 || cursor.page > 1 ? empty : fault("layout_changed")
    const items = body.hits.map(decodeHit).map((hit) => (hit === null ? null : found(hit, query.now)))
    const more = cursor.page < Math.min(body.nbPages ?? 0, lastPage)
    return results(items, more ? pageAfter(cursor) : null)
  }

export const hackernews = {
  name: "hackernews",
  website: "https://news.ycombinator.com",
  documentation: "https://hn.algolia.com/api",
  access: "api",
  pace: { perMinute: 120, burst: 30 },
  sources: {
    text: {
      weight: 0.5,
      index: "hackernews",
      isSpecial: true,
      honours: ["timelimit"],
      request: requestFor<"text">("(story,poll)"),
      parse: parseWith<"text">(textOf)
    },
    news: {
      weight: 0.6,
      isSpecial: true,
      honours: ["timelimit"],
      request: requestFor<"news">("story"),
      parse: parseWith<"news">(newsOf)
    }
  }
} as const satisfies Engine
