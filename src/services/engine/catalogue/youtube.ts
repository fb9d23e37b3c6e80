import { Schema } from "effect"
import {
  type Cursor,
  empty,
  type Engine,
  type EngineAnswer,
  type EngineQuery,
  fault,
  type Parsed,
  results,
  succeeded
} from "../Engine.ts"
import { interfaceLanguage } from "../toolkit/GoogleLocale.ts"
import * as Json from "../toolkit/JsonValue.ts"
import { memberAt, readLiteral } from "../toolkit/Literal.ts"
import { acceptLanguage, given, params } from "../toolkit/Request.ts"
import { resultsPage } from "./youtube/Renderers.ts"

/**
 * YouTube, through the endpoint of its own pages: `youtubei/v1/search`. Google does not document it. It is described at
 * https://github.com/LuanRT/YouTube.js and https://docs.searxng.org/dev/engines/online/youtube.html
 *
 * - No key. Versions of the web client that are years old still get responses. Stay below 20 requests a minute. A
 *   higher rate returns 429, and an untrusted client is redirected to google.com/sorry. A page has about 20 videos.
 * - The token at the end of a page requests the next page. Filters are a protobuf message in base64.
 * - If the endpoint is blocked, the results page has the same answer (`ytInitialData`) in a script.
 * - Texts are in the requested language, including "2 hours ago" and view counts.
 * - `safesearch=on` is YouTube's Restricted Mode. There is no level between that and off.
 * - In the European Union, a client without consent is redirected to consent.youtube.com. A cookie sends the consent.
 */
const clientVersion = "2.20260123.01.00"
const site = "https://www.youtube.com"

