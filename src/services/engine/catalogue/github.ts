import { Schema } from "effect"
import { oldestWithin } from "../../../domain/Dates.ts"
import { rawText } from "../../../domain/RawResult.ts"
import {
  type Cursor,
  empty,
  type Engine,
  type EngineAnswer,
  type EngineQuery,
  fault,
  pageAfter,
  type Parsed,
  results
} from "../Engine.ts"
import * as Json from "../toolkit/JsonValue.ts"
import { firstPoints, params } from "../toolkit/Request.ts"

/**
 * GitHub repositories. https://docs.github.com/en/rest/search/search
 *
 * - 10 searches a minute per IP address without a token. Above the limit, GitHub returns 403 or 429 with
 *   `x-ratelimit-remaining: 0`. Only the message identifies the "secondary rate limit".
 * - A query has 256 characters, excluding qualifiers, and returns its first 1,000 hits. Without `sort`, the best match
 *   comes first.
 * - The time limit applies to the day of the last push.
 * - A search that timed out sets `incomplete_results`, sometimes without any results.
 */
const Answer = Schema.Struct({
  total_count: Json.number,
  incomplete_results: Json.member(Schema.Boolean),
  items: Json.items
})

const Repository = Schema.Struct({ full_name: Json.text, html_url: Json.text, description: Json.text })

const pageSize = 100
const mostHits = 1_000
const longestQuery = 256

const searched = ({ now, text, timelimit }: EngineQuery<"text">): string => {
  const words = firstPoints(text, longestQuery)
  if (timelimit === null) return words
  return `${words} pushed:>=${new Date(oldestWithin(timelimit, now)).toISOString().slice(0, 10)}`
}

const request = (query: EngineQuery<"text">, cursor: Cursor) => ({
  method: "GET" as const,
  url: "https://api.github.com/search/repositories",
  params: params({ q: searched(query), per_page: pageSize, page: cursor.page }),
  headers: { Accept: "application/vnd.github+json", "X-GitHub-Api-Version": "2022-11-28" },
  persona: "program" as const,
  follow: true
})

const decode = Json.decodeBody(Answer)

/** Returns true for a 403 or 429 whose message names a rate limit. */
const isLimited = ({ body, status }: EngineAnswer): boolean =>
  (status === 403 || status === 429) && /"message"\s{0,9}:\s{0,9}"[^"]{0,200}rate limit/i.test(body.slice(0, 4_000))

const decodeRepository = Json.decodeItem(Repository)

const parse = (answer: EngineAnswer, _query: EngineQuery<"text">, cursor: Cursor): Parsed<"text"> => {
  if (isLimited(answer)) return fault("rate_limited")
  const body = decode(answer)
  if (body === null) return fault("layout_changed")
  if (body.items.length === 0) {
    if (body.incomplete_results === true) return fault("timeout")
    return body.total_count === 0 || cursor.page > 1 ? empty : fault("layout_changed")
  }
  const items = body.items
    .map(decodeRepository)
    .map((found) =>
      found === null ? null : rawText({ title: found.full_name, url: found.html_url, body: found.description })
    )
  const more = cursor.page * pageSize < Math.min(body.total_count ?? 0, mostHits)
  return results(items, more ? pageAfter(cursor) : null)
}

export const github = {
  name: "github",
  website: "https://github.com",
  documentation: "https://docs.github.com/en/rest/search/search",
  access: "api",
  pace: { perMinute: 5, burst: 5 },
  sources: { text: { weight: 0.4, isSpecial: true, honours: ["timelimit"], request, parse } }
} as const satisfies Engine
