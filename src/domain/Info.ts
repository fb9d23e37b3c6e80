import { Schema } from "effect"
import { EngineReport } from "./EngineReport.ts"

/** Answer of `GET /health` (contract, section 1). */
export const Health = Schema.Struct({
  status: Schema.Literal("healthy", "degraded").annotations({
    description: "`degraded` when a kind of search has no usable engine: it has none, or all of them rest."
  }),
  service: Schema.Literal("quarry"),
  version: Schema.String.annotations({ description: "Of the package." }),
  uptime_seconds: Schema.Number.pipe(Schema.int(), Schema.nonNegative()).annotations({
    description: "Since the service started."
  })
}).annotations({ identifier: "Health", description: "How the service is." })
export type HealthReport = typeof Health.Type

const Budgets = Schema.Record({ key: Schema.String, value: Schema.Number })

/** Answer of `GET /ready` when every kind of search has a usable engine. */
export const Ready = Schema.Struct({
  success: Schema.Literal(true),
  status: Schema.Literal("ready").annotations({ description: "Every kind of search has a usable engine." })
}).annotations({ identifier: "Ready", description: "Searches of every kind can be sent here." })

/** Answer of `GET /api/engines`. */
export const EngineList = Schema.Struct({
  success: Schema.Literal(true),
  engines_count: Schema.Number.pipe(Schema.int(), Schema.nonNegative()).annotations({
    description: "Length of `engines`."
  }),
  engines: Schema.Array(EngineReport).annotations({
    description: "Every engine of this server, those that welcome programs first."
  })
}).annotations({ identifier: "EngineList", description: "The engines, what they can do and how they fare." })

/** Wraps engine reports as the answer of `GET /api/engines`. */
export const engineListOf = (engines: ReadonlyArray<EngineReport>): typeof EngineList.Type => ({
  success: true,
  engines_count: engines.length,
  engines
})

/** Answer of `GET /`. */
export const Info = Schema.Struct({
  name: Schema.String,
  description: Schema.String.annotations({ description: "What the service is for, in a sentence." }),
  version: Schema.String.annotations({ description: "Of the package." }),
  environment: Schema.Literal("production", "development").annotations({ description: "Decides the budgets." }),
  endpoints: Schema.Array(
    Schema.Struct({ method: Schema.String, path: Schema.String, description: Schema.String })
  ).annotations({ description: "Every endpoint in a line." }),
  rate_limits: Schema.Struct({ window_seconds: Schema.Number, requests: Budgets }).annotations({
    description: "Requests per client and window, by group of endpoints."
  }),
  documentation: Schema.Record({ key: Schema.String, value: Schema.String }).annotations({
    description: "Paths of the documentation, by form."
  })
}).annotations({ identifier: "Info", description: "What this service is and offers." })
