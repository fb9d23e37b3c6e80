import { Schema } from "effect"

/** Answer of `GET /health` (contract, section 1). */
export const Health = Schema.Struct({
  status: Schema.Literal("healthy", "degraded").annotations({
    description: "`degraded` when a kind of search has no engine."
  }),
  service: Schema.Literal("quarry"),
  version: Schema.String.annotations({ description: "Of the package." }),
  uptime_seconds: Schema.Number.pipe(Schema.int(), Schema.nonNegative()).annotations({
    description: "Since the service started."
  })
}).annotations({ identifier: "Health", description: "How the service is." })
export type HealthReport = typeof Health.Type

const Budgets = Schema.Record({ key: Schema.String, value: Schema.Number })

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
