import { type Element } from "domhandler"
import { oldestWithin } from "../../../domain/Dates.ts"
import { rawText } from "../../../domain/RawResult.ts"
import { type RawResult } from "../../../domain/ResultItem.ts"
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
import { all, attribute, first, htmlPage, type Page, saysItself, textOf } from "../toolkit/HtmlPage.ts"
import { acceptLanguage, firstPoints, params } from "../toolkit/Request.ts"
import { passageOf } from "../toolkit/Snippet.ts"
import { canParseUrl } from "../../../domain/WebUrl.ts"

/**
 * Yandex, which has its own index. The frame of its site search (`/search/site/`) searches the whole web. The normal
 * page (`/search/`) is the fallback. For the parameters, see https://yandex.com/dev/xml/doc/en/concepts/get-request (an
 * API that requires a key).
 *
 * - Servers are redirected to `/showcaptcha` ("Are you not a robot?") immediately or after a few requests, often with
 *   the header `x-yandex-captcha`.
 * - `p` counts pages from 0 and is omitted for the first page.
 * - `lang` is sent for the ten languages that the parameter supports. It is omitted for others.
 * - The family filter is a setting in the cookie `yp`: 0 off, 1 moderate, 2 family search.
 * - A range of days is `within=777` with the day, month and year of `from_` and `to_`.
 * - Two further layouts are supported: the normal page of 2026 (`OrganicTitle`) and of 2019 (`organic__url`). The
 *   assistant's card, pictures, videos and advertisements are also `li.serp-item`.
 */
const selectors = {
  item: "li.serp-item, li.b-serp-item",
  links: "a.OrganicTitle-Link[href], a.organic__url[href], a.b-serp-item__title-link[href], h2 a[href]",
  plainLinks: "h3 a[href]",
  title: ".OrganicTitle-LinkText, .organic__url-text",
  snippets: [
    ".ExtendedText-Full, .extended-text__full",
    ".OrganicTextContentSpan",
    ".OrganicText",
    ".b-serp-item__text",
    ".organic__text",
    ".text-container",
    "div[class*=text]"
  ],
  pager: ".pager a[href], .Pager a[href], .b-pager a[href], [class*=Pager] a[href], [class*=pager] a[href]",
  nothing: ".EmptySearchResults",
  block: "form[action*=checkcaptcha], .CheckboxCaptcha, .AdvancedCaptcha"
} as const

/** Classes of elements inside a snippet that are not part of its text: "Read more" and "Hide". */
const asides = ["ExtendedText-Toggle", "extended-text__toggle"] as const

const origin = "https://yandex.com"
const framePath = "/search/site/"
/** Cursor for the normal page, used when the frame cannot be fetched or parsed. */
const normal: Cursor = { page: 1, form: [["path", "/search/"]] }
const pageSize = 10
/** Maximum query length of the API, in code points. */
const longestQuery = 400

const languages = new Set(["ru", "en", "be", "fr", "de", "id", "kk", "tt", "tr", "uk"])
const family = { on: 2, moderate: 1, off: 0 } as const

const languageOf = ({ region }: EngineQuery<"text">): string | null =>
  region.country !== null && languages.has(region.language) ? region.language : null

const day = (prefix: "from" | "to", millis: number) => {
  const date = new Date(millis)
  return {
    [`${prefix}_day`]: date.getUTCDate(),
    [`${prefix}_month`]: date.getUTCMonth() + 1,
    [`${prefix}_year`]: date.getUTCFullYear()
  }
}

const span = ({ now, timelimit }: EngineQuery<"text">) =>
  timelimit === null ? {} : { within: 777, ...day("from", oldestWithin(timelimit, now)), ...day("to", now) }

const request = (query: EngineQuery<"text">, cursor: Cursor) => {
  const path = cursor.form?.[0]?.[1] ?? framePath
  return {
    method: "GET" as const,
    url: `${origin}${path}`,
    params: params({
      ...(path === framePath ? { tmpl_version: "releases", web: 1, frame: 1, searchid: 3131712 } : {}),
      text: firstPoints(query.text, longestQuery),
      lang: languageOf(query),
      ...span(query),
      p: cursor.page === 1 ? null : cursor.page - 1
    }),
    headers: { "Accept-Language": acceptLanguage(query.region) },
    cookies: { yp: `4102444800.sp.family%3A${family[query.safesearch]}#4102444800.szm.1:1920x1080:1920x999` },
    persona: "browser" as const,
    follow: true
  }
}

