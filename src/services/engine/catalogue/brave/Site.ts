import { type TimeLimit } from "../../../../domain/Query.ts"
import { languageTag, type Region } from "../../../../domain/Region.ts"
import { type SearchKind } from "../../../../domain/SearchKind.ts"
import { type Cursor, type EngineQuery, type EngineRequest, type Filter, pageAfter } from "../../Engine.ts"
import { listAt, literalIn, memberAt } from "../../toolkit/Literal.ts"
import { first, type Page, textOf } from "../../toolkit/HtmlPage.ts"
import { params } from "../../toolkit/Request.ts"

/** What all of Brave's pages have in common: addresses, cookies, the data they start with, blocks. */
export const site = "https://search.brave.com/"

const strictness = { on: "strict", moderate: "moderate", off: "off" } as const

/** Countries of Brave's own select; `all` stands for every other. */
const countries = new Set(
  "ar at au be br ca ch cl cn de dk es fi fr gb hk id in it jp kr mx my nl no nz ph pl pt ru sa se tr tw us za".split(
    " "
  )
)

/** Its user interfaces, of those that a region can ask for. */
const tongues = new Set(
  (
    "bg ca cs da de-de el en-ca en-gb en-in en-us es et fi-fi fr-ca fr-fr hr hu it ja-jp ko lt lv nb nl pl pt-br ro ru " +
    "sk sl sv tr uk zh zh-tw"
  ).split(" ")
)

/** The interface of a language that has none without a country. */
const mainTongues: Readonly<Record<string, string>> = {
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

const tongueOf = (region: Region): string =>
  [languageTag(region).toLowerCase(), region.language, mainTongues[region.language]].find(
    (tongue) => tongue !== undefined && tongues.has(tongue)
  ) ?? "en-us"

/** Every country of the world under `wt-wt` is what was asked for; for one that Brave does not know it is not. */
export const lacksRegion = ({ region }: { readonly region: Region }): ReadonlyArray<Filter> =>
  region.country !== null && countryOf(region) === "all" ? ["region"] : []

/** As the site's own "Next" link asks. */
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
    ui_lang: tongueOf(query.region)
  },
  persona: "browser",
  follow: true
})

/** What a page's script begins with: one node a layout, the results in the last. */
export interface Start {
  /** The `response` of the node that has one; null for none. */
  readonly response: unknown
  /** The site's own word that there is nothing. */
  readonly saysNothing: boolean
  /** A puzzle in place of results. */
  readonly isChallenge: boolean
}

const start = /\bkit\.start\(\s{0,99}[\w$]{1,40}\s{0,99},\s{0,99}[\w$]{1,40}\s{0,99},/
/** SvelteKit wrote the list apart for a while: `const data = […]`. */
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

/** The word "captcha" stands on every page of Brave's, and a search for it has this very title: only without results. */
const puzzleTitle = /^\s{0,99}(?:pow )?captcha - brave search\s{0,99}$/i

export const isPuzzle = (page: Page, { isChallenge, response }: Start): boolean =>
  isChallenge || (response === null && puzzleTitle.test(textOf(first(page, "title"))))

/** Asking for more than ten pages gets an address flagged. */
const deepest = 10

export const nextPage = (cursor: Cursor, more: boolean): Cursor | null =>
  more && cursor.page < deepest ? pageAfter(cursor) : null
