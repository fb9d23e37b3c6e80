import { Schema } from "effect"
import { rawText } from "../../../domain/RawResult.ts"
import { empty, type Engine, type EngineAnswer, type EngineQuery, fault, type Parsed, results } from "../Engine.ts"
import * as Json from "../toolkit/JsonValue.ts"
import { params } from "../toolkit/Request.ts"

/**
 * Mwmbl, which has a small index of its own, crawled by volunteers. https://api.mwmbl.org/api/v1/docs
 *
 * - One list of a few dozen results, without further pages or filters.
 * - Titles and extracts are lists of pieces. Pieces that match the query are marked bold. Results are CC BY-NC-SA 4.0.
 * - The answer is the list itself. An empty list means no results. Version 2 of the API (1,000 requests a month without
 *   a key) wraps the list in `results`.
 */
const Answer = Schema.Union(Json.items, Schema.Struct({ results: Json.items, error: Schema.optional(Schema.Unknown) }))

const Result = Schema.Struct({
  title: Schema.optional(Schema.Unknown),
  url: Json.text,
  extract: Schema.optional(Schema.Unknown)
})

const Pieces = Schema.Struct({ pieces: Json.list(Schema.Struct({ value: Schema.String })) })

const request = (query: EngineQuery<"text">) => ({
  method: "GET" as const,
  url: "https://api.mwmbl.org/api/v1/search/",
  params: params({ s: query.text }),
  persona: "program" as const,
  follow: true
})

const decode = Json.decodeBody(Answer)
const decodeResult = Json.decodeItem(Result)
const decodePieces = Json.decodeItem(Pieces)

const joined = (text: unknown): string | null =>
  typeof text === "string"
    ? text
    : (decodePieces({ pieces: text })
        ?.pieces.map(({ value }) => value)
        .join("") ?? null)

const parse = (answer: EngineAnswer): Parsed<"text"> => {
  const body = decode(answer)
  if (body === null) return fault("layout_changed")
  const listed = "results" in body ? body.results : body
  if (listed.length === 0) return "error" in body ? fault("layout_changed") : empty
  const items = listed
    .map(decodeResult)
    .map((result) =>
      result === null ? null : rawText({ title: joined(result.title), url: result.url, body: joined(result.extract) })
    )
  return results(items, null)
}

export const mwmbl = {
  name: "mwmbl",
  website: "https://mwmbl.org",
  documentation: "https://api.mwmbl.org/api/v1/docs",
  access: "api",
  pace: { perMinute: 30, burst: 5 },
  sources: { text: { weight: 0.5, honours: [], request, parse } }
} as const satisfies Engine
