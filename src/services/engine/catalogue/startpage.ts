import { rawText } from "../../../domain/RawResult.ts"
import { languageTag, type Region } from "../../../domain/Region.ts"
import { type RawResult } from "../../../domain/ResultItem.ts"
import { webUrl } from "../../../domain/WebUrl.ts"
import {
  type Cursor,
  empty,
  type Engine,
  type EngineAnswer,
  type EngineQuery,
  type EngineRequest,
  fault,
  type Reading,
  results,
  step,
  succeeded
} from "../Engine.ts"
import { listAt, literalIn, numberAt, textAt } from "../toolkit/Literal.ts"
import { all, attribute, first, htmlPage, type Page, saysItself, textOf, textOfHtml } from "../toolkit/HtmlPage.ts"
import { params } from "../toolkit/Request.ts"
import { withoutDate } from "../toolkit/Snippet.ts"

/**
 * Startpage, which serves Google's web results. There is no API and the parameters are not documented. Its settings are
 * described at https://support.startpage.com. Keep the rate to a few requests a minute.
 *
 * - Since the end of August 2026, bots mostly get a proof-of-work page (Anubis): `blocked`. A redirect to
 *   `/sp/captcha`, a captcha page and a home page without the token `sc` are also `blocked`.
 * - The first page is requested like a browser's search plugin does, without a token. Further pages require the token
 *   `sc`, which is valid for about an hour, from the page before. If the first page cannot be fetched or parsed,
 *   it is requested again with a token from the home page.
 * - Region: `qsr` and the cookie `preferences`. Reports disagree on which one takes effect, so both are sent. Languages
 *   are words (`deutsch`) and regions are Startpage's own codes (`pt-BR_BR`, `no_NO`). The interface stays English, so
 *   that dates can be parsed.
 * - Results are in the argument of `createElement(UIStartpage.AppSerpWeb, …)` and in the page's elements. Class names
 *   of the form `css-…` change. Google's dates precede the snippets ("2 Sep 2014 ... ").
 * - The data marks an empty page: the lists exist, and only those of advertisements and widgets have entries.
 */
const selectors = {
  result: "div.result, div.w-gl__result",
  link: "a.result-link[href], a.result-title[href], a.w-gl__result-title[href]",
  /** Fallback for other class names: a link that contains the heading or is inside it. */
  anyLink: "a[href]:has(h2), a[href]:has(h3), h2 a[href], h3 a[href]",
  title: "h2, h3",
  snippet: "p.description, p.w-gl__description, p",
  token: "form#search input[name=sc], form[action*='/sp/search'] input[name=sc]",
  search: "form#search",
  forms: "form[action*='/sp/search']",
  block: ".captcha-section, #captcha-section, script#anubis_challenge, a[href*='error-pages/blocked.html']"
} as const

const site = "https://www.startpage.com/"
const endpoint = `${site}sp/search`
/** Last page that the site itself links to. */
const lastPage = 18

const strictness = { on: "heavy", moderate: "moderate", off: "none" } as const

const languages: Readonly<Record<string, string>> = {
  ar: "arabic",
  bg: "bulgarian",
  ca: "catalan",
  cs: "czech",
  da: "dansk",
  de: "deutsch",
  el: "greek",
  en: "english",
  es: "espanol",
  et: "estonian",
  fi: "suomi",
  fr: "francais",
  hr: "croatian",
  hu: "hungarian",
  is: "icelandic",
  it: "italiano",
  ja: "nihongo",
  ko: "hangul",
  lt: "lithuanian",
  lv: "latvian",
  nb: "norsk",
  nl: "nederlands",
  pl: "polski",
  pt: "portugues",
  "pt-BR": "brazilian",
  ro: "romanian",
  ru: "russian",
  sk: "slovak",
  sl: "slovenian",
  sv: "svenska",
  tr: "turkce",
  uk: "ukrainian",
  "zh-CN": "jiantizhongwen",
  "zh-HK": "fantizhengwen",
  "zh-TW": "fantizhengwen"
}

