import { Schema } from "effect"
import { rawText } from "../../../domain/RawResult.ts"
import { languageTag, type Region } from "../../../domain/Region.ts"
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
import { memberAt, textAt } from "../toolkit/Literal.ts"
import { busy, saysNothing } from "../toolkit/MediaWiki.ts"
import { textOfHtml } from "../toolkit/HtmlPage.ts"
import { firstPoints, params } from "../toolkit/Request.ts"
import { hitsOf } from "./wikipedia/Hits.ts"

/**
 * Wikipedia's full-text search, in the region's language. https://www.mediawiki.org/wiki/API:Search
 *
 * - Requires a User-Agent with the tool's name and a contact. Otherwise it returns 403, or 429 with `Retry-After`.
 *   Clients should send one request at a time: https://www.mediawiki.org/wiki/API:Etiquette
 * - Norwegian is `no`. All Chinese is `zh`, with the script selected by `Accept-Language`.
 * - Queries over 300 characters and offsets over 10,000 are rejected.
 */
const pageSize = 20
const deepestOffset = 10_000
const longestQuery = 300

const languageOf = (region: Region): string => (region.language === "nb" ? "no" : region.language)

const site = (region: Region): string => `https://${languageOf(region)}.wikipedia.org`

const request = (query: EngineQuery<"text">, cursor: Cursor) => ({
  method: "GET" as const,
  url: `${site(query.region)}/w/api.php`,
  params: params({
    action: "query",
    list: "search",
    srsearch: firstPoints(query.text, longestQuery),
    srlimit: pageSize,
    sroffset: (cursor.page - 1) * pageSize,
    srprop: "snippet|timestamp|wordcount",
    format: "json",
    formatversion: 2
  }),
  headers: query.region.language === "zh" ? { "Accept-Language": languageTag(query.region) } : {},
  persona: "program" as const,
  follow: true
})

/** Returns the path of a page as Wikipedia writes it: with underscores, and without encoding these characters. */
const pathOf = (title: string): string =>
  encodeURIComponent(title.toWellFormed().replaceAll(" ", "_")).replace(/%(?:2F|3A|2C|3B|40|24)/g, decodeURIComponent)

const decode = Json.decodeBody(Schema.Unknown)
const decodeCount = Json.decodeItem(Schema.Struct({ totalhits: Json.number }))

const continues = (body: unknown): boolean =>
  ["sroffset", "gsroffset"].some((name) => memberAt(body, "continue", name) !== null)

const parse = (answer: EngineAnswer, query: EngineQuery<"text">, cursor: Cursor): Parsed<"text"> => {
  const body = decode(answer)
  if (busy.has(textAt(body, "error", "code") ?? "")) return fault("rate_limited")
  const hits = hitsOf(body)
  if (hits === null) return saysNothing(body) ? empty : fault("layout_changed")
  if (hits.length === 0) {
    // A count without hits is an incomplete answer: the search back end timed out.
    const counted = decodeCount(memberAt(body, "query", "searchinfo"))?.totalhits ?? 0
    return cursor.page === 1 && counted > 0 ? fault("layout_changed") : empty
  }
  const base = site(query.region)
  const items = hits.map(({ text, title, url }) =>
    rawText({ title, base, url: url ?? `${base}/wiki/${pathOf(title)}`, body: textOfHtml(text) })
  )
  const more = continues(body) && cursor.page * pageSize < deepestOffset
  return results(items, more ? pageAfter(cursor) : null)
}

export const wikipedia = {
  name: "wikipedia",
  website: "https://www.wikipedia.org",
  documentation: "https://www.mediawiki.org/wiki/API:Search",
  access: "api",
  pace: { perMinute: 120, burst: 30 },
  sources: { text: { weight: 0.6, isSpecial: true, honours: ["region"], request, parse } }
} as const satisfies Engine
