import { Schema } from "effect"
import { Sources } from "./Outcome.ts"
import { searchKinds } from "./SearchKind.ts"

/** One invalid field of a request (contract, section 1). */
export const FieldProblem = Schema.Struct({
  in: Schema.Literal("query", "body"),
  field: Schema.String.annotations({ description: "Name of the parameter or member." }),
  message: Schema.String.annotations({ description: "What is wrong with it, for people." }),
  allowed: Schema.optionalWith(Schema.Array(Schema.String).annotations({ description: "The members of its enum." }), {
    exact: true
  })
})
export type FieldProblem = typeof FieldProblem.Type

/** A parameter is missing, malformed, out of range or not in its enum. */
export class InvalidParameters extends Schema.TaggedError<InvalidParameters>()("InvalidParameters", {
  problems: Schema.Array(FieldProblem)
}) {}

export class MalformedJson extends Schema.TaggedError<MalformedJson>()("MalformedJson", {
  reason: Schema.String
}) {}

export class UnsupportedMediaType extends Schema.TaggedError<UnsupportedMediaType>()("UnsupportedMediaType", {
  expected: Schema.String
}) {}

/** `limit` in bytes. */
export class PayloadTooLarge extends Schema.TaggedError<PayloadTooLarge>()("PayloadTooLarge", {
  limit: Schema.Number
}) {}

/** The request is not valid HTTP. */
export class BadRequest extends Schema.TaggedError<BadRequest>()("BadRequest", {}) {}

export class NotFound extends Schema.TaggedError<NotFound>()("NotFound", {}) {}

export class MethodNotAllowed extends Schema.TaggedError<MethodNotAllowed>()("MethodNotAllowed", {
  allowed: Schema.Array(Schema.String)
}) {}

/** The server requires a key, and the request has no known one. */
export class Unauthorized extends Schema.TaggedError<Unauthorized>()("Unauthorized", {}) {}

/** Endpoint groups, each with its own budget (specification, "Limits"). */
export const RateLimitGroup = Schema.Literal("search", "unified", "content", "info")
export type RateLimitGroup = typeof RateLimitGroup.Type

/** The client has used up its budget; `retry_after` in whole seconds. */
export class RateLimitExceeded extends Schema.TaggedError<RateLimitExceeded>()("RateLimitExceeded", {
  group: RateLimitGroup,
  limit: Schema.Number,
  window_seconds: Schema.Number,
  retry_after: Schema.Number
}) {}

/** Whole seconds until an engine can be asked again; absent when unknown. */
const retryAfter = Schema.optionalWith(Schema.Number, { exact: true })

/** No engine answered. */
export class SearchFailed extends Schema.TaggedError<SearchFailed>()("SearchFailed", {
  sources: Sources,
  retry_after: retryAfter
}) {}

/** Every engine that was asked timed out. */
export class SearchTimedOut extends Schema.TaggedError<SearchTimedOut>()("SearchTimedOut", {
  sources: Sources,
  retry_after: retryAfter
}) {}

export const PolicyReason = Schema.Literal(
  "private_address",
  "metadata_host",
  "port",
  "credentials",
  "scheme",
  "robots"
)
export type PolicyReason = typeof PolicyReason.Type

/** Policy refuses the fetch target, directly or after a redirect. */
export class UrlNotAllowed extends Schema.TaggedError<UrlNotAllowed>()("UrlNotAllowed", {
  url: Schema.String,
  reason: PolicyReason
}) {}

export const FetchReason = Schema.Literal(
  "dns_error",
  "connect_error",
  "tls_error",
  "http_status",
  "too_many_redirects",
  "too_large",
  "truncated",
  "undecodable",
  "host_resting"
)
export type FetchReason = typeof FetchReason.Type

/** The fetch target failed; `status_code` is its HTTP status, or null when there was none. */
export class FetchFailed extends Schema.TaggedError<FetchFailed>()("FetchFailed", {
  url: Schema.String,
  reason: FetchReason,
  status_code: Schema.NullOr(Schema.Number)
}) {}

/** `timeout` in seconds, as requested. */
export class FetchTimedOut extends Schema.TaggedError<FetchTimedOut>()("FetchTimedOut", {
  url: Schema.String,
  timeout: Schema.Number
}) {}

/** The fetch target has a content type without text. */
export class UnsupportedContentType extends Schema.TaggedError<UnsupportedContentType>()("UnsupportedContentType", {
  url: Schema.String,
  content_type: Schema.String
}) {}

/** The service is draining; `retry_after` in whole seconds. */
export class ShuttingDown extends Schema.TaggedError<ShuttingDown>()("ShuttingDown", {
  retry_after: Schema.Number
}) {}

/** At least one kind of search has no usable engine; `retry_after` in whole seconds. */
export class NotReady extends Schema.TaggedError<NotReady>()("NotReady", {
  kinds: Schema.Array(Schema.Literal(...searchKinds)),
  retry_after: Schema.Number
}) {}

/** A defect. Its cause is logged under this id. */
export class InternalError extends Schema.TaggedError<InternalError>()("InternalError", {
  request_id: Schema.String
}) {}

export type SearchError = SearchFailed | SearchTimedOut
export type ContentError = UrlNotAllowed | FetchFailed | FetchTimedOut | UnsupportedContentType