/** Codes of the regions (62 in total) that are not written as `ll_CC`. */
const regionCodes: Readonly<Record<string, string>> = {
  "en-GB": "en-GB_GB",
  "nb-NO": "no_NO",
  "pt-BR": "pt-BR_BR",
  "zh-CN": "zh-CN_CN",
  "zh-HK": "zh-TW_HK",
  "zh-TW": "zh-TW_TW"
}

/** Locales that Startpage does not support. */
const unknown = new Set("hr-HR is-IS en-IL lv-LV lt-LT en-PK ar-SA sk-SK sl-SI en-TH en-VN".split(" "))

const languageOf = (region: Region): string => languages[languageTag(region)] ?? languages[region.language] ?? "english"

const regionOf = (region: Region): string => {
  const tag = languageTag(region)
  return region.country === null || unknown.has(tag) ? "all" : (regionCodes[tag] ?? tag.replace("-", "_"))
}

const preferencesOf = ({ region, safesearch }: EngineQuery<"text">): string =>
  Object.entries({
    date_time: "world",
    disable_family_filter: strictness[safesearch],
    disable_open_in_new_window: "0",
    enable_post_method: "1",
    enable_proxy_safety_suggest: "1",
    enable_stay_control: "1",
    instant_answers: "1",
    lang_homepage: "s%2Fdevice%2Fen%2F",
    language: languageOf(region),
    language_ui: "english",
    num_of_results: "10",
    search_results_region: regionOf(region),
    suggestions: "1",
    wt_unit: "celsius"
  })
    .map(([name, value]) => `${name}EEE${value}`)
    .join("N1N")

const searchOf = (query: EngineQuery<"text">) => ({
  query: query.text,
  cat: "web",
  language: languageOf(query.region),
  lui: "english",
  qadf: strictness[query.safesearch],
  qsr: regionOf(query.region),
  with_date: query.timelimit ?? ""
})

/** Cursor that requests a token from the home page. */
const withoutToken: Cursor = { page: 1, form: [] }

const request = (query: EngineQuery<"text">, cursor: Cursor): EngineRequest => {
  const common = {
    cookies: { preferences: preferencesOf(query) },
    persona: "browser" as const,
    follow: false
  }
  if (cursor.form === null) {
    return { method: "GET", url: endpoint, params: params({ ...searchOf(query), pl: "opensearch" }), ...common }
  }
  if (cursor.form.length === 0) return { method: "GET", url: site, ...common }
  const page = cursor.page === 1 ? {} : { page: cursor.page }
  return {
    method: "POST",
    url: endpoint,
    form: [...params({ ...searchOf(query), t: "device", abd: 0, abe: 0, ...page }), ...cursor.form],
    headers: { Origin: "https://www.startpage.com", Referer: site },
    ...common
  }
}

const saysBlocked = /\bstartpage captcha\b|\bcaptcha verification\b|\baccess denied - startpage\b/

const isBlock = (page: Page, query: EngineQuery<"text">): boolean =>
  first(page, selectors.block) !== null ||
  saysItself(textOf(first(page, "title")) || textOf(page).slice(0, 2_000), saysBlocked, query.text)

/** Returns the target of a result, or null for Startpage's own pages. Their links can contain the target as `url`. */
const target = (link: string | null): string | null => {
  const absolute = webUrl(link, site)
  if (absolute === null) return null
  const url = new URL(absolute)
  const isOwn = /(?:^|\.)startpage\.com$/.test(url.hostname) && /^\/(?:av|do|sp|serp|rvd)(?:\/|$)/.test(url.pathname)
  return isOwn ? webUrl(url.searchParams.get("url")) : absolute
}

const listed = (list: ReadonlyArray<unknown>, now: number): ReadonlyArray<RawResult<"text">> =>
  list.flatMap((result) => {
    const item = rawText({
      title: textOfHtml(textAt(result, "title")),
      url: target(textAt(result, "clickUrl")),
      body: withoutDate(textOfHtml(textAt(result, "description")) ?? "", now)
    })
    return item === null ? [] : [item]
  })

