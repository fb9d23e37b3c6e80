import { Schema } from "effect"
import { EngineFault } from "./Outcome.ts"

const count = (description: string) =>
  Schema.Number.pipe(Schema.int(), Schema.nonNegative()).annotations({ description })

const time = (description: string) =>
  Schema.String.annotations({ description: `${description} ISO 8601, UTC.`, examples: ["2026-11-05T09:30:00.000Z"] })

/** A parameter that an engine can honour. */
const Filter = Schema.Literal(
  "region",
  "safesearch",
  "timelimit",
  "size",
  "color",
  "type_image",
  "layout",
  "resolution",
  "duration",
  "license_videos"
)

const EngineKind = Schema.Struct({
  honours: Schema.Array(Filter).annotations({ description: "The parameters that reach the engine." }),
  regions: Schema.NullOr(
    Schema.Struct({
      except: Schema.Array(Schema.String).annotations({
        description: "Known regions that it has no locale for.",
        examples: [["is-is"]]
      })
    })
  ).annotations({ description: "The regions it honours: all known ones but these; null where it honours none." })
}).annotations({ identifier: "EngineKind" })

const kind = (name: string) =>
  Schema.NullOr(EngineKind).annotations({ description: `How it serves ${name}; null when it does not.` })

/** Outcomes of requests that were sent and failed. */
export const EngineFailure = Schema.Literal(
  "blocked",
  "rate_limited",
  "timeout",
  "dns_error",
  "connect_error",
  "tls_error",
  "proxy_error",
  "http_status",
  "layout_changed",
  "irrelevant",
  "unsupported"
)
export type EngineFailure = typeof EngineFailure.Type

const Latency = Schema.Struct({
  p50: count("Half of them came within this time."),
  p95: count("95 of 100 came within this time.")
})

const EngineHealthReport = Schema.Struct({
  successes: count("Answers with results since the service started."),
  empties: count("Answers that said there is nothing."),
  failures: Schema.Record({
    key: EngineFailure,
    value: Schema.Number.pipe(Schema.int(), Schema.nonNegative())
  }).annotations({ description: "Requests that brought nothing, by outcome; `blocked` counts the blocks." }),
  latency_ms: Schema.NullOr(Latency).annotations({
    description: "Milliseconds of the last 100 successes and empties; null before the first."
  }),
  last_error: Schema.NullOr(
    Schema.Struct({
      outcome: EngineFailure.annotations({ description: "What it was." }),
      at: time("When it was.")
    })
  ).annotations({ description: "The last failure; null for none." })
}).annotations({ identifier: "EngineHealth" })

const EngineRest = Schema.Struct({
  reason: EngineFault.annotations({ description: "The failure that brought it about." }),
  since: time("When it began."),
  until: time("When it is over: the next request then is a probe, which ends the rest or lengthens it."),
  level: count("How often in a row, from 1: each rests longer than the one before.")
}).annotations({ identifier: "EngineRest" })

/** One engine, for `GET /api/engines`. */
export const EngineReport = Schema.Struct({
  name: Schema.String.annotations({ description: "As `backend` and `engines` spell it.", examples: ["mojeek"] }),
  website: Schema.String.annotations({ description: "Its home page." }),
  documentation: Schema.String.annotations({ description: "Where its API, or else its parameters, are described." }),
  access: Schema.Literal("api", "page").annotations({
    description: "`api` welcomes programs; `page` is made for people, and is asked after those."
  }),
  needs_key: Schema.Boolean.annotations({ description: "Whether it is there only with a key." }),
  kinds: Schema.Struct({
    text: kind("text"),
    images: kind("images"),
    videos: kind("videos"),
    news: kind("news"),
    books: kind("books")
  }).annotations({ description: "The kinds of search." }),
  pace: Schema.NullOr(
    Schema.Struct({
      per_minute: Schema.Number.annotations({ description: "Requests a minute in the long run." }),
      burst: Schema.Number.annotations({ description: "Requests at once." })
    })
  ).annotations({ description: "How often it is asked at most; null for no limit." }),
  health: EngineHealthReport.annotations({ description: "How it has answered since the service started." }),
  rest: Schema.NullOr(EngineRest).annotations({
    description: "Why it is not asked at the moment, unless it is named; null when it is."
  })
}).annotations({ identifier: "EngineReport", description: "An engine: what it can do and how it fares." })
export type EngineReport = typeof EngineReport.Type
