import { Schema } from "effect"
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
import { decodeEntities } from "../toolkit/HtmlPage.ts"
import { params } from "../toolkit/Request.ts"

/**
 * Marginalia Search, which has its own index of the small, non-commercial web.
 * https://about.marginalia-search.com/article/api/
 *
 * - Requires a key in `API-Key`. All clients with the key `public` share one limit; exceeding it returns a 503 without
 *   a body. A personal key is free for non-commercial use. Results are CC BY-NC-SA 4.0.
 * - `nsfw` is 0 (all), 1 (without dangerous sites) or 2 (without pornography and gambling). The documentation names the
 *   first two, the source code (`NsfwFilterTier`) all three.
 * - The older API (`api.marginalia.nu`, key and query in the path) returns the same answers. It has no second page.
 */
const Answer = Schema.Struct({
  query: Json.text,
  license: Json.text,
  page: Json.number,
  pages: Json.number,
  results: Json.items
})

const Result = Schema.Struct({ title: Json.text, url: Json.text, description: Json.text })

const pageSize = 100
const tiers = { on: 2, moderate: 1, off: 0 } as const

/** Cursor for the first page of the older API. */
const older: Cursor = { page: 1, form: [["api", "1"]] }

const request = (query: EngineQuery<"text">, cursor: Cursor) => {
  const shared = { count: pageSize, nsfw: tiers[query.safesearch] }
  const common = { method: "GET" as const, persona: "program" as const, follow: true }
  if (cursor.form !== null) {
    const path = encodeURIComponent(query.text.toWellFormed())
    return { ...common, url: `https://api.marginalia.nu/public/search/${path}`, params: params(shared) }
  }
  return {
    ...common,
    url: "https://api2.marginalia-search.com/search",
    params: params({ query: query.text, ...shared, page: cursor.page }),
    headers: { "API-Key": "public" },
    secrets: [{ as: "header" as const, name: "API-Key", variable: "MARGINALIA_API_KEY" }]
  }
}

const decode = Json.decodeBody(Answer)
const decodeResult = Json.decodeItem(Result)

const parse = (answer: EngineAnswer, _query: EngineQuery<"text">, cursor: Cursor): Parsed<"text"> => {
  if (answer.status === 503 && answer.body.trim() === "") return fault("rate_limited")
  const body = decode(answer)
  if (body === null) return fault("layout_changed")
  if (body.results.length === 0) {
    return body.query !== null || body.license !== null ? empty : fault("layout_changed")
  }
  const items = body.results.map(decodeResult).map((result) =>
    result === null
      ? null
      : rawText({
          title: decodeEntities(result.title ?? ""),
          url: result.url,
          body: decodeEntities(result.description ?? "")
        })
  )
  const more = cursor.form === null && body.page === cursor.page && cursor.page < (body.pages ?? 0)
  return results(items, more ? pageAfter(cursor) : null)
}

export const marginalia = {
  name: "marginalia",
  website: "https://marginalia-search.com",
  documentation: "https://about.marginalia-search.com/article/api/",
  access: "api",
  pace: { perMinute: 10, burst: 5 },
  keys: { variables: ["MARGINALIA_API_KEY"], required: false },
  sources: { text: { weight: 0.5, honours: ["safesearch"], request, fallback: older, parse } }
} as const satisfies Engine
