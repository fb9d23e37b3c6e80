import { Schema } from "effect"
import { isoOfMillis, isoOfText, oldestWithin } from "../../../domain/Dates.ts"
import { rawNews, rawText } from "../../../domain/RawResult.ts"
import { type SearchKind } from "../../../domain/SearchKind.ts"
import {
  type Empty,
  empty,
  type Engine,
  type EngineAnswer,
  type EngineQuery,
  type EngineRequest,
  type Fault,
  fault,
  type Parsed,
  results
} from "../Engine.ts"
import { hostNameOf } from "../toolkit/HostName.ts"
import * as Json from "../toolkit/JsonValue.ts"
import { given } from "../toolkit/Request.ts"

/**
 * Exa, a semantic search. Requires a key. https://exa.ai/docs/reference/search
 *
 * - One page of up to 100 results. Each result after the tenth costs extra, so 25 are requested.
 * - `highlights` are the passages that match the query.
 * - The time limit applies to the publication date, if Exa knows it. The region is sent as the searcher's country.
 * - 10 requests a second; a higher rate returns 429. Exhausted credits or an exhausted key budget return 402, an
 *   invalid key 401.
 */
const pageSize = 25
const bodyLength = 500

const Answer = Schema.Struct({ requestId: Json.text, results: Json.items })

const Item = Schema.Struct({
  title: Json.text,
  url: Json.text,
  publishedDate: Json.text,
  image: Json.text,
  highlights: Json.list(Schema.String),
  text: Json.text
})

const ask = <K extends SearchKind>(
  { now, region, safesearch, text, timelimit }: EngineQuery<K>,
  category: "news" | null
): EngineRequest => ({
  method: "POST",
  url: "https://api.exa.ai/search",
  json: given({
    query: text,
    type: "auto",
    category,
    numResults: pageSize,
    userLocation: region.country,
    startPublishedDate: timelimit && isoOfMillis(oldestWithin(timelimit, now)),
    moderation: safesearch !== "off",
    contents: { highlights: { maxCharacters: bodyLength } }
  }),
  secrets: [{ as: "header", name: "x-api-key", variable: "EXA_API_KEY" }],
  persona: "program",
  follow: false
})

const decode = Json.decodeBody(Answer)
const itemOf = Json.decodeItem(Item)

/** Returns true for the errors `NO_MORE_CREDITS` and `API_KEY_BUDGET_EXCEEDED`. */
const isUsedUp = ({ body, status }: EngineAnswer): boolean =>
  status === 402 && /NO_MORE_CREDITS|BUDGET_EXCEEDED/.test(body.slice(0, 4_000))

const listed = (answer: EngineAnswer): ReadonlyArray<typeof Item.Type | null> | Empty | Fault => {
  if (isUsedUp(answer)) return fault("rate_limited")
  const body = decode(answer)
  if (body === null) return fault("layout_changed")
  if (body.results.length === 0) return body.requestId === null ? fault("layout_changed") : empty
  return body.results.map(itemOf)
}

const bodyOf = ({ highlights, text }: typeof Item.Type): string | null =>
  highlights.length > 0 ? highlights.join(" … ") : text

const readText = (answer: EngineAnswer): Parsed<"text"> => {
  const list = listed(answer)
  if ("_tag" in list) return list
  const items = list.map((item) => item && rawText({ title: item.title, url: item.url, body: bodyOf(item) }))
  return results(items, null)
}

const readNews = (answer: EngineAnswer, query: EngineQuery<"news">): Parsed<"news"> => {
  const list = listed(answer)
  if ("_tag" in list) return list
  const items = list.map(
    (item) =>
      item &&
      rawNews({
        title: item.title,
        url: item.url,
        date: isoOfText(item.publishedDate, query.now),
        body: bodyOf(item),
        image: item.image,
        source: hostNameOf(item.url)
      })
  )
  return results(items, null)
}

export const exa = {
  name: "exa",
  website: "https://exa.ai",
  documentation: "https://exa.ai/docs/reference/search",
  access: "api",
  pace: { perMinute: 120, burst: 5 },
  keys: { variables: ["EXA_API_KEY"], required: true },
  sources: {
    text: {
      weight: 1,
      honours: ["region", "safesearch", "timelimit"],
      request: (query) => ask(query, null),
      parse: readText
    },
    news: {
      weight: 0.8,
      honours: ["region", "safesearch", "timelimit"],
      request: (query) => ask(query, "news"),
      parse: readNews
    }
  }
} as const satisfies Engine