/** The assignment of the answer in the page's script: an object, or on phones a string that contains one. */
const assignment = /ytInitialData["']?\]?\s{0,9}=\s{0,9}(?:JSON\.parse\(\s{0,9})?/g
/** Maximum number of matches to examine. The name is mentioned more often than it is assigned. */
const mostAssignments = 5
const mostParts = 5

const uploaded = { d: 2, w: 3, m: 4, y: 5 } as const
const lengths = { short: 1, long: 2, medium: 3 } as const

/**
 * Encodes the filters. Field 2 has the filters (1 upload time, 2 result type, 3 length, 4 HD, 6 Creative Commons). The
 * web client sets field 30.
 */
const filtersOf = (query: EngineQuery<"videos">): string => {
  const fields: ReadonlyArray<readonly [field: number, value: number | null]> = [
    [1, query.timelimit && uploaded[query.timelimit]],
    [2, 1],
    [3, query.duration && lengths[query.duration]],
    [4, query.resolution === "high" ? 1 : null],
    [6, query.license_videos === "creativeCommon" ? 1 : null]
  ]
  const inner = fields.flatMap(([field, value]) => (value === null ? [] : [field << 3, value]))
  return btoa(String.fromCharCode((2 << 3) | 2, inner.length, ...inner, 0xf0, 0x01, 0x01))
}

const tokenName = "continuation"
const wayName = "way"

const formValue = (cursor: Cursor, wanted: string): string | null =>
  cursor.form?.find(([name]) => name === wanted)?.[1] ?? null

const cookiesOf = (query: EngineQuery<"videos">) => ({
  SOCS: "CAI",
  ...(query.safesearch === "on" ? { PREF: "f2=8000000" } : {})
})

const pageRequest = (query: EngineQuery<"videos">) => ({
  method: "GET" as const,
  url: `${site}/results`,
  params: params({
    search_query: query.text,
    sp: filtersOf(query),
    hl: interfaceLanguage(query.region),
    gl: query.region.country
  }),
  headers: { "Accept-Language": acceptLanguage(query.region) },
  cookies: cookiesOf(query),
  persona: "browser" as const,
  follow: true
})

const request = (query: EngineQuery<"videos">, cursor: Cursor) => {
  if (formValue(cursor, wayName) === "page") return pageRequest(query)
  const token = formValue(cursor, tokenName)
  return {
    method: "POST" as const,
    url: `${site}/youtubei/v1/search`,
    params: params({ prettyPrint: "false" }),
    json: {
      context: {
        client: given({
          clientName: "WEB",
          clientVersion,
          hl: interfaceLanguage(query.region),
          gl: query.region.country
        }),
        ...(query.safesearch === "on" ? { user: { enableSafetyMode: true } } : {})
      },
      ...(token === null ? { query: query.text, params: filtersOf(query) } : { continuation: token })
    },
    headers: {
      "Accept-Language": acceptLanguage(query.region),
      "Sec-Fetch-Mode": "same-origin",
      Origin: site,
      Referer: `${site}/`,
      "X-YouTube-Client-Name": "1",
      "X-YouTube-Client-Version": clientVersion
    },
    cookies: cookiesOf(query),
    persona: "script" as const,
    follow: true
  }
}

/** Reads the object literal at `at`, or the object inside a string literal. */
const objectAt = (text: string, at: number): unknown => {
  const quote = text.charAt(at)
  if (quote !== "'" && quote !== '"') return readLiteral(text, at)
  const ends = [`${quote};`, `${quote})`].map((end) => text.indexOf(end, at + 1)).filter((end) => end > 0)
  const written = readLiteral(`[${text.slice(at, Math.min(...ends, text.length) + 1)}]`)
  const held: unknown = Array.isArray(written) ? written[0] : null
  return typeof held === "string" ? readLiteral(held) : null
}

const ofPage = (body: string): unknown => {
  for (const match of Array.from(body.matchAll(assignment)).slice(0, mostAssignments)) {
    const data = objectAt(body, match.index + match[0].length)
    if (memberAt(data, "contents") !== null || memberAt(data, "responseContext") !== null) return data
  }
  return null
}

const decode = Json.decodeBody(Schema.Unknown)

/** Returns the answer. Answers from 2020 are a list in which one part has the answer as `response`. */
const ofJson = (answer: EngineAnswer): unknown => {
  const data = decode(answer)
  const parts: ReadonlyArray<unknown> = Array.isArray(data) ? data.slice(0, mostParts) : []
  return parts.map((part) => memberAt(part, "response")).find((response) => response !== null) ?? data
}

const parse = (answer: EngineAnswer, query: EngineQuery<"videos">, cursor: Cursor): Parsed<"videos"> => {
  if (!succeeded(answer)) return fault("layout_changed")
  const isMarkup = /^\s{0,100}</.test(answer.body)
  const data = isMarkup ? ofPage(answer.body) : ofJson(answer)
  if (isMarkup && data === null)
    return fault(
      /https:\/\/consent\.(?:youtube|google)\.com\/(?:save|m)\b/.test(answer.body) ? "blocked" : "layout_changed"
    )
  const page = resultsPage(data, interfaceLanguage(query.region), query.now)
  const isLater = cursor.page > 1
  if (page === null) return isLater && memberAt(data, "responseContext") !== null ? empty : fault("layout_changed")
  if (page.items.length === 0) return page.saysNothing || isLater ? empty : fault("layout_changed")
  return results(page.items, page.token === null ? null : { page: cursor.page + 1, form: [[tokenName, page.token]] })
}

export const youtube = {
  name: "youtube",
  website: site,
  documentation: "https://docs.searxng.org/dev/engines/online/youtube.html",
  access: "page",
  pace: { perMinute: 20, burst: 10 },
  sources: {
    videos: {
      weight: 1,
      honours: ["region", "safesearch", "timelimit", "resolution", "duration", "license_videos"],
      lacks: ({ license_videos, resolution }) => [
        ...(resolution === "standard" ? (["resolution"] as const) : []),
        ...(license_videos === "youtube" ? (["license_videos"] as const) : [])
      ],
      request,
      fallback: { page: 1, form: [[wayName, "page"]] },
      parse
    }
  }
} as const satisfies Engine
