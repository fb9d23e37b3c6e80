import { Schema } from "effect"
import { type RawResult } from "../../../../domain/ResultItem.ts"
import { type SearchKind } from "../../../../domain/SearchKind.ts"
import {
  type Cursor,
  empty,
  type EngineAnswer,
  type EngineQuery,
  type EngineRequest,
  fault,
  type Parsed,
  type Reading,
  results,
  step,
  succeeded
} from "../../Engine.ts"
import * as Json from "../../toolkit/JsonValue.ts"
import { decodeEntities, isComplete } from "../../toolkit/HtmlPage.ts"
import { params } from "../../toolkit/Request.ts"
import { holdsPuzzle, refusal, searchedText } from "./Site.ts"
import { canParseUrl } from "../../../../domain/WebUrl.ts"

/**
 * One JSON endpoint of the site's own scripts (`i.js`, `v.js`, `news.js`). A search takes two steps. The first fetches
 * the site's results page for the token `vqd`, which is bound to the query text and to the User-Agent. The second calls
 * the script with the token. Further pages use the same token and the offset `s` from the `next` link of the response.
 */
interface Script<K extends SearchKind> {
  readonly path: "/i.js" | "/v.js" | "/news.js"
  /** The site's name for the search kind. */
  readonly tab: "images" | "videos" | "news"
  /** Increment of `s` when `next` does not give it. */
  readonly pageSize: number
  /** Parameters other than text, region, token and offset. */
  readonly filters: (query: EngineQuery<K>) => Readonly<Record<string, string>>
  readonly found: (item: unknown, query: EngineQuery<K>) => RawResult<K> | null
}

const site = "https://duckduckgo.com/"

/** Returns the site's settings. Without the cookie `p`, safe search is moderate. */
const cookiesOf = <K extends SearchKind>({ region, safesearch }: EngineQuery<K>) => ({
  ...(safesearch === "moderate" ? {} : { p: safesearch === "on" ? "1" : "-2" }),
  ad: `${region.language}_${region.country ?? "US"}`,
  ah: region.code,
  l: region.code
})

const tokenRequest = <K extends SearchKind>({ tab }: Script<K>, query: EngineQuery<K>): EngineRequest => ({
  method: "GET",
  url: site,
  params: params({ q: searchedText(query.text), t: "h_", iar: tab, iax: tab, ia: tab, kl: query.region.code }),
  headers: { Referer: site, "Sec-Fetch-Site": "same-origin" },
  cookies: cookiesOf(query),
  persona: "browser",
  follow: false
})

const scriptRequest = <K extends SearchKind>(
  { filters, pageSize, path }: Script<K>,
  query: EngineQuery<K>,
  { form, page }: Cursor
): EngineRequest => {
  const own = params({
    l: query.region.code,
    o: "json",
    q: searchedText(query.text),
    ...filters(query),
    s: page > 1 ? (page - 1) * pageSize : null
  })
  const carried = form ?? []
  const replaced = new Set(carried.map(([name]) => name))
  return {
    method: "GET",
    url: new URL(path, site).href,
    params: [...own.filter(([name]) => !replaced.has(name)), ...carried],
    headers: { Referer: site, "X-Requested-With": "XMLHttpRequest" },
    cookies: cookiesOf(query),
    persona: "script",
    follow: false
  }
}

const tokens = [
  /vqd="(\d-[\w-]{5,300})"/,
  /vqd='(\d-[\w-]{5,300})'/,
  /"vqd":\s?"(\d-[\w-]{5,300})"/,
  /vqd=(\d-[\w-]{5,300})/
]

const tokenOf = (body: string): string | null =>
  tokens.map((pattern) => pattern.exec(body)?.[1]).find((token) => token !== undefined) ?? null

const saysDuckDuckGo = /duckduckgo|\bDDG\./i

const readToken = <K extends SearchKind>(answer: EngineAnswer, { page }: Cursor): Reading<K> => {
  if (holdsPuzzle(answer.body)) return fault("blocked")
  if (!succeeded(answer)) return refusal(answer)
  const token = tokenOf(answer.body)
  if (token !== null) return step(page, [["vqd", token]])
  const isItsOwn = saysDuckDuckGo.test(answer.body) && isComplete(answer.body)
  return fault(isItsOwn || answer.status === 202 ? "blocked" : "layout_changed")
}

const Answer = Schema.Struct({ results: Json.items, next: Json.text })
const decode = Json.decodeBody(Answer)

/** Maximum length of a `next` link, in characters. All observed links are shorter. */
const longestLink = 4_000

const carriedOn = ({ form }: Cursor, name: string): string => form?.find(([carried]) => carried === name)?.[1] ?? ""

/** Returns the cursor of the next page, or null when `next` does not advance the offset. */
const nextOf = <K extends SearchKind>(
  { pageSize, path }: Script<K>,
  link: string | null,
  cursor: Cursor
): Cursor | null => {
  if (link === null || link === "" || link.length > longestLink || !canParseUrl(link, site)) return null
  const url = new URL(link, site)
  if (url.pathname !== path) return null
  const said = url.searchParams.get("s") ?? ""
  const place = /^\d{1,6}$/.test(said) ? Number(said) : cursor.page * pageSize
  const reached = Number(carriedOn(cursor, "s") || (cursor.page - 1) * pageSize)
  const token = carriedOn(cursor, "vqd")
  if (place <= reached || token === "") return null
  return {
    page: cursor.page + 1,
    form: [
      ["vqd", token],
      ["s", String(place)]
    ]
  }
}

/**
 * Classifies a body that is not JSON of the known shape. Markup or scripts from DuckDuckGo itself, or the status 202,
 * are a refusal (`blocked`).
 */
const unread = ({ body, status }: EngineAnswer): Parsed<never> => {
  const isData = /^\s{0,99}[[{]/.test(body)
  return fault((!isData && saysDuckDuckGo.test(body)) || status === 202 ? "blocked" : "layout_changed")
}

const readScript = <K extends SearchKind>(
  script: Script<K>,
  answer: EngineAnswer,
  query: EngineQuery<K>,
  cursor: Cursor
): Reading<K> => {
  const body = decode(answer)
  if (body === null && holdsPuzzle(answer.body)) return fault("blocked")
  if (!succeeded(answer)) return refusal(answer)
  if (body === null) return unread(answer)
  if (body.results.length === 0) return answer.status === 202 ? fault("blocked") : empty
  return results(
    body.results.map((item) => script.found(item, query)),
    nextOf(script, body.next, cursor)
  )
}

export const scriptSource = <K extends SearchKind>(script: Script<K>) => ({
  request: (query: EngineQuery<K>, cursor: Cursor): EngineRequest =>
    cursor.form === null ? tokenRequest(script, query) : scriptRequest(script, query, cursor),
  parse: (answer: EngineAnswer, query: EngineQuery<K>, cursor: Cursor): Reading<K> =>
    cursor.form === null ? readToken(answer, cursor) : readScript(script, answer, query, cursor)
})

/**
 * Returns a title or name as plain text: decodes entities and removes the tags that mark matched words. Other angle
 * brackets are literal text.
 */
export const plain = (text: string | null): string | null =>
  text === null ? null : decodeEntities(text.replace(/<\/?(?:b|strong|em|i|span)(?:\s[^<>]{0,300})?>/gi, ""))

/** Base URL for relative links in a response. */
export const base = site
