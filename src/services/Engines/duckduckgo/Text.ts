import { type Element } from "domhandler"
import { textFound } from "../../../domain/Found.ts"
import { type Found } from "../../../domain/ResultItem.ts"
import {
  type Cursor,
  empty,
  type EngineAnswer,
  type EngineQuery,
  fault,
  type Parsed,
  results,
  type Source,
  succeeded
} from "../Engine.ts"
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
} from "../Page.ts"
import { params } from "../Request.ts"
import { isPuzzle, refusal, searchedText, strictness } from "./Site.ts"

const selectors = {
  result: "div.result:not(.result--ad):not(.result--no-result)",
  link: "a.result__a",
  snippet: ".result__snippet",
  badge: ".badge--ad",
  container: "#links",
  nothing: "#links .no-results, #links .result--no-result",
  anyLink: "#links a[href*='//']",
  forms: ".nav-link form, form.next_form"
} as const

const lite = {
  link: "a.result-link",
  snippet: "td.result-snippet",
  sponsored: "result-sponsored",
  query: "form[action='/lite/'] input[name=q]"
} as const

const endpoint = "https://html.duckduckgo.com/html/"
const liteEndpoint = "https://lite.duckduckgo.com/lite/"

/** Stands first in the form of a cursor that is for the lite page; not sent. */
const liteMark = ["#", "lite"] as const

const isMark = ([name]: readonly [name: string, value: string]): boolean => name === liteMark[0]

const request = (query: EngineQuery<"text">, { form }: Cursor) => {
  const isLite = form?.some(isMark) ?? false
  const given = form?.filter((pair) => !isMark(pair)) ?? []
  const url = isLite ? liteEndpoint : endpoint
  return {
    method: "POST" as const,
    url,
    form:
      given.length > 0
        ? given
        : params({
            q: searchedText(query.text),
            b: isLite ? null : "",
            kl: query.region.code,
            df: query.timelimit ?? "",
            kp: strictness[query.safesearch]
          }),
    headers: { Referer: isLite ? "https://lite.duckduckgo.com/" : endpoint, "Sec-Fetch-Site": "same-origin" },
    cookies: { kl: query.region.code, kp: strictness[query.safesearch] },
    persona: "browser" as const,
    follow: false
  }
}

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

const next = (page: Page, query: EngineQuery<"text">, cursor: Cursor, isLite: boolean): Cursor | null => {
  if (query.region.language === "zh") return null
  const form = all(page, selectors.forms).find((candidate) =>
    /^next\b/i.test(attribute(first(candidate, "input[type=submit]"), "value")?.trim() ?? "")
  )
  if (form === undefined) return null
  const inputs = all(form, "input[type=hidden][name]").map((input): readonly [string, string] => [
    attribute(input, "name") ?? "",
    attribute(input, "value") ?? ""
  ])
  return inputs.length === 0 ? null : { page: cursor.page + 1, form: isLite ? [liteMark, ...inputs] : inputs }
}

/** At the head of the list of results, in place of one. */
const saysNothing = /^\s*no (?:more )?results\b/i

const parse = (answer: EngineAnswer, query: EngineQuery<"text">, cursor: Cursor): Parsed<"text"> => {
  const page = htmlPage(answer.body)
  if (page !== null && isPuzzle(page)) return fault("blocked")
  if (!succeeded(answer)) return refusal(answer)
  if (page === null) return fault("layout_changed")
  const isLite = first(page, lite.link) !== null || /^https:\/\/lite\./.test(answer.url)
  const items = (isLite ? liteItems(page) : htmlItems(page)).filter((item) => item !== null)
  if (items.length > 0) return results(items, next(page, query, cursor, isLite))
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

/** The page without scripts, or where that is not to be had the lite one. */
export const text = {
  weight: 1,
  index: "bing",
  honours: ["region", "safesearch", "timelimit"],
  request,
  fallback: { page: 1, form: [liteMark] },
  parse
} as const satisfies Source<"text">
