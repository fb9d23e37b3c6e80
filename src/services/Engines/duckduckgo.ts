import { type Element } from "domhandler"
import { textFound } from "../../domain/Found.ts"
import { type Found } from "../../domain/ResultItem.ts"
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
} from "./Engine.ts"
import {
  all,
  ancestor,
  attribute,
  first,
  following,
  hasClass,
  htmlPage,
  isComplete,
  type Page,
  textOf
} from "./Page.ts"
import { firstPoints, params } from "./Request.ts"

/**
 * DuckDuckGo, the page without scripts (`html.duckduckgo.com/html/`); pages of `lite.duckduckgo.com` are read as well.
 * Bing's index. No API: https://duckduckgo.com/duckduckgo-help-pages/settings/params lists `kl`, `df` and `kp`.
 *
 * - Blocks by address and by TLS fingerprint, for about an hour: a page with a puzzle under 202 or 200, at times 403,
 *   418, or a redirect to the home page. Keep below 30 requests a minute, never two at once.
 * - The next page is asked for with the hidden inputs of this page's "Next" form; `dc` and `vqd` cannot be computed.
 *   Chinese regions answer 403 from page 2 on, so they have one page.
 * - `!word` is a bang and `\word` a lucky search: both answer 303 to another site, so they are taken out.
 * - Links are direct, or wrapped in `/l/?uddg=`; advertisements lead to `/y.js`.
 * - No capture of an empty page: a whole page under 200 with `#links` and no link in it, or the "No results" block.
 */
const selectors = {
  result: "div.result:not(.result--ad):not(.result--no-result)",
  link: "a.result__a",
  snippet: ".result__snippet",
  badge: ".badge--ad",
  container: "#links",
  nothing: "#links .no-results, #links .result--no-result",
  anyLink: "#links a[href*='//']",
  forms: ".nav-link form, form.next_form",
  block: "#challenge-form, .anomaly-modal__mask, .anomaly-modal__title, form[action*='anomaly.js']"
} as const

const lite = {
  link: "a.result-link",
  snippet: "td.result-snippet",
  sponsored: "result-sponsored",
  query: "form[action='/lite/'] input[name=q]"
} as const

const endpoint = "https://html.duckduckgo.com/html/"
const longestQuery = 499

const withoutBangs = (text: string): string =>
  text
    .split(/\s+/)
    .map((word) => (word.startsWith("!") ? `'${word}'` : word.replace(/^\\+/, "")))
    .join(" ")

const strictness = { on: "1", moderate: "-1", off: "-2" } as const

const request = (query: EngineQuery<"text">, cursor: Cursor) => ({
  method: "POST" as const,
  url: endpoint,
  form:
    cursor.form ??
    params({
      q: firstPoints(withoutBangs(query.text), longestQuery),
      b: "",
      kl: query.region.code,
      df: query.timelimit ?? "",
      kp: strictness[query.safesearch]
    }),
  headers: { Referer: endpoint, "Sec-Fetch-Site": "same-origin" },
  cookies: { kl: query.region.code, kp: strictness[query.safesearch] },
  persona: "browser" as const,
  follow: false
})

const isDuckDuckGo = (url: URL): boolean =>
  url.hostname === "duckduckgo.com" || url.hostname.endsWith(".duckduckgo.com")

/** Where a link leads: `uddg` decoded once; null for advertisements and for what is no URL. */
const target = (href: string | null): string | null => {
  if (href === null || !URL.canParse(href, endpoint)) return null
  const url = new URL(href, endpoint)
  const wrapped = isDuckDuckGo(url) && url.pathname === "/l/" ? url.searchParams.get("uddg") : url.href
  if (wrapped === null || !URL.canParse(wrapped, endpoint)) return null
  const leadsTo = new URL(wrapped, endpoint)
  return isDuckDuckGo(leadsTo) && (leadsTo.pathname === "/y.js" || leadsTo.pathname === "/l/") ? null : leadsTo.href
}

const found = (link: Element | null, snippet: Element | null): Found<"text"> | null =>
  textFound({ title: textOf(link), url: target(attribute(link, "href")), body: textOf(snippet) })

const htmlItems = (page: Page): ReadonlyArray<Found<"text"> | null> =>
  all(page, selectors.result)
    .filter((result) => first(result, selectors.badge) === null)
    .map((result) => found(first(result, selectors.link), first(result, selectors.snippet)))

/** Three rows of one table each: the link, the snippet, the address. */
const liteItems = (page: Page): ReadonlyArray<Found<"text"> | null> =>
  all(page, lite.link).map((link) => {
    const row = ancestor(link, "tr")
    if (row === null || hasClass(row, lite.sponsored)) return null
    const below = following(row)
    return found(link, below === null ? null : first(below, lite.snippet))
  })

const next = (page: Page, query: EngineQuery<"text">, cursor: Cursor): Cursor | null => {
  if (query.region.language === "zh") return null
  const form = all(page, selectors.forms).find((candidate) =>
    /^next\b/i.test(attribute(first(candidate, "input[type=submit]"), "value")?.trim() ?? "")
  )
  if (form === undefined) return null
  const inputs = all(form, "input[type=hidden][name]").map((input): readonly [string, string] => [
    attribute(input, "name") ?? "",
    attribute(input, "value") ?? ""
  ])
  return inputs.length === 0 ? null : { page: cursor.page + 1, form: inputs }
}

/** At the head of the list of results, in place of one. */
const saysNothing = /^\s*no (?:more )?results\b/i

const statusFault = (answer: EngineAnswer): Parsed<"text"> => {
  // A bang that was not recognised as one leads to another site: DuckDuckGo itself has no results for it.
  if (answer.status === 303) return empty
  return fault([301, 302, 307, 418].includes(answer.status) ? "blocked" : "layout_changed")
}

const parse = (answer: EngineAnswer, query: EngineQuery<"text">, cursor: Cursor): Parsed<"text"> => {
  const page = htmlPage(answer.body)
  if (page !== null && first(page, selectors.block) !== null) return fault("blocked")
  if (!succeeded(answer)) return statusFault(answer)
  if (page === null) return fault("layout_changed")
  const isLite = first(page, lite.link) !== null || /^https:\/\/lite\./.test(answer.url)
  const items = (isLite ? liteItems(page) : htmlItems(page)).filter((item) => item !== null)
  if (items.length > 0) return results(items, next(page, query, cursor))
  // A puzzle comes under 202; an empty page never did.
  if (answer.status !== 200) return fault("blocked")
  if (first(page, selectors.nothing) !== null) return empty
  if (!isLite && saysNothing.test(textOf(first(page, selectors.container)).slice(0, 1_000))) return empty
  const searched = isLite
    ? (attribute(first(page, lite.query), "value")?.trim() ?? "") !== "" && all(page, lite.link).length === 0
    : first(page, selectors.container) !== null &&
      all(page, selectors.result).length === 0 &&
      first(page, selectors.anyLink) === null
  return searched && isComplete(answer.body) ? empty : fault("layout_changed")
}

export const duckduckgo = {
  name: "duckduckgo",
  website: "https://duckduckgo.com",
  documentation: "https://duckduckgo.com/duckduckgo-help-pages/settings/params",
  access: "page",
  pace: { perMinute: 20, burst: 10 },
  sources: {
    text: {
      weight: 1,
      index: "bing",
      honours: ["region", "safesearch", "timelimit"],
      request,
      parse
    }
  }
} as const satisfies Engine
