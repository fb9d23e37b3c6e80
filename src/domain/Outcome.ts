import { Schema } from "effect"

/** Why an engine gave no results (contract, section 1). A block is never reported as an empty result. */
export const EngineFault = Schema.Literal(
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
  "suspended",
  "paced",
  "unsupported"
)
export type EngineFault = typeof EngineFault.Type

export const Outcome = Schema.Literal("ok", "empty", ...EngineFault.literals)
export type Outcome = typeof Outcome.Type

/** Outcome of one engine for one search. */
export const SourceReceipt = Schema.Struct({
  engine: Schema.String.annotations({ description: "Name of the engine.", examples: ["mojeek"] }),
  outcome: Outcome.annotations({
    description:
      "`ok`, `empty` (the engine says there is nothing), or why it gave nothing: " +
      "`blocked` (a block or captcha page), `rate_limited`, `timeout`, `dns_error`, `connect_error`, `tls_error`, " +
      "`proxy_error`, `http_status`, `layout_changed` (its page is not understood any more), `irrelevant`, " +
      "`suspended` (resting), `paced` (its own pace is used up), `unsupported` (cannot honour what was asked)."
  }),
  results_count: Schema.Number.pipe(Schema.int(), Schema.nonNegative()).annotations({
    description: "Items this engine contributed, before fusion."
  }),
  took_ms: Schema.Number.pipe(Schema.int(), Schema.nonNegative()).annotations({
    description: "Milliseconds spent on it."
  }),
  until: Schema.optionalWith(
    Schema.String.annotations({
      description: "Of a `suspended` engine: when its rest ends, ISO 8601 in UTC.",
      examples: ["2026-11-05T09:33:12.000Z"]
    }),
    { exact: true }
  )
}).annotations({ identifier: "SourceReceipt" })
export type SourceReceipt = typeof SourceReceipt.Type

const count = (description: string) =>
  Schema.Number.pipe(Schema.int(), Schema.nonNegative()).annotations({ description })

/** Outcome of one kind in a unified search. */
export const KindReceipt = Schema.Struct({
  results_count: count("Items of this kind in `results`."),
  took_ms: count("Milliseconds this kind took."),
  error: Schema.NullOr(
    Schema.Struct({
      error: Schema.String.annotations({ description: "What failed." }),
      details: Schema.Unknown.annotations({ description: "As the single endpoint gives them." })
    })
  ).annotations({
    description: "Null, or what the single endpoint would have answered with."
  }),
  engines: Schema.Array(SourceReceipt).annotations({ description: "What each engine did." })
}).annotations({ identifier: "KindReceipt" })
export type KindReceipt = typeof KindReceipt.Type

export const KindReceipts = Schema.Struct({
  text: KindReceipt,
  images: KindReceipt,
  videos: KindReceipt,
  news: KindReceipt,
  books: KindReceipt
}).annotations({ identifier: "KindReceipts" })
export type KindReceipts = typeof KindReceipts.Type

/** Receipts of the engines of one kind, or of all five kinds in a unified search. */
export const Sources = Schema.Union(Schema.Array(SourceReceipt), KindReceipts)
export type Sources = typeof Sources.Type