const isYandex = ({ hostname }: URL): boolean => /(?:^|\.)(?:yandex\.(?:com?\.)?[a-z]{2,3}|ya\.ru)$/.test(hostname)
const adHost = /^(?:yabs|an|direct)\./
const ownPath = /^\/(?:search|images|video|clck|redir|count)(?:\/|$)/

/** Returns the target of a link. Returns null for advertisements, Yandex's own other pages and invalid URLs. */
const target = (href: string | null): string | null => {
  if (href === null || !canParseUrl(href, `${origin}/search/`)) return null
  const url = new URL(href, `${origin}/search/`)
  if (!isYandex(url)) return url.href
  if (adHost.test(url.hostname)) return null
  const wrapped = /^\/(?:redir|clck)/.test(url.pathname) ? url.searchParams.get("url") : null
  if (wrapped !== null && canParseUrl(wrapped)) return isYandex(new URL(wrapped)) ? null : wrapped
  return ownPath.test(url.pathname) ? null : url.href
}

const found = (item: Element, link: Element | null, now: number): RawResult<"text"> | null => {
  if (link === null) return null
  const snippet = selectors.snippets.map((selector) => first(item, selector)).find((one) => one !== null) ?? null
  return rawText({
    title: textOf(first(link, selectors.title) ?? link),
    url: target(attribute(link, "href")),
    body: snippet && passageOf(snippet, asides, now)
  })
}

/**
 * Reads the results of a page. Titles are `h3` only in the frame. On the normal page, `h3` elements are headings of
 * other blocks.
 */
const itemsOf = (page: Page, now: number): ReadonlyArray<RawResult<"text"> | null> => {
  const listed = all(page, selectors.item)
  const own = listed.map((item) => found(item, first(item, selectors.links), now))
  return own.some((item) => item !== null)
    ? own
    : listed.map((item) => found(item, first(item, selectors.plainLinks), now))
}

const nothingTitle =
  /(?:yandex|яндекс)\s?[:—–-]\s?(?:ничего не (?:найдено|нашлось)|nothing (?:was )?found|no (?:results|matches)(?: (?:were )?found)?)$/i
const saysNothing =
  /нигде не встречается|по вашему запросу ничего не наш|ничего не найдено|(?:^|[.!?]\s)nothing (?:was )?found|no (?:pages|documents|results) (?:were |was )?found|did ?n[o'’]t match any/i

const isEmpty = (page: Page, query: EngineQuery<"text">): boolean => {
  if (first(page, selectors.nothing) !== null) return true
  if (nothingTitle.test(textOf(first(page, "title")).trim())) return true
  if (first(page, selectors.item) !== null) return false
  return saysItself(textOf(first(page, "body") ?? page), saysNothing, query.text)
}

/** Returns true if the pager links to a later page. Without a pager, a full page is assumed to have a next page. */
const hasNext = (page: Page, cursor: Cursor, listed: number): boolean => {
  const numbers = all(page, selectors.pager).flatMap((link) => {
    const href = attribute(link, "href") ?? ""
    if (!canParseUrl(href, origin)) return []
    const number = new URL(href, origin).searchParams.get("p")
    return number === null ? [] : [Number(number)]
  })
  return numbers.length === 0 ? listed >= pageSize : numbers.some((number) => number >= cursor.page)
}

const parse = (answer: EngineAnswer, query: EngineQuery<"text">, cursor: Cursor): Parsed<"text"> => {
  const page = htmlPage(answer.body)
  if (page !== null && first(page, selectors.block) !== null) return fault("blocked")
  if (page === null || !succeeded(answer)) return fault("layout_changed")
  const items = itemsOf(page, query.now).filter((item) => item !== null)
  if (items.length === 0) return isEmpty(page, query) ? empty : fault("layout_changed")
  const next = hasNext(page, cursor, items.length) ? { page: cursor.page + 1, form: cursor.form } : null
  return results(items, next)
}

export const yandex = {
  name: "yandex",
  website: "https://yandex.com",
  documentation: "https://yandex.com/dev/xml/doc/en/concepts/get-request",
  access: "page",
  pace: { perMinute: 10, burst: 10 },
  sources: {
    text: {
      weight: 0.9,
      honours: ["region", "safesearch", "timelimit"],
      lacks: (query: EngineQuery<"text">) =>
        query.region.country !== null && languageOf(query) === null ? ["region"] : [],
      request,
      fallback: normal,
      parse
    }
  }
} as const satisfies Engine
