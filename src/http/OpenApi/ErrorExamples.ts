import { type AnyFailure, type ErrorEnvelope, envelopeOf } from "../../domain/Envelope.ts"
import * as Failure from "../../domain/Failure.ts"
import { type KindReceipts, type SourceReceipt } from "../../domain/Outcome.ts"
import { rateLimits, windowSeconds } from "../../domain/RateLimits.ts"
import { type SearchKind, searchKinds } from "../../domain/SearchKind.ts"
import { bodyLimit } from "../BodyLimit.ts"

const silent = (engine: string, outcome: SourceReceipt["outcome"], took_ms: number): SourceReceipt => ({
  engine,
  outcome,
  results_count: 0,
  took_ms
})

/** Two engines of each kind, for the examples. */
const engines: Readonly<Record<SearchKind, readonly [string, string]>> = {
  text: ["duckduckgo", "mojeek"],
  images: ["bing", "openverse"],
  videos: ["dailymotion", "sepiasearch"],
  news: ["googlenews", "hackernews"],
  books: ["gutendex", "openlibrary"]
}

const failed = (kind: SearchKind) =>
  new Failure.SearchFailed({
    sources: [silent(engines[kind][0], "blocked", 412), silent(engines[kind][1], "http_status", 230)]
  })

const timedOut = (kind: SearchKind) =>
  new Failure.SearchTimedOut({ sources: engines[kind].map((engine) => silent(engine, "timeout", 10_000)) })

/** The same failure for all five kinds, in the form of the unified search. */
const everyKind = (failure: (kind: SearchKind) => Failure.SearchError): KindReceipts => {
  const receipt = (kind: SearchKind) => {
    const { details, error } = envelopeOf(failure(kind))
    const { sources } = failure(kind)
    const list = "text" in sources ? [] : sources
    const took_ms = Math.max(...list.map((source) => source.took_ms))
    return { results_count: 0, took_ms, error: { error, details }, engines: list }
  }
  return {
    text: receipt("text"),
    images: receipt("images"),
    videos: receipt("videos"),
    news: receipt("news"),
    books: receipt("books")
  }
}

const url = "https://example.com/article"

const problems = (operation: string): ReadonlyArray<Failure.FieldProblem> => {
  if (operation === "content.fetchMultiple") {
    return [{ in: "body", field: "urls", message: "must be an array of 1 to 10 strings" }]
  }
  if (operation === "content.fetch") {
    return [{ in: "query", field: "timeout", message: "must be an integer from 5 to 30" }]
  }
  const most =
    operation === "unified.all" ? { field: "max_results_per_type", max: 50 } : { field: "max_results", max: 100 }
  const allowed = ["on", "moderate", "off"]
  const enumeration = {
    in: "query" as const,
    field: "safesearch",
    message: `must be one of ${allowed.join(", ")}`,
    allowed
  }
  const range = { in: "query" as const, field: most.field, message: `must be an integer from 1 to ${most.max}` }
  return operation === "search.books" ? [range] : [enumeration, range]
}

const groupOf = (operation: string): Failure.RateLimitGroup => {
  const groups = Failure.RateLimitGroup.literals
  return groups.find((group) => operation.startsWith(`${group}.`)) ?? "info"
}

const failuresOf = (operation: string): ReadonlyArray<AnyFailure> => {
  const kind = searchKinds.find((one) => operation === `search.${one}`) ?? "text"
  const group = groupOf(operation)
  return [
    new Failure.InvalidParameters({ problems: problems(operation) }),
    new Failure.MalformedJson({ reason: "The body is not valid JSON in UTF-8." }),
    new Failure.UnsupportedMediaType({ expected: "application/json" }),
    new Failure.PayloadTooLarge({ limit: bodyLimit }),
    new Failure.Unauthorized(),
    new Failure.RateLimitExceeded({
      group,
      limit: rateLimits.production[group],
      window_seconds: windowSeconds,
      retry_after: 42
    }),
    operation === "unified.all" ? new Failure.SearchFailed({ sources: everyKind(failed) }) : failed(kind),
    operation === "unified.all" ? new Failure.SearchTimedOut({ sources: everyKind(timedOut) }) : timedOut(kind),
    new Failure.UrlNotAllowed({ url: "http://192.168.0.1/", reason: "private_address" }),
    new Failure.FetchFailed({ url, reason: "http_status", status_code: 404 }),
    new Failure.FetchTimedOut({ url, timeout: 10 }),
    new Failure.UnsupportedContentType({ url: "https://example.com/photo.png", content_type: "image/png" }),
    new Failure.ShuttingDown({ retry_after: 5 }),
    new Failure.NotReady({ kinds: ["books"], retry_after: 42 }),
    new Failure.InternalError({ request_id: "b7c1f0a24e6d4f6f9d2e3a5c8b1d7e90" })
  ]
}

/** Returns the example envelope of an operation's failure, by the failure's tag; undefined for an unknown tag. */
export const errorExample = (operation: string, tag: string): ErrorEnvelope | undefined => {
  const failure = failuresOf(operation).find(({ _tag }) => _tag === tag)
  return failure === undefined ? undefined : envelopeOf(failure)
}
