import { Data } from "effect"

export type FaultReason =
  "dns_error" | "connect_error" | "tls_error" | "proxy_error" | "timeout" | "too_large" | "truncated" | "undecodable"

/** A request that brought no whole answer. `status` is the answer's, where its head had come. */
export class HttpClientFault extends Data.TaggedError("OutgoingFault")<{
  readonly reason: FaultReason
  readonly status: number | null
  readonly cause: unknown
}> {}

/** A body grew past its cap, before or after decompression. */
export class CapReached extends Data.TaggedError("CapReached")<{ readonly bytes: number }> {}

/** A `Content-Encoding` that was not asked for and is not known. */
export class UnknownEncoding extends Data.TaggedError("UnknownEncoding")<{ readonly encoding: string }> {}

export const fault = (reason: FaultReason, cause: unknown, status: number | null = null): HttpClientFault =>
  new HttpClientFault({ reason, status, cause })

/** Node's, OpenSSL's or zlib's error code; empty for none. */
export const codeOf = (cause: unknown): string =>
  cause instanceof Error && "code" in cause && typeof cause.code === "string" ? cause.code : ""

/** A connection that was kept was just being closed by the peer (RFC 9112, 9.3.1). */
export class Stale extends Data.TaggedError("Stale")<{ readonly cause: unknown }> {}

/** The peer hung up. */
export const isHangUp = (cause: unknown): boolean => ["ECONNRESET", "EPIPE"].includes(codeOf(cause))

type BodyReason = "too_large" | "truncated" | "undecodable"

/** Of Node's HTTP parser, by the codes of llhttp; `null` for what is not its. */
const parserReason = (code: string): BodyReason | null => {
  if (code === "HPE_HEADER_OVERFLOW") return "too_large"
  if (code === "HPE_INVALID_EOF_STATE") return "truncated"
  return code.startsWith("HPE_") ? "undecodable" : null
}

const headReason = (cause: unknown): FaultReason => {
  const code = codeOf(cause)
  return parserReason(code) ?? (code.startsWith("ERR_SSL_") ? "tls_error" : "connect_error")
}

/** What went wrong before the whole head of the answer was there. A fault of the connection stays what it is. */
export const headFault = (cause: unknown): HttpClientFault =>
  cause instanceof HttpClientFault ? cause : fault(headReason(cause), cause)

const bodyReason = (cause: unknown): BodyReason => {
  if (cause instanceof CapReached) return "too_large"
  if (cause instanceof UnknownEncoding) return "undecodable"
  const code = codeOf(cause)
  const ofParser = parserReason(code)
  if (ofParser !== null) return ofParser
  // zlib's word for a compressed stream that stops in the middle.
  if (code === "Z_BUF_ERROR") return "truncated"
  return /^(Z_|ERR_(?!SSL_))/.test(code) ? "undecodable" : "truncated"
}

/** A body whose `Content-Encoding` cannot be undone, or gives too much. */
export class EncodingFault extends Data.TaggedError("EncodingFault")<{
  readonly reason: BodyReason
  readonly cause: unknown
}> {}

export const encodingFault = (cause: unknown): EncodingFault => new EncodingFault({ reason: bodyReason(cause), cause })

/** What went wrong while the body came. */
export const bodyFault = (cause: unknown, status: number): HttpClientFault => fault(bodyReason(cause), cause, status)
