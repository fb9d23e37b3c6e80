import { type AnyFailure } from "../domain/Envelope.ts"

/** HTTP status of every failure (contract, section 1). */
export const statuses = {
  BadRequest: 400,
  MalformedJson: 400,
  Unauthorized: 401,
  UrlNotAllowed: 403,
  NotFound: 404,
  MethodNotAllowed: 405,
  PayloadTooLarge: 413,
  UnsupportedMediaType: 415,
  UnsupportedContentType: 415,
  InvalidParameters: 422,
  RateLimitExceeded: 429,
  InternalError: 500,
  SearchFailed: 502,
  FetchFailed: 502,
  ShuttingDown: 503,
  NotReady: 503,
  SearchTimedOut: 504,
  FetchTimedOut: 504
} as const satisfies Record<AnyFailure["_tag"], number>
