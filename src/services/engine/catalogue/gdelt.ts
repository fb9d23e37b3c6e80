import { Option, Schema } from "effect"
import { isoOfText } from "../../../domain/Dates.ts"
import { rawNews } from "../../../domain/RawResult.ts"
import { type Region } from "../../../domain/Region.ts"
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
import * as Json from "../toolkit/JsonValue.ts"
import { firstPoints, params } from "../toolkit/Request.ts"

/**
 * GDELT DOC 2.0: worldwide news of the last three months. https://blog.gdeltproject.org/gdelt-doc-2-0-api-debuts/
 *
 * - One request every five seconds, fewer at busy times. Errors are plain text with status 200, sometimes 429. A rate
 *   error is `rate_limited`. A query that GDELT cannot run (too short, too long, an illegal character) is
 *   `unsupported`.
 * - At most 250 articles, without further pages, passages or safe search. An empty result is `{}`.
 * - A query has at most about 250 characters, including operators. All words must match, in any order. A word with a
 *   dash must be quoted. Other punctuation is rejected, and parentheses are allowed only around alternatives.
 * - Countries are FIPS 10-4 codes and languages are English names. Both restrict the results to outlets of that
 *   country.
 * - Titles are split into words (`U . S . stocks , bonds`). Backslashes in titles may be unescaped in the JSON.
 */
const Answer = Schema.Struct({ articles: Json.items })

const Article = Schema.Struct({
  url: Json.text,
  title: Json.text,
  seendate: Json.text,
  socialimage: Json.text,
  domain: Json.text
})

const mostArticles = 250
/** Maximum length of the query text, in code points. Leaves space for both operators. */
const longestText = 200

const spans = { d: "1d", w: "1w", m: "1m", y: "12m" } as const

/** FIPS 10-4 codes that differ from ISO 3166: http://data.gdeltproject.org/api/v2/guides/LOOKUP-COUNTRIES.TXT */
const countries: Readonly<Record<string, string>> = {
  AT: "AU",
  AU: "AS",
  BG: "BU",
  CH: "SZ",
  CL: "CI",
  CN: "CH",
  CZ: "EZ",
  DE: "GM",
  DK: "DA",
  EE: "EN",
  ES: "SP",
  GB: "UK",
  IE: "EI",
  IL: "IS",
  IS: "IC",
  JP: "JA",
  KR: "KS",
  LT: "LH",
  LV: "LG",
  PH: "RP",
  PT: "PO",
  RU: "RS",
  SE: "SW",
  SG: "SN",
  SK: "LO",
  TR: "TU",
  UA: "UP",
  VN: "VM",
  ZA: "SF"
}

const englishNames = new Intl.DisplayNames("en", { type: "language" })

const languageOf = ({ language }: Region): string =>
  language === "nb" ? "norwegian" : (englishNames.of(language) ?? "english").toLowerCase()

const narrowed = (region: Region): string =>
  region.country === null
    ? ""
    : ` sourcecountry:${countries[region.country] ?? region.country} sourcelang:${languageOf(region)}`

/** Stop words. GDELT rejects some of them as too common. */
const stopWords = new Set("a an and are as at by for from in is of on or the to was with".split(" "))

/** Splits text at punctuation, except at dashes within a word. `U.S.` becomes one word. */
const plain = (text: string): string =>
  text
    .replace(/(?<![\p{L}\p{N}])(\p{L})\.(?=\p{L}\.)/gu, "$1")
    .replace(/[^\p{L}\p{N}\p{M}-]+/gu, " ")
    .replace(/(?<![\p{L}\p{N}])-+|-+(?![\p{L}\p{N}])/gu, " ")
    .trim()

const isSearchable = (word: string): boolean => !/^[\da-z]$/i.test(word) && !stopWords.has(word.toLowerCase())

const quoted = (word: string): string => (word.includes("-") ? `"${word}"` : word)

/**
 * Builds a query that GDELT accepts. Quoted phrases of several words stay phrases. Stop words and single characters are
 * removed, unless the query has nothing else.
 */
