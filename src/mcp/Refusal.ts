import { type RequestId } from "@modelcontextprotocol/server"
import { type RateLimitExceeded } from "../domain/Failure.ts"
import { errorCodes, faultResponse } from "./JsonRpc.ts"

/** Refuses a request by its `Host` or `Origin`. */
export const notAllowed = (message: string) => faultResponse({ status: 403, code: errorCodes.refused, message })

export const methodNotAllowed = (allowed: ReadonlyArray<string>) =>
  faultResponse({
    status: 405,
    code: errorCodes.refused,
    message: "Method not allowed: messages are posted, there is no session and no stream to open",
    headers: { allow: allowed.join(", ") }
  })

export const unsupportedMediaType = () =>
  faultResponse({ status: 415, code: errorCodes.refused, message: "Content-Type must be application/json" })

export const malformed = () =>
  faultResponse({ status: 400, code: errorCodes.parse, message: "The body is not valid JSON in UTF-8" })

export const invalid = (message: string, id: RequestId | null) =>
  faultResponse({ status: 400, code: errorCodes.invalidRequest, message, id })

export const invalidParams = (message: string, id: RequestId | null) =>
  faultResponse({ status: 200, code: errorCodes.invalidParams, message, id })

/** Refuses a message over budget. A tool call over budget is a failed result instead. */
export const overBudget = (failure: RateLimitExceeded, id: RequestId | null) => {
  const { group, limit, retry_after, window_seconds } = failure
  return faultResponse({
    status: 429,
    code: errorCodes.refused,
    message: "Rate limit exceeded",
    data: { group, limit, window_seconds, retry_after },
    id
  })
}