const shown = (page: Page, now: number): ReadonlyArray<RawResult<"text">> =>
  all(page, selectors.result).flatMap((result) => {
    const link = first(result, selectors.link) ?? first(result, selectors.anyLink)
    const item = rawText({
      title: textOf((link && first(link, selectors.title)) ?? first(result, selectors.title) ?? link),
      url: target(attribute(link, "href")),
      body: withoutDate(textOf(first(result, selectors.snippet)), now)
    })
    return item === null ? [] : [item]
  })

/**
 * Returns the cursor of the next page, with the token and the other required fields. They come from the data, or else
 * from the form with the number of the next page.
 */
const next = (page: Page, data: unknown, cursor: Cursor): Cursor | null => {
  const number = cursor.page + 1
  if (number > lastPage) return null
  const pages = listAt(data, "render", "presenter", "pagination", "pages")
  const listed = pages?.find((one) => numberAt(one, "number") === number)
  const form = all(page, selectors.forms).find(
    (one) => attribute(first(one, "input[name=page]"), "value") === String(number)
  )
  if (listed === undefined && (pages !== null || form === undefined)) return null
  const input = (name: string) => attribute(form ? first(form, `input[name=${name}]`) : null, "value")
  const sc = textAt(data, "render", "search_sc") ?? input("sc")
  if (sc === null || sc === "") return null
  const segment = textAt(data, "render", "segment") ?? input("segment") ?? "startpage.udog"
  return { page: number, form: params({ sc, segment, page_token: textAt(listed, "token") }) }
}

/** Types of advertisements, Startpage's own widgets and spelling corrections. */
const nonResultTypes = /^(?:ads|exoclick|spellsuggest)-|-qi(?:-|$)/

const marker = /\bcreateElement\(\s{0,99}UIStartpage\.AppSerp\w{0,20}\s{0,99},/

const parse = (answer: EngineAnswer, query: EngineQuery<"text">, cursor: Cursor): Reading<"text"> => {
  const page = htmlPage(answer.body)
  if (page === null) return fault("layout_changed")
  if (cursor.form?.length === 0) return tokenOf(page, answer, query)
  const data = literalIn(page, answer.body, marker)
  const groups = listAt(data, "render", "presenter", "regions", "mainline")?.map((group) => ({
    type: textAt(group, "display_type") ?? "",
    list: listAt(group, "results")
  }))
  const found = groups?.flatMap(({ list, type }) => (type.startsWith("web-") ? (list ?? []) : [])) ?? []
  const given = listed(found, query.now)
  const items = given.length > 0 ? given : shown(page, query.now)
  if (items.length === 0 && isBlock(page, query)) return fault("blocked")
  if (!succeeded(answer)) return fault("layout_changed")
  const isEmpty = groups?.every(({ list, type }) => list?.length === 0 || nonResultTypes.test(type)) === true
  return items.length === 0 && isEmpty ? empty : results(items, next(page, data, cursor))
}

const tokenOf = (page: Page, answer: EngineAnswer, query: EngineQuery<"text">): Reading<"text"> => {
  const sc = attribute(first(page, selectors.token), "value")?.trim() ?? ""
  if (isBlock(page, query)) return fault("blocked")
  if (succeeded(answer) && sc !== "") return step(1, [["sc", sc]])
  return fault(succeeded(answer) && first(page, selectors.search) !== null ? "blocked" : "layout_changed")
}

export const startpage = {
  name: "startpage",
  website: "https://www.startpage.com",
  documentation: "https://support.startpage.com",
  access: "page",
  pace: { perMinute: 6, burst: 4 },
  sources: {
    text: {
      weight: 1,
      index: "google",
      honours: ["region", "safesearch", "timelimit"],
      lacks: ({ region }) => (region.country !== null && regionOf(region) === "all" ? ["region"] : []),
      request,
      fallback: withoutToken,
      parse
    }
  }
} as const satisfies Engine