const termsOf = (text: string): string => {
  const pieces = firstPoints(text, longestText).split(/["“”„«»]/)
  const terms = pieces.flatMap((piece, index) => {
    const words = plain(piece)
    const isPhrase = index % 2 === 1 && index < pieces.length - 1 && words.includes(" ")
    if (isPhrase) return [`"${words}"`]
    return words
      .split(" ")
      .filter((word) => word !== "")
      .map(quoted)
  })
  const searchableTerms = terms.filter(isSearchable)
  return (searchableTerms.length === 0 ? terms : searchableTerms).join(" ") || firstPoints(text, longestText)
}

const request = (query: EngineQuery<"news">, _cursor: Cursor) => ({
  method: "GET" as const,
  url: "https://api.gdeltproject.org/api/v2/doc/doc",
  params: params({
    query: termsOf(query.text) + narrowed(query.region),
    mode: "artlist",
    format: "json",
    maxrecords: mostArticles,
    sort: "hybridrel",
    timespan: query.timelimit && spans[query.timelimit]
  }),
  persona: "program" as const,
  follow: true
})

/** Removes backslashes that escape nothing. Replaces control characters with spaces. */
const repairedJson = (body: string): string =>
  body
    .replace(/[\u0000-\u001f]/g, " ")
    .replace(/\\(u[\da-f]{4}|["\\/bfnrt])?/gi, (whole, escape: string | undefined) =>
      escape === undefined ? "" : whole
    )

const decode = Schema.decodeUnknownOption(Schema.parseJson(Answer))
const decodeArticle = Json.decodeItem(Article)

const refusals = {
  tooOften: /limit requests|too many requests|larger queries/i,
  badQuery:
    /too short|too long|too common|illegal character|surrounded by \(\)|parenthe|invalid|unsupported|not valid|must be within/i
} as const

/** Maps a plain-text answer to a fault. */
const plainTextFault = (answer: EngineAnswer): Parsed<"news"> => {
  const words = answer.body.slice(0, 500)
  if (/^\s{0,99}[<{[]/.test(words)) return fault("layout_changed")
  if (refusals.tooOften.test(words)) return fault("rate_limited")
  return fault(succeeded(answer) && refusals.badQuery.test(words) ? "unsupported" : "layout_changed")
}

/** Parses a date such as `20260726T101500Z`. */
const dateOf = (seen: string | null, now: number): string | null => {
  const parts = /^(\d{4})(\d{2})(\d{2})T?(\d{2})(\d{2})(\d{2})Z?$/.exec(seen ?? "")
  if (parts === null) return isoOfText(seen, now)
  const [, year, month, day, hour, minute, second] = parts
  return isoOfText(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`, now)
}

/** Rejoins a title that was split into words. */
const whole = (title: string | null): string | null =>
  title
    ?.replace(/\s+([,.:;!?%)\]}’])/g, "$1")
    .replace(/([([{$£€#])\s+/g, "$1")
    .replace(/(?<![\p{L}\p{N}])(\p{L}\.) (?=\p{L}\.)/gu, "$1")
    .replace(/(\p{L}) ?(['’]) (s|t|re|ve|ll|d|m)(?![\p{L}\p{N}])/gu, "$1$2$3") ?? null

const parse = (answer: EngineAnswer, query: EngineQuery<"news">, _cursor: Cursor): Parsed<"news"> => {
  if (!succeeded(answer)) return plainTextFault(answer)
  const isJson = /json/i.test(answer.headers["content-type"] ?? "")
  if (isJson && /^\s{0,99}\{\s{0,99}\}\s{0,99}$/.test(answer.body)) return empty
  const body = Option.getOrNull(Option.orElse(decode(answer.body), () => decode(repairedJson(answer.body))))
  if (body === null) return plainTextFault(answer)
  if (body.articles.length === 0) return empty
  const items = body.articles.map(decodeArticle).map((article) =>
    article === null
      ? null
      : rawNews({
          title: whole(article.title),
          url: article.url,
          date: dateOf(article.seendate, query.now),
          image: article.socialimage,
          source: article.domain?.replace(/^www\./, "")
        })
  )
  return results(items, null)
}

export const gdelt = {
  name: "gdelt",
  website: "https://www.gdeltproject.org",
  documentation: "https://blog.gdeltproject.org/gdelt-doc-2-0-api-debuts/",
  access: "api",
  pace: { perMinute: 10, burst: 1 },
  sources: {
    news: { weight: 0.6, honours: ["region", "timelimit"], request, parse }
  }
} as const satisfies Engine
