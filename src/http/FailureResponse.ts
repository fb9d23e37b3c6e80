import { HttpServerResponse } from "@effect/platform"
import { type AnyFailure, envelopeOf, envelopes } from "../domain/Envelope.ts"
import { statuses } from "./Status.ts"

export const isFailure = (value: unknown): value is AnyFailure =>
  typeof value === "object" && value !== null && "_tag" in value && String(value._tag) in envelopes

/** Builds the response to a failure from the envelope table and the status table. */
export const failureResponse = (failure: AnyFailure): HttpServerResponse.HttpServerResponse => {
  const response = HttpServerResponse.unsafeJson(envelopeOf(failure), { status: statuses[failure._tag] })
  switch (failure._tag) {
    case "MethodNotAllowed":
      return HttpServerResponse.setHeader(response, "allow", failure.allowed.join(", "))
    case "Unauthorized":
      return HttpServerResponse.setHeader(response, "www-authenticate", 'Bearer realm="quarry"')
    case "SearchFailed":
    case "SearchTimedOut":
    case "ShuttingDown":
    case "NotReady":
      return failure.retry_after === undefined
        ? response
        : HttpServerResponse.setHeader(response, "retry-after", String(failure.retry_after))
    default:
      return response
  }
}
