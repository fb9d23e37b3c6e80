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
 * The JSON that the site's own scripts fetch (`i.js`, `v.js`, `news.js`), in two steps: the site's page of results for
 * the token `vqd`, which is bound to the text of the query and to the User-Agent, then the script with it. Further
 * pages take the same token, and `s` as the answer's `next` says.
 */
interface Script<K extends SearchKind> {
  readonly path: "/i.js" | "/v.js" | "/news.js"
  /** The site's name for the kind. */
  readonly tab: "images" | "videos" | "news"
  /** How far `s` goes on where `next` does not say. */
  readonly pageSize: number
  /** The parameters besides text, region, token and place. */
  readonly filters: (query: EngineQuery<K>) => Readonly<Record<string, string>>
  readonly found: (item: unknown, query: EngineQuery<K>) => RawResult<K> | null
}

const site = "https://duckduckgo.com/"

/** The site's settings; without one for safe search it is moderate. */
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

/** Longer than any link to a next page that was seen. */
const longestLink = 4_000

const carriedOn = ({ form }: Cursor, name: string): string => form?.find(([carried]) => carried === name)?.[1] ?? ""

/** The place where the next page begins; null where `next` leads nowhere new. */
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

/** What a body that is no JSON of the known shape says: markup and scripts of DuckDuckGo's own refuse. */
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

export const scripted = <K extends SearchKind>(script: Script<K>) => ({
  request: (query: EngineQuery<K>, cursor: Cursor): EngineRequest =>
    cursor.form === null ? tokenRequest(script, query) : scriptRequest(script, query, cursor),
  parse: (answer: EngineAnswer, query: EngineQuery<K>, cursor: Cursor): Reading<K> =>
    cursor.form === null ? readToken(answer, cursor) : readScript(script, answer, query, cursor)
})

/** A title or name: entities and the marks of matched words go, other angle brackets mean themselves. */
export const plain = (text: string | null): string | null =>
  text === null ? null : decodeEntities(text.replace(/<\/?(?:b|strong|em|i|span)(?:\s[^<>]{0,300})?>/gi, ""))

/** Where relative links of an answer lead. */
export const base = site
