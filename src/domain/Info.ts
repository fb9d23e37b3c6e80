import { Schema } from "effect"

/** Answer of `GET /health` (contract, section 1). */
export const Health = Schema.Struct({
  status: Schema.Literal("healthy", "degraded"),
  service: Schema.Literal("quarry"),
  version: Schema.String,
  uptime_seconds: Schema.Number.pipe(Schema.int(), Schema.nonNegative())
}).annotations({ identifier: "Health" })
export type HealthReport = typeof Health.Type

const Budgets = Schema.Record({ key: Schema.String, value: Schema.Number })

/** Answer of `GET /`. */
export const Info = Schema.Struct({
  name: Schema.String,
  description: Schema.String,
  version: Schema.String,
  environment: Schema.Literal("production", "development"),
  endpoints: Schema.Array(Schema.Struct({ method: Schema.String, path: Schema.String, description: Schema.String })),
  rate_limits: Schema.Struct({ window_seconds: Schema.Number, requests: Budgets }),
  documentation: Schema.Record({ key: Schema.String, value: Schema.String })
}).annotations({ identifier: "Info" })
