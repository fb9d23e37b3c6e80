import { type HttpServerRequest } from "@effect/platform"
import { NodeHttpServerRequest } from "@effect/platform-node"

/** Returns the path and query of a request target, which may be an absolute URL (RFC 9112, section 3.2.2). */
export const targetOf = (url: string): string => {
  if (!/^https?:\/\//i.test(url)) return url
  const target = url.replace(/^https?:\/\/[^/?#]*/i, "")
  return target.startsWith("/") ? target : `/${target}`
}

export const pathOf = (target: string): string => target.replace(/[?#].*$/s, "")

export const queryOf = (target: string): URLSearchParams => {
  const start = target.indexOf("?")
  return new URLSearchParams(start < 0 ? "" : target.slice(start + 1))
}

const hostPattern = /^(?:[A-Za-z0-9._~%!$&'()*+,;=-]*|\[[0-9A-Fa-f:.]+\])(?::\d*)?$/

/** Returns true for a missing Host in HTTP/1.1, several Hosts, or an invalid one (RFC 9112, section 3.2). */
export const hasWrongHost = (request: HttpServerRequest.HttpServerRequest): boolean => {
  const { httpVersion, rawHeaders } = NodeHttpServerRequest.toIncomingMessage(request)
  const hosts = rawHeaders.filter((_, index) => index % 2 === 1 && rawHeaders[index - 1]?.toLowerCase() === "host")
  if (hosts.length === 0) return httpVersion === "1.1"
  return hosts.length > 1 || !hosts.every((host) => hostPattern.test(host))
}

/** A CORS preflight (Fetch standard, "CORS-preflight fetch"). */
export const isPreflight = (request: HttpServerRequest.HttpServerRequest): boolean =>
  request.method === "OPTIONS" &&
  request.headers["origin"] !== undefined &&
  request.headers["access-control-request-method"] !== undefined
