import { Schema } from "effect"
import * as Failure from "./Failure.ts"
import { Sources } from "./Outcome.ts"
import { searchKinds } from "./SearchKind.ts"

/**
 * Defines the public form of a failure: `{ success: false, error, details }` (contract, section 1). `envelopes` is the
 * only mapping from failures to envelopes; `http` maps failures to HTTP statuses.
 */
const envelope = <A, AI, D, DI>(
  error: string,
  description: string,
  failure: Schema.Schema<A, AI>,
  details: Schema.Schema<D, DI>,
  between: { readonly decode: (details: D) => A; readonly encode: (failure: A) => D }
) =>
  Schema.transform(
    Schema.Struct({
      success: Schema.Literal(false),
      error: Schema.String.annotations({
        jsonSchema: { type: "string", const: error, description: "Always this text." }
      }),
      details
    }),
    Schema.typeSchema(failure),
    {
      strict: true,
      decode: (body) => between.decode(body.details),
      encode: (value) => ({ success: false as const, error, details: between.encode(value) })
    }
  ).annotations({ description })

const integer = Schema.Number.pipe(Schema.int())
const requestedUrl = Schema.String.annotations({ description: "As it was asked for." })

export const envelopes = {
  InvalidParameters: envelope(
    "Invalid parameters",
    "A parameter is missing, malformed, out of range or not in its enum; every bad field is named.",
    Failure.InvalidParameters,
    Schema.Array(Failure.FieldProblem).annotations({ description: "One entry per bad field." }),
    { decode: (problems) => new Failure.InvalidParameters({ problems }), encode: (failure) => failure.problems }
  ),
  MalformedJson: envelope(
    "Malformed JSON",
    "The body is not JSON.",
    Failure.MalformedJson,
    Schema.Struct({ message: Schema.String }),
    {
      decode: ({ message }) => new Failure.MalformedJson({ reason: message }),
      encode: ({ reason }) => ({ message: reason })
    }
  ),
  UnsupportedMediaType: envelope(
    "Unsupported media type",
    "The body has another content type than the one expected.",
    Failure.UnsupportedMediaType,
    Schema.Struct({ expected: Schema.String }),
    { decode: (details) => new Failure.UnsupportedMediaType(details), encode: ({ expected }) => ({ expected }) }
  ),
  PayloadTooLarge: envelope(
    "Payload too large",
    "The body is larger than `limit` bytes.",
    Failure.PayloadTooLarge,
    Schema.Struct({ limit: integer.annotations({ description: "Bytes." }) }),
    { decode: (details) => new Failure.PayloadTooLarge(details), encode: ({ limit }) => ({ limit }) }
  ),
  BadRequest: envelope("Bad request", "The request is no proper HTTP.", Failure.BadRequest, Schema.Null, {
    decode: () => new Failure.BadRequest(),
    encode: () => null
  }),
  Unauthorized: envelope(
    "Unauthorized",
    "This server wants a key, as `Authorization: Bearer <key>`, and got none that it knows.",
    Failure.Unauthorized,
    Schema.Null,
    { decode: () => new Failure.Unauthorized(), encode: () => null }
  ),
  NotFound: envelope("Not found", "No such path.", Failure.NotFound, Schema.Null, {
    decode: () => new Failure.NotFound(),
    encode: () => null
  }),
  MethodNotAllowed: envelope(
    "Method not allowed",
    "The path exists, the method does not.",
    Failure.MethodNotAllowed,
    Schema.Struct({ allowed: Schema.Array(Schema.String) }),
    { decode: (details) => new Failure.MethodNotAllowed(details), encode: ({ allowed }) => ({ allowed }) }
  ),
  RateLimitExceeded: envelope(
    "Rate limit exceeded",
    "The client's budget of this endpoint group is used up; `retry_after` says for how many seconds.",
    Failure.RateLimitExceeded,
    Schema.Struct({
      group: Failure.RateLimitGroup.annotations({ description: "Whose budget is used up." }),
      limit: integer.annotations({ description: "Requests per window." }),
      window_seconds: integer,
      retry_after: integer.annotations({ description: "Whole seconds until the window closes." })
    }),
    {
      decode: (details) => new Failure.RateLimitExceeded(details),
      encode: ({ group, limit, retry_after, window_seconds }) => ({ group, limit, window_seconds, retry_after })
    }
  ),
  SearchFailed: envelope(
    "Search failed",
    "No engine answered; `sources` says why.",
    Failure.SearchFailed,
    Schema.Struct({ sources: Sources }),
    { decode: (details) => new Failure.SearchFailed(details), encode: ({ sources }) => ({ sources }) }
  ),
  SearchTimedOut: envelope(
    "Search timed out",
    "Every engine that was asked took too long.",
    Failure.SearchTimedOut,
    Schema.Struct({ sources: Sources }),
    { decode: (details) => new Failure.SearchTimedOut(details), encode: ({ sources }) => ({ sources }) }
  ),
  UrlNotAllowed: envelope(
    "URL not allowed",
    "Policy forbids this target: `private_address`, `metadata_host`, `port`, `credentials`, `scheme` (of a redirect), or " +
      "`robots` (the target's robots.txt, where this server obeys it).",
    Failure.UrlNotAllowed,
    Schema.Struct({ url: requestedUrl, reason: Failure.PolicyReason.annotations({ description: "What forbids it." }) }),
    { decode: (details) => new Failure.UrlNotAllowed(details), encode: ({ reason, url }) => ({ url, reason }) }
  ),
  FetchFailed: envelope(
    "Fetch failed",
    "The target could not be read: `dns_error`, `connect_error`, `tls_error`, `http_status` (400 and above), " +
      "`too_many_redirects` (more than 5), `too_large` (more than 10 MiB, or than can be read in 5 s), `truncated`, `undecodable` " +
      "(a broken or unknown encoding, a broken or locked PDF), `host_resting`.",
    Failure.FetchFailed,
    Schema.Struct({
      url: requestedUrl,
      reason: Failure.FetchReason.annotations({ description: "What went wrong." }),
      status_code: Schema.NullOr(integer).annotations({ description: "HTTP status of the target, where it gave one." })
    }),
    {
      decode: (details) => new Failure.FetchFailed(details),
      encode: ({ reason, status_code, url }) => ({ url, reason, status_code })
    }
  ),
  FetchTimedOut: envelope(
    "Fetch timed out",
    "The target took longer than `timeout` seconds.",
    Failure.FetchTimedOut,
    Schema.Struct({ url: requestedUrl, timeout: integer.annotations({ description: "Seconds, as asked for." }) }),
    { decode: (details) => new Failure.FetchTimedOut(details), encode: ({ timeout, url }) => ({ url, timeout }) }
  ),
  UnsupportedContentType: envelope(
    "Unsupported content type",
    "The target is of a kind that has no text.",
    Failure.UnsupportedContentType,
    Schema.Struct({
      url: requestedUrl,
      content_type: Schema.String.annotations({ description: "What the target is." })
    }),
    {
      decode: (details) => new Failure.UnsupportedContentType(details),
      encode: ({ content_type, url }) => ({ url, content_type })
    }
  ),
  ShuttingDown: envelope("Shutting down", "The service is draining.", Failure.ShuttingDown, Schema.Null, {
    decode: () => new Failure.ShuttingDown({ retry_after: 1 }),
    encode: () => null
  }),
  NotReady: envelope(
    "Not ready",
    "A kind of search has no usable engine: it has none, or all of them rest.",
    Failure.NotReady,
    Schema.Struct({
      kinds: Schema.Array(Schema.Literal(...searchKinds)).annotations({ description: "The kinds without one." })
    }),
    {
      decode: ({ kinds }) => new Failure.NotReady({ kinds, retry_after: 1 }),
      encode: ({ kinds }) => ({ kinds })
    }
  ),
  InternalError: envelope(
    "Internal server error",
    "A defect of Quarry's; its cause is in the log under `request_id`.",
    Failure.InternalError,
    Schema.Struct({ request_id: Schema.String }),
    { decode: (details) => new Failure.InternalError(details), encode: ({ request_id }) => ({ request_id }) }
  )
} as const

/** Every failure, by tag. */
export type AnyFailure = {
  readonly [Tag in keyof typeof envelopes]: (typeof envelopes)[Tag]["Type"]
}[keyof typeof envelopes]

const all = Object.values(envelopes)

/** Failure of a part of an answer: one URL of a batch, or one kind of a unified search. */
export const ErrorEnvelope = Schema.Struct({
  success: Schema.Literal(false),
  error: Schema.String.annotations({ description: "What failed: a fixed text for each kind of failure." }),
  details: Schema.Unknown.annotations({
    description: "As for this `error` of the single endpoint; null when there is none."
  })
})
export type ErrorEnvelope = typeof ErrorEnvelope.Type

const encode = Schema.encodeSync(Schema.Union(...all))

/** Encodes a failure as its envelope. */
export const envelopeOf = (failure: AnyFailure): ErrorEnvelope => encode(failure)
