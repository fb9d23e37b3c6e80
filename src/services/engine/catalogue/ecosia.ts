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
  results,
  succeeded
} from "../Engine.ts"
import { all, attribute, first, htmlPage, type Page, saysItself, textOf } from "../toolkit/HtmlPage.ts"
import { acceptLanguage, params } from "../toolkit/Request.ts"
import { passageOf } from "../toolkit/Snippet.ts"

/**
 * Ecosia, which serves Bing's results and, in some countries, Google's. There is no API. The page and its settings are
 * described at https://support.ecosia.org/article/579-search-results-providers
 *
 * - Ecosia is behind Cloudflare, which refuses most servers with 403 and "Just a moment...". Keep the rate to a few
 *   requests a minute.
 * - `p` counts pages from 0 and is omitted for the first page, as in Ecosia's own links.
 * - The settings are one cookie, `ECFG`, with `name=value` pairs separated by colons. `mc` is the market, from the
 *   page's own list, in which Czechia, Estonia and Greece repeat the country code. `f` is the adult filter. Only its
 *   default `i` (moderate) was observed, so safe search is always sent as `i`.
 * - The parameter of the freshness filter is not known.
 */
const selectors = {
  result: "[data-test-id=mainline-result-web]",
  links: ["a[data-test-id=result-link][href]", "a.result__link[href]", ".result__title a[href]"],
  title: "[data-test-id=result-title]",
  snippets: ["[data-test-id=web-result-description]", "[data-test-id=result-description]", ".result__description"],
  pager: "[data-test-id=simplified-pagination]",
  next: "[data-test-id=next-button]",
  nothing: "[data-test-id=web-no-results], [data-test-id=no-results-query]",
  main: "[data-test-id=layout-content], main",
  block: "input[name=cf-turnstile-response]"
} as const

const endpoint = "https://www.ecosia.org/search"
const pageSize = 10
const saysNothing = /\bdidn['’]t find any results\b/i

/** Matches the targets of advertisements. */
const isAdLink = /^(?:https?:)?\/\/(?:www\.)?bing\.com\/acli?c?k/i

const everywhere = "en-ww"
const marketAliases: Readonly<Record<string, string>> = { "cs-cz": "cz-cz", "et-ee": "ee-ee", "el-gr": "gr-gr" }
/** Supported regions that have no Ecosia market. */
const missing = new Set(["ca-es", "hu-hu", "is-is", "en-il", "en-pk", "sl-si"])

/** Returns Ecosia's market code of a region, or null if it has none. */
const marketOf = (region: Region): string | null => {
  if (region.country === null) return everywhere
  const tag = languageTag(region).toLowerCase()
  return missing.has(tag) ? null : (marketAliases[tag] ?? tag)
}

const request = (query: EngineQuery<"text">, cursor: Cursor) => ({
  method: "GET" as const,
  url: endpoint,
  params: params({ q: query.text, p: cursor.page === 1 ? null : cursor.page - 1 }),
  headers: { "Accept-Language": acceptLanguage(query.region) },
  cookies: { ECFG: `as=1:dt=pc:f=i:l=en:mc=${marketOf(query.region) ?? everywhere}` },
  persona: "browser" as const,
  follow: true
})

/** Returns true if the page has a "Next" button. Without a pager, a full page is assumed to have a next page. */
const hasNext = (page: Page, listed: number): boolean =>
  first(page, selectors.next) !== null || (first(page, selectors.pager) === null && listed >= pageSize)

const parse = (answer: EngineAnswer, query: EngineQuery<"text">, cursor: Cursor): Parsed<"text"> => {
  const page = succeeded(answer) ? htmlPage(answer.body) : null
  if (page === null) return fault("layout_changed")
  const listed = all(page, selectors.result)
  if (listed.length === 0) {
    if (first(page, selectors.block) !== null) return fault("blocked")
    const main = first(page, selectors.main) ?? page
    return first(page, selectors.nothing) !== null || saysItself(textOf(main), saysNothing, query.text)
      ? empty
      : fault("layout_changed")
  }
  const items = listed.map((result) => {
    const found = selectors.links.map((link) => all(result, link)).find((links) => links.length > 0) ?? []
    const snippet = selectors.snippets.map((one) => first(result, one)).find((one) => one !== null) ?? null
    const link = attribute(found[0] ?? null, "href")
    if (link === null || isAdLink.test(link.trim())) return null
    return rawText({
      title: textOf(first(result, selectors.title) ?? found.at(-1) ?? null),
      url: link,
      base: endpoint,
      body: snippet && passageOf(snippet, [], query.now)
    })
  })
  return results(items, hasNext(page, listed.length) ? pageAfter(cursor) : null)
}

export const ecosia = {
  name: "ecosia",
  website: "https://www.ecosia.org",
  documentation: "https://support.ecosia.org/article/579-search-results-providers",
  access: "page",
  pace: { perMinute: 10, burst: 10 },
  sources: {
    text: {
      weight: 1,
      index: "bing",
      honours: ["region"],
      lacks: (query: EngineQuery<"text">) => (marketOf(query.region) === null ? ["region"] : []),
      request,
      parse
    }
  }
} as const satisfies Engine
