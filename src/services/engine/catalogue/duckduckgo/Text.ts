import { type Element } from "domhandler"
import { rawText } from "../../../../domain/RawResult.ts"
import { type RawResult } from "../../../../domain/ResultItem.ts"
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
} from "../../Engine.ts"
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
} from "../../toolkit/HtmlPage.ts"
import { params } from "../../toolkit/Request.ts"
import { isChallenge, refusal, searchedText, strictness } from "./Site.ts"
import { canParseUrl } from "../../../../domain/WebUrl.ts"

const selectors = {
  result: ":is(div.result, div.web-result):not(.result--ad):not(.result--no-result)",
  link: "a.result__a",
  snippet: ".result__snippet",
  badge: ".badge--ad",
  container: "#links",
  nothing: "#links .no-results, .serp__results .no-results, .result--no-result",
  otherLinks: "#links a[href]:not(.result--ad a, .web-result a)",
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

/** First form field of a cursor for the lite page. It is not sent. */
const liteMark = ["#", "lite"] as const

const isMark = ([name]: readonly [name: string, value: string]): boolean => name === liteMark[0]

/** Returns the time limit if the page's form omits it. */
const missing = (given: NonNullable<Cursor["form"]>, { timelimit }: EngineQuery<"text">) =>
  timelimit === null || given.some(([name]) => name === "df") ? [] : params({ df: timelimit })

const request = (query: EngineQuery<"text">, { form }: Cursor) => {
  const isLite = form?.some(isMark) ?? false
  const given = form?.filter((pair) => !isMark(pair)) ?? []
  const url = isLite ? liteEndpoint : endpoint
  return {
    method: "POST" as const,
    url,
    form:
      given.length > 0
        ? [...given, ...missing(given, query)]
        : params({
            q: searchedText(query.text),
            b: isLite ? null : "",
            kl: query.region.code,
            df: query.timelimit ?? "",
            kp: strictness[query.safesearch]
          }),
    headers: { Referer: isLite ? "https://lite.duckduckgo.com/" : endpoint, "Sec-Fetch-Site": "same-origin" },
    cookies: {
      kl: query.region.code,
      kp: strictness[query.safesearch],
      ...(query.timelimit === null ? {} : { df: query.timelimit })
    },
    persona: "browser" as const,
    follow: false
  }
}

const isDuckDuckGo = (url: URL): boolean =>
  url.hostname === "duckduckgo.com" || url.hostname.endsWith(".duckduckgo.com")

/** Returns the target of a link, with `uddg` decoded once. Returns null for invalid URLs. */
const unwrapped = (href: string | null): URL | null => {
  if (href === null || !canParseUrl(href, endpoint)) return null
  const url = new URL(href, endpoint)
  const wrapped = isDuckDuckGo(url) && url.pathname === "/l/" ? url.searchParams.get("uddg") : url.href
  return wrapped !== null && canParseUrl(wrapped, endpoint) ? new URL(wrapped, endpoint) : null
}

const isAdLink = (url: URL | null): boolean => url !== null && isDuckDuckGo(url) && url.pathname === "/y.js"

/** Matches the hosts of the results pages. Blank and relative links resolve to them. */
const isThisPage = ({ hostname }: URL): boolean => /^(?:html|lite)\.duckduckgo\.com$/.test(hostname)

/** Returns the target of a link, or null for advertisements and links without a target. */
const target = (href: string | null): string | null => {
  const url = unwrapped(href)
  if (url === null || isAdLink(url) || isThisPage(url)) return null
  return isDuckDuckGo(url) && url.pathname === "/l/" ? null : url.href
}

const found = (link: Element | null, snippet: Element | null): RawResult<"text"> | null =>
  rawText({ title: textOf(link), url: target(attribute(link, "href")), body: textOf(snippet) })

const isAdvertisement = (result: Element): boolean =>
  first(result, selectors.badge) !== null || isAdLink(unwrapped(attribute(first(result, selectors.link), "href")))

const htmlItems = (page: Page): ReadonlyArray<RawResult<"text"> | null> =>
  all(page, selectors.result)
    .filter((result) => !isAdvertisement(result))
    .map((result) => found(first(result, selectors.link), first(result, selectors.snippet)))

const isSponsored = (link: Element): boolean => {
  const row = ancestor(link, "tr")
  return (row !== null && hasClass(row, lite.sponsored)) || isAdLink(unwrapped(attribute(link, "href")))
}

/** Each result is three rows of one table: the link, the snippet and the URL. */
const liteItems = (page: Page): ReadonlyArray<RawResult<"text"> | null> =>
  all(page, lite.link)
    .filter((link) => !isSponsored(link))
    .map((link) => {
      const row = ancestor(link, "tr")
      const below = row && following(row)
      return found(link, below && first(below, lite.snippet))
    })

const startOf = (form: Element): number => Number(attribute(first(form, "input[name=s]"), "value") ?? "")

/** Returns the form whose button says "Next". In other languages, returns the form with a higher offset. */
const nextForm = (page: Page, cursor: Cursor): Element | undefined => {
  const forms = all(page, selectors.forms)
  const reached = Number(cursor.form?.find(([name]) => name === "s")?.[1] ?? "0")
  const says = (form: Element) => attribute(first(form, "input[type=submit]"), "value")?.trim() ?? ""
  return (
    forms.find((form) => /^next\b/i.test(says(form))) ??
    forms.find((form) => !/^prev/i.test(says(form)) && startOf(form) > reached)
  )
}

const next = (page: Page, query: EngineQuery<"text">, cursor: Cursor, isLite: boolean): Cursor | null => {
  if (query.region.language === "zh") return null
  const form = nextForm(page, cursor)
  if (form === undefined) return null
  const inputs = all(form, "input[type=hidden][name]").map((input): readonly [string, string] => [
    attribute(input, "name") ?? "",
    attribute(input, "value") ?? ""
  ])
  return inputs.length === 0 ? null : { page: cursor.page + 1, form: isLite ? [liteMark, ...inputs] : inputs }
}

/** Returns true for a link to DuckDuckGo's own pages, such as its feedback form. Result links are already excluded. */
const isOwn = (link: Element): boolean => {
  const url = unwrapped(attribute(link, "href"))
  return url !== null && isDuckDuckGo(url)
}

/** Returns true when the page has a result list that contains nothing but advertisements. */
const isWithoutResults = (page: Page, isLite: boolean): boolean =>
  isLite
    ? (attribute(first(page, lite.query), "value")?.trim() ?? "") !== "" && all(page, lite.link).every(isSponsored)
    : first(page, selectors.container) !== null &&
      all(page, selectors.result).every(isAdvertisement) &&
      all(page, selectors.otherLinks).every(isOwn)

/** Text at the start of the result list, in place of a result. */
const saysNothing = /^\s*no (?:more )?results\b/i

const parse = (answer: EngineAnswer, query: EngineQuery<"text">, cursor: Cursor): Parsed<"text"> => {
  const page = htmlPage(answer.body)
  if (page !== null && isChallenge(page)) return fault("blocked")
  if (!succeeded(answer)) return refusal(answer)
  if (page === null) return fault("layout_changed")
  const isLite = first(page, lite.link) !== null || /^https:\/\/lite\./.test(answer.url)
  const items = (isLite ? liteItems(page) : htmlItems(page)).filter((item) => item !== null)
  if (items.length > 0) return results(items, next(page, query, cursor, isLite))
  // Challenge pages have status 202. No empty page was observed with this status.
  if (answer.status !== 200) return fault("blocked")
  if (first(page, selectors.nothing) !== null) return empty
  if (!isLite && saysNothing.test(textOf(first(page, selectors.container)).slice(0, 1_000))) return empty
  return isWithoutResults(page, isLite) && isComplete(answer.body) ? empty : fault("layout_changed")
}

/** The page without scripts, with the lite page as the fallback. */
export const text = {
  weight: 1,
  index: "bing",
  honours: ["region", "safesearch", "timelimit"],
  request,
  fallback: { page: 1, form: [liteMark] },
  parse
} as const satisfies Source<"text">
