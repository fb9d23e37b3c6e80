import { oldestWithin } from "../../../domain/Dates.ts"
import { rawText } from "../../../domain/RawResult.ts"
import {
  type Cursor,
  empty,
  type Engine,
  type EngineAnswer,
  type EngineQuery,
  fault,
  pageAfter,
  type Parsed,
  results,
  succeeded
} from "../Engine.ts"
import { all, attribute, first, htmlPage, type Page, saysItself, textOf } from "../toolkit/HtmlPage.ts"
import { firstPoints, params } from "../toolkit/Request.ts"
import { canParseUrl } from "../../../domain/WebUrl.ts"

/**
 * Mojeek, which has its own index. The page takes the same parameters as the paid API:
 * https://www.mojeek.com/support/api/search/request_parameters.html
 *
 * - Region and language are sent as cookies (`arc`, `lb`), because several of them together in the URL returned 403.
 *   `lb` is sent only for languages that Mojeek supports.
 * - `s` (the number of the first result) is not sent for page 1, because Mojeek refuses it there. Each page has ten
 *   results, as in the page's own links (`s=11`, `s=21`).
 * - Mojeek blocks with 403 and, since September 2026, with an ALTCHA proof-of-work page ("Verification required"). Keep
 *   the rate to a few requests a minute.
 * - No empty page was captured. It is expected to state that no pages were found.
 */
const selectors = {
  result: "ul.results-standard > li",
  link: "h2 a.title, a.ob",
  title: "h2 a.title, h2 a",
  snippet: "p.s",
  pages: ".pagination a[href]"
} as const

const endpoint = "https://www.mojeek.com/search"
const pageSize = 10
/** Maximum length of the page's search field, in code points. */
const longestQuery = 256

const languages = new Set(["ca", "da", "de", "en", "es", "fi", "fr", "hr", "it", "nb", "nl", "pl", "pt", "sv"])

const saysNothing = /\bno (?:web )?(?:pages|results|matches)(?: were)?(?: found| match| for\b)|\bdid not match any\b/i

/** Formats a time as `YYYYMMDD`, in UTC. */
const dateStamp = (millis: number): string => new Date(millis).toISOString().slice(0, 10).replaceAll("-", "")

const request = (query: EngineQuery<"text">, cursor: Cursor) => ({
  method: "GET" as const,
  url: endpoint,
  params: params({
    q: firstPoints(query.text, longestQuery),
    safe: query.safesearch === "off" ? 0 : 1,
    since: query.timelimit === null ? null : dateStamp(oldestWithin(query.timelimit, query.now)),
    s: cursor.page === 1 ? null : (cursor.page - 1) * pageSize + 1
  }),
  cookies: {
    arc: query.region.country?.toLowerCase() ?? "none",
    ...(query.region.country !== null && languages.has(query.region.language) ? { lb: query.region.language } : {})
  },
  persona: "browser" as const,
  follow: true
})

/** Returns true if the pager links to the next page. Without a pager, a full page is assumed to have a next page. */
const hasNext = (page: Page, cursor: Cursor, listed: number): boolean => {
  const starts = all(page, selectors.pages).flatMap((link) => {
    const href = attribute(link, "href") ?? ""
    return canParseUrl(href, endpoint) ? [Number(new URL(href, endpoint).searchParams.get("s"))] : []
  })
  return starts.length === 0 ? listed >= pageSize : starts.includes(cursor.page * pageSize + 1)
}

const parse = (answer: EngineAnswer, query: EngineQuery<"text">, cursor: Cursor): Parsed<"text"> => {
  const page = succeeded(answer) ? htmlPage(answer.body) : null
  if (page === null) return fault("layout_changed")
  const listed = all(page, selectors.result)
  if (listed.length === 0 && saysItself(textOf(page), saysNothing, query.text)) return empty
  const items = listed.map((result) =>
    rawText({
      title: textOf(first(result, selectors.title)),
      url: attribute(first(result, selectors.link), "href"),
      base: endpoint,
      body: textOf(first(result, selectors.snippet))
    })
  )
  return results(items, hasNext(page, cursor, listed.length) ? pageAfter(cursor) : null)
}

export const mojeek = {
  name: "mojeek",
  website: "https://www.mojeek.com",
  documentation: "https://www.mojeek.com/support/search-operators.html",
  access: "page",
  pace: { perMinute: 12, burst: 12 },
  sources: {
    text: {
      weight: 0.9,
      honours: ["region", "safesearch", "timelimit"],
      request,
      parse
    }
  }
} as const satisfies Engine
