import { Data } from "effect"

export type FaultReason =
  "dns_error" | "connect_error" | "tls_error" | "proxy_error" | "timeout" | "too_large" | "truncated" | "undecodable"

/**
 * A request without a complete response. `status` is null when the fault occurred before the response head was
 * complete.
 */
export class HttpClientFault extends Data.TaggedError("HttpClientFault")<{
  readonly reason: FaultReason
  readonly status: number | null
  readonly cause: unknown
}> {}

/** A body exceeds its cap, before or after decompression. */
export class CapReached extends Data.TaggedError("CapReached")<{ readonly bytes: number }> {}

/** An unknown `Content-Encoding`, which the request did not accept. */
export class UnknownEncoding extends Data.TaggedError("UnknownEncoding")<{ readonly encoding: string }> {}

export const fault = (reason: FaultReason, cause: unknown, status: number | null = null): HttpClientFault =>
  new HttpClientFault({ reason, status, cause })

/** Returns the error code of Node, OpenSSL or zlib; an empty string for none. */
export const codeOf = (cause: unknown): string =>
  cause instanceof Error && "code" in cause && typeof cause.code === "string" ? cause.code : ""

/** The peer closed a kept-alive connection while the request was sent (RFC 9112, 9.3.1). */
export class Stale extends Data.TaggedError("Stale")<{ readonly cause: unknown }> {}

/** The peer closed the connection. */
export const isHangUp = (cause: unknown): boolean => ["ECONNRESET", "EPIPE"].includes(codeOf(cause))

type BodyReason = "too_large" | "truncated" | "undecodable"

/** Maps the llhttp codes of Node's HTTP parser. Returns null for other codes. */
const parserReason = (code: string): BodyReason | null => {
  if (code === "HPE_HEADER_OVERFLOW") return "too_large"
  if (code === "HPE_INVALID_EOF_STATE") return "truncated"
  return code.startsWith("HPE_") ? "undecodable" : null
}

const headReason = (cause: unknown): FaultReason => {
  const code = codeOf(cause)
  return parserReason(code) ?? (code.startsWith("ERR_SSL_") ? "tls_error" : "connect_error")
}

/** Makes the fault for an error before the response head was complete. Returns connection faults unchanged. */
export const headFault = (cause: unknown): HttpClientFault =>
  cause instanceof HttpClientFault ? cause : fault(headReason(cause), cause)

const bodyReason = (cause: unknown): BodyReason => {
  if (cause instanceof CapReached) return "too_large"
  if (cause instanceof UnknownEncoding) return "undecodable"
  const code = codeOf(cause)
  const ofParser = parserReason(code)
  if (ofParser !== null) return ofParser
  // zlib reports this code for a truncated stream.
  if (code === "Z_BUF_ERROR") return "truncated"
  return /^(Z_|ERR_(?!SSL_))/.test(code) ? "undecodable" : "truncated"
}

/** A `Content-Encoding` that cannot be decoded, or whose result is too large. */
export class EncodingFault extends Data.TaggedError("EncodingFault")<{
  readonly reason: BodyReason
  readonly cause: unknown
}> {}

export const encodingFault = (cause: unknown): EncodingFault => new EncodingFault({ reason: bodyReason(cause), cause })

/** Makes the fault for an error while the body was read. */
export const bodyFault = (cause: unknown, status: number): HttpClientFault => fault(bodyReason(cause), cause, status)
