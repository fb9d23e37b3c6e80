import { type TimeLimit } from "../../../../domain/Query.ts"
import { languageTag, type Region } from "../../../../domain/Region.ts"
import { type SearchKind } from "../../../../domain/SearchKind.ts"
import { type Cursor, type EngineQuery, type EngineRequest, type Filter, pageAfter } from "../../Engine.ts"
import { listAt, literalIn, memberAt } from "../../toolkit/Literal.ts"
import { first, type Page, textOf } from "../../toolkit/HtmlPage.ts"
import { params } from "../../toolkit/Request.ts"

/** Base URL. This module has the parts common to all Brave pages: URLs, cookies, page data and block detection. */
export const site = "https://search.brave.com/"

const strictness = { on: "strict", moderate: "moderate", off: "off" } as const

/** Countries in Brave's country selector. `all` stands for any other country. */
const countries = new Set(
  "ar at au be br ca ch cl cn de dk es fi fr gb hk id in it jp kr mx my nl no nz ph pl pt ru sa se tr tw us za".split(
    " "
  )
)

/** Brave's interface languages, limited to those that a region can select. */
const interfaceLanguages = new Set(
  (
    "bg ca cs da de-de el en-ca en-gb en-in en-us es et fi-fi fr-ca fr-fr hr hu it ja-jp ko lt lv nb nl pl pt-br ro ru " +
    "sk sl sv tr uk zh zh-tw"
  ).split(" ")
)

/** Interface for languages that Brave offers only with a country. */
const defaultInterfaces: Readonly<Record<string, string>> = {
  de: "de-de",
  fi: "fi-fi",
  fr: "fr-fr",
  ja: "ja-jp",
  pt: "pt-br"
}

const countryOf = ({ country }: Region): string => {
  const code = country?.toLowerCase() ?? "all"
  return countries.has(code) ? code : "all"
}

const interfaceOf = (region: Region): string =>
  [languageTag(region).toLowerCase(), region.language, defaultInterfaces[region.language]].find(
    (tongue) => tongue !== undefined && interfaceLanguages.has(tongue)
  ) ?? "en-us"

/**
 * Returns `region` for a country that Brave does not support, which is searched as `all`. For `wt-wt`, `all` is the
 * requested region.
 */
export const lacksRegion = ({ region }: { readonly region: Region }): ReadonlyArray<Filter> =>
  region.country !== null && countryOf(region) === "all" ? ["region"] : []

/** Returns the parameters of the site's own "Next" link. */
const place = ({ page }: Cursor) => (page === 1 ? {} : { offset: page - 1, spellcheck: 0 })

export const request = <K extends SearchKind>(
  path: "search" | "images" | "videos" | "news",
  query: EngineQuery<K>,
  cursor: Cursor,
  timelimit: TimeLimit | null
): EngineRequest => ({
  method: "GET",
  url: `${site}${path}`,
  params: params({ q: query.text, source: "web", ...place(cursor), tf: timelimit && `p${timelimit}` }),
  headers: { "Accept-Encoding": "gzip, deflate" },
  cookies: {
    safesearch: strictness[query.safesearch],
    useLocation: "0",
    summarizer: "0",
    country: countryOf(query.region),
    ui_lang: interfaceOf(query.region)
  },
  persona: "browser",
  follow: true
})

/** Data at the start of a page's script. It has one node per layout, with the results in the last node. */
export interface Start {
  /** The `response` of the first node that has one, or null. */
  readonly response: unknown
  /** True when the site reports no results. */
  readonly saysNothing: boolean
  /** True when a challenge replaces the results. */
  readonly isChallenge: boolean
}

const start = /\bkit\.start\(\s{0,99}[\w$]{1,40}\s{0,99},\s{0,99}[\w$]{1,40}\s{0,99},/
/** For a while, SvelteKit wrote the node list separately: `const data = […]`. */
const nodeList = /\bdata\s{0,9}[=:]\s{0,9}(?=\[)/

export const startOf = (page: Page, body: string): Start => {
  const nodes = listAt(literalIn(page, body, start), "data") ?? listAt(literalIn(page, body, nodeList)) ?? []
  const responses = nodes.map(
    (node) => memberAt(node, "data", "body", "response") ?? memberAt(node, "data", "response")
  )
  return {
    response: responses.find((response) => response !== null) ?? null,
    saysNothing: nodes.some((node) => memberAt(node, "data", "noResults") === true),
    isChallenge: nodes.some((node) => memberAt(node, "data", "challengeSet") !== null)
  }
}

/**
 * The word "captcha" occurs on every Brave page, and a search for it has the same title. The title is therefore checked
 * only on pages without results.
 */
const puzzleTitle = /^\s{0,99}(?:pow )?captcha - brave search\s{0,99}$/i

export const isPuzzle = (page: Page, { isChallenge, response }: Start): boolean =>
  isChallenge || (response === null && puzzleTitle.test(textOf(first(page, "title"))))

/** Maximum page number. Brave flags an IP address that requests more than ten pages. */
const lastPage = 10

export const nextPage = (cursor: Cursor, more: boolean): Cursor | null =>
  more && cursor.page < lastPage ? pageAfter(cursor) : null
