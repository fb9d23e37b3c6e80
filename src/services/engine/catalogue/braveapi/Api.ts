import { Schema } from "effect"
import { type Region } from "../../../../domain/Region.ts"
import { type SearchKind } from "../../../../domain/SearchKind.ts"
import {
  type Cursor,
  type Empty,
  empty,
  type EngineAnswer,
  type EngineQuery,
  type EngineRequest,
  type Fault,
  fault,
  type Filter,
  pageAfter
} from "../../Engine.ts"
import * as Json from "../../toolkit/JsonValue.ts"
import { firstPoints, params } from "../../toolkit/Request.ts"

const countries = new Set(
  "AR AU AT BE BR CA CL DK FI FR DE HK IN ID IT JP KR MY MX NL NZ NO CN PL PT PH RU SA ZA ES SE CH TW TR GB US".split(
    " "
  )
)
const languages = new Set(
  "ar bg bn ca cs da de en es et eu fi fr gl gu he hi hr hu is it kn ko lt lv ml mr ms nb nl pa pl ro ru sk sl sr sv ta te th tr uk vi".split(
    " "
  )
)

/** Returns the value of `search_lang`. Returns null for unsupported languages, which the API rejects with 422. */
const languageOf = ({ country, language }: Region): string | null => {
  if (language === "zh") return country === "CN" ? "zh-hans" : "zh-hant"
  if (language === "pt") return country === "BR" ? "pt-br" : "pt-pt"
  if (language === "ja") return "jp"
  if (country === "GB") return "en-gb"
  return languages.has(language) ? language : null
}

const countryOf = ({ country }: Region): string => (country !== null && countries.has(country) ? country : "ALL")

/** Returns `region` for an unsupported country, which is searched worldwide in its language. */
export const lacks = ({ region }: { readonly region: Region }): ReadonlyArray<Filter> =>
  region.country === null || countries.has(region.country) ? [] : ["region"]

const longestQuery = 400
const mostWords = 50

export const ask = <K extends SearchKind>(
  path: string,
  { region, text }: EngineQuery<K>,
  own: Parameters<typeof params>[0]
): EngineRequest => ({
  method: "GET",
  url: `https://api.search.brave.com/res/v1/${path}/search`,
  params: params({
    q: firstPoints(text.split(/\s+/).slice(0, mostWords).join(" "), longestQuery),
    country: countryOf(region),
    search_lang: languageOf(region),
    ...own
  }),
  secrets: [{ as: "header", name: "X-Subscription-Token", variable: "BRAVE_API_KEY" }],
  persona: "program",
  follow: false
})

const freshness = { d: "pd", w: "pw", m: "pm", y: "py" } as const
const safety = { on: "strict", moderate: "moderate", off: "off" } as const

/** Returns the parameters for kinds with several pages. `count` is the number of results per page. */
export const paging = <K extends SearchKind>(query: EngineQuery<K>, cursor: Cursor, count: number) => ({
  count,
  offset: cursor.page - 1,
  safesearch: safety[query.safesearch],
  freshness: query.timelimit && freshness[query.timelimit]
})

const lastPage = 10

const Answer = Schema.Struct({
  type: Json.text,
  query: Json.member(Schema.Struct({ more_results_available: Schema.optional(Schema.Unknown) })),
  web: Schema.optional(Schema.NullOr(Schema.Struct({ results: Json.items }))),
  results: Schema.optional(Json.items)
})

const decode = Json.decodeBody(Answer)

/** Returns true for error codes such as `QUOTA_LIMITED` and `USAGE_LIMIT_EXCEEDED`: the plan is exhausted. */
const isUsedUp = ({ body, status }: EngineAnswer): boolean =>
  status >= 400 && /"code"\s{0,9}:\s{0,9}"(?:RATE|QUOTA|USAGE)_LIMIT/.test(body.slice(0, 4_000))

interface Listed {
  readonly items: ReadonlyArray<unknown>
  /**
   * Null for the last page. Without `more_results_available`, a page with at most half of the requested results is the
   * last.
   */
  readonly next: Cursor | null
}

/** Returns the items of an answer of the given `type`. The API omits the web section when it is empty. */
export const listed = (answer: EngineAnswer, type: string, cursor: Cursor, count: number): Listed | Empty | Fault => {
  if (isUsedUp(answer)) return fault("rate_limited")
  const body = decode(answer)
  if (body === null || (body.type ?? type) !== type) return fault("layout_changed")
  const items = type === "search" ? (body.web?.results ?? []) : body.results
  if (items === undefined) return fault("layout_changed")
  if (items.length === 0) return body.query === null || body.type === null ? fault("layout_changed") : empty
  const told = body.query?.more_results_available
  const more = typeof told === "boolean" ? told : items.length * 2 > count
  return { items, next: more && cursor.page < lastPage ? pageAfter(cursor) : null }
}
