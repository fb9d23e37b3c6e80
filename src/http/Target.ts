import { type HttpServerRequest } from "@effect/platform"
import { NodeHttpServerRequest } from "@effect/platform-node"

/** Path and query of a request target, which may be an absolute URL (RFC 9112, section 3.2.2). */
export const targetOf = (url: string): string =>
  /^https?:\/\//i.test(url) ? url.replace(/^https?:\/\/[^/?#]*/i, "") || "/" : url

export const pathOf = (target: string): string => target.replace(/[?#].*$/s, "")

export const queryOf = (target: string): URLSearchParams => {
  const start = target.indexOf("?")
  return new URLSearchParams(start < 0 ? "" : target.slice(start + 1))
}

/** RFC 9112, section 3.2: HTTP/1.1 requires a Host. */
export const lacksHost = (request: HttpServerRequest.HttpServerRequest): boolean =>
  request.headers["host"] === undefined && NodeHttpServerRequest.toIncomingMessage(request).httpVersion === "1.1"

/** A CORS preflight (Fetch standard, "CORS-preflight fetch"). */
export const isPreflight = (request: HttpServerRequest.HttpServerRequest): boolean =>
  request.method === "OPTIONS" &&
  request.headers["origin"] !== undefined &&
  request.headers["access-control-request-method"] !== undefined
