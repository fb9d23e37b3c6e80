import { type AnyFailure, type ErrorEnvelope, envelopeOf } from "../../domain/Envelope.ts"
import * as Failure from "../../domain/Failure.ts"
import { type SourceReceipt } from "../../domain/Outcome.ts"
import { rateLimits, windowSeconds } from "../../domain/RateLimits.ts"
import { bodyLimit } from "../BodyLimit.ts"

const silent = (engine: string, outcome: SourceReceipt["outcome"], took_ms: number): SourceReceipt => ({
  engine,
  outcome,
  results_count: 0,
  took_ms
})

const url = "https://example.com/article"

const failures: ReadonlyArray<AnyFailure> = [
  new Failure.InvalidParameters({
    problems: [
      { in: "query", field: "max_results", message: "must be an integer from 1 to 100" },
      { in: "query", field: "timelimit", message: "must be one of d, w, m, y", allowed: ["d", "w", "m", "y"] }
    ]
  }),
  new Failure.MalformedJson({ reason: "The body is not valid JSON in UTF-8." }),
  new Failure.UnsupportedMediaType({ expected: "application/json" }),
  new Failure.PayloadTooLarge({ limit: bodyLimit }),
  new Failure.RateLimitExceeded({
    group: "search",
    limit: rateLimits.production.search,
    window_seconds: windowSeconds,
    retry_after: 42
  }),
  new Failure.SearchFailed({
    sources: [silent("duckduckgo", "blocked", 412), silent("mojeek", "http_status", 230)]
  }),
  new Failure.SearchTimedOut({
    sources: [silent("duckduckgo", "timeout", 10_000), silent("mojeek", "timeout", 10_000)]
  }),
  new Failure.UrlNotAllowed({ url: "http://192.168.0.1/", reason: "private_address" }),
  new Failure.FetchFailed({ url, reason: "http_status", status_code: 404 }),
  new Failure.FetchTimedOut({ url, timeout: 10 }),
  new Failure.UnsupportedContentType({ url: "https://example.com/photo.png", content_type: "image/png" }),
  new Failure.ShuttingDown({ retry_after: 5 }),
  new Failure.InternalError({ request_id: "b7c1f0a24e6d4f6f9d2e3a5c8b1d7e90" })
]

/** An example of each failure that an operation can answer with, as it is answered, by tag. */
export const errorExamples: ReadonlyMap<string, ErrorEnvelope> = new Map(
  failures.map((failure) => [failure._tag, envelopeOf(failure)])
)
