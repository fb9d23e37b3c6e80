import { Schema } from "effect"
import { isoOfText } from "../../../domain/Dates.ts"
import { rawNews, rawText } from "../../../domain/RawResult.ts"
import { type SearchKind } from "../../../domain/SearchKind.ts"
import {
  type Empty,
  empty,
  type Engine,
  type EngineAnswer,
  type EngineQuery,
  type EngineRequest,
  type Fault,
  fault,
  type Parsed,
  results
} from "../Engine.ts"
import { hostNameOf } from "../toolkit/HostName.ts"
import * as Json from "../toolkit/JsonValue.ts"
import { firstPoints, given } from "../toolkit/Request.ts"

/**
 * Tavily, a search API for language models. Requires a key.
 * https://docs.tavily.com/documentation/api-reference/endpoint/search
 *
 * - One page of 20 results. A basic search costs one credit for any number of results. Queries have at most 400
 *   characters.
 * - For general searches, a country is a preference, given by its English name. Hong Kong is not supported. News
 *   searches have no country.
 * - Safe search is only in the enterprise plan, so the sources do not declare it.
 * - 100 requests a minute with a development key; a higher rate returns 429. An exhausted plan returns 432, an
 *   exhausted pay-as-you-go limit 433, and an invalid key 401.
 */
const pageSize = 20
const longestQuery = 400

const Answer = Schema.Struct({ query: Json.text, results: Json.items })

const Item = Schema.Struct({ title: Json.text, url: Json.text, content: Json.text, published_date: Json.text })

const countries: Readonly<Record<string, string>> = {
  AR: "argentina",
  AT: "austria",
  AU: "australia",
  BE: "belgium",
  BG: "bulgaria",
  BR: "brazil",
  CA: "canada",
  CH: "switzerland",
  CL: "chile",
  CN: "china",
  CO: "colombia",
  CZ: "czech republic",
  DE: "germany",
  DK: "denmark",
  EE: "estonia",
  ES: "spain",
  FI: "finland",
  FR: "france",
  GB: "united kingdom",
  GR: "greece",
  HR: "croatia",
  HU: "hungary",
  ID: "indonesia",
  IE: "ireland",
  IL: "israel",
  IN: "india",
  IS: "iceland",
  IT: "italy",
  JP: "japan",
  KR: "south korea",
  LT: "lithuania",
  LV: "latvia",
  MX: "mexico",
  MY: "malaysia",
  NL: "netherlands",
  NO: "norway",
  NZ: "new zealand",
  PE: "peru",
  PH: "philippines",
  PK: "pakistan",
  PL: "poland",
  PT: "portugal",
  RO: "romania",
  RU: "russia",
  SA: "saudi arabia",
  SE: "sweden",
  SG: "singapore",
  SI: "slovenia",
  SK: "slovakia",
  TH: "thailand",
  TR: "turkey",
  TW: "taiwan",
  UA: "ukraine",
  US: "united states",
  VN: "vietnam",
  ZA: "south africa"
}

const ranges = { d: "day", w: "week", m: "month", y: "year" } as const

const ask = <K extends SearchKind>(
  topic: "general" | "news",
  { text, timelimit }: EngineQuery<K>,
  own: Parameters<typeof given>[0] = {}
): EngineRequest => ({
  method: "POST",
  url: "https://api.tavily.com/search",
  json: given({
    query: firstPoints(text, longestQuery),
    topic,
    search_depth: "basic",
    max_results: pageSize,
    time_range: timelimit && ranges[timelimit],
    ...own
  }),
  secrets: [{ as: "header", name: "Authorization", variable: "TAVILY_API_KEY", prefix: "Bearer " }],
  persona: "program",
  follow: false
})

const decode = Json.decodeBody(Answer)
const itemOf = Json.decodeItem(Item)

const listed = (answer: EngineAnswer): ReadonlyArray<typeof Item.Type | null> | Empty | Fault => {
  if (answer.status === 432 || answer.status === 433) return fault("rate_limited")
  const body = decode(answer)
  if (body === null) return fault("layout_changed")
  if (body.results.length === 0) return body.query === null ? fault("layout_changed") : empty
  return body.results.map(itemOf)
}

const readText = (answer: EngineAnswer): Parsed<"text"> => {
  const list = listed(answer)
  if ("_tag" in list) return list
  const items = list.map((item) => item && rawText({ title: item.title, url: item.url, body: item.content }))
  return results(items, null)
}

const readNews = (answer: EngineAnswer, query: EngineQuery<"news">): Parsed<"news"> => {
  const list = listed(answer)
  if ("_tag" in list) return list
  const items = list.map(
    (item) =>
      item &&
      rawNews({
        title: item.title,
        url: item.url,
        date: isoOfText(item.published_date, query.now),
        body: item.content,
        source: hostNameOf(item.url)
      })
  )
  return results(items, null)
}

export const tavily = {
  name: "tavily",
  website: "https://tavily.com",
  documentation: "https://docs.tavily.com/documentation/api-reference/endpoint/search",
  access: "api",
  pace: { perMinute: 90, burst: 20 },
  keys: { variables: ["TAVILY_API_KEY"], required: true },
  sources: {
    text: {
      weight: 1,
      honours: ["region", "timelimit"],
      lacks: ({ region: { country } }) => (country !== null && countries[country] === undefined ? ["region"] : []),
      request: (query) => ask("general", query, { country: countries[query.region.country ?? ""] ?? null }),
      parse: readText
    },
    news: { weight: 0.8, honours: ["timelimit"], request: (query) => ask("news", query), parse: readNews }
  }
} as const satisfies Engine
