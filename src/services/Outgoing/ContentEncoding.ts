import { Either } from "effect"
import { brotliDecompressSync, gunzipSync, inflateRawSync, inflateSync, type ZlibOptions } from "node:zlib"
import { CapReached, codeOf, UnknownEncoding } from "./Fault.ts"

export const acceptEncoding = "gzip, deflate, br"

/** Servers stack at most two by accident; more is an attack. */
const maxStacked = 3

/** More than gzip can do (1032), so that it is no page of anybody's: past its first mebibyte such a body is a bomb. */
const greatestRatio = 1_100
const unsuspicious = 1024 * 1024

type Coding = (bytes: Uint8Array, options: ZlibOptions) => Uint8Array

/** Its lower four bits are the method of zlib's format (RFC 1950, 2.2). */
const isZlib = ([first = 0]: Uint8Array): boolean => (first & 0x0f) === 8

const codings = new Map<string, Coding>([
  ["gzip", gunzipSync],
  ["x-gzip", gunzipSync],
  // It means zlib's format (RFC 9110, 8.4.1.2) but is raw from many servers.
  ["deflate", (bytes, options) => (isZlib(bytes) ? inflateSync : inflateRawSync)(bytes, options)],
  ["br", brotliDecompressSync]
])

/** A `Content-Encoding` as what to undo, first to last; null for one that is not known or too many of them. */
const codingsOf = (header: string): ReadonlyArray<Coding> | null => {
  const names = header
    .toLowerCase()
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "" && part !== "identity")
  const known = names.flatMap((name) => codings.get(name) ?? [])
  return known.length < names.length || known.length > maxStacked ? null : known.reverse()
}

/** Whether a `Content-Encoding` can be undone. */
export const isKnown = (header: string): boolean => codingsOf(header) !== null

/** Whether a `Content-Encoding` leaves the bytes as they are. */
export const isPlain = (header: string): boolean => codingsOf(header)?.length === 0

const chunkSize = 128 * 1024

/** There is nothing in an empty body, under any coding. */
const undo = (coding: Coding, bytes: Uint8Array, most: number): Uint8Array =>
  bytes.length === 0 ? bytes : coding(bytes, { chunkSize, maxOutputLength: most })

/**
 * A whole body as it was before `Content-Encoding`. No step of that may give more than `most` bytes, nor more than any
 * page grows to. On the calling thread: 10 MiB of zeros take 2 ms by gzip, 18 ms by Brotli.
 */
export const decode = (header: string, bytes: Uint8Array, most: number): Either.Either<Uint8Array, unknown> => {
  const chosen = codingsOf(header)
  if (chosen === null) return Either.left(new UnknownEncoding({ encoding: header }))
  const plausible = Math.min(most, Math.max(unsuspicious, bytes.length * greatestRatio))
  return Either.try({
    try: () => chosen.reduce((whole, coding) => undo(coding, whole, plausible), bytes),
    catch: (error) => (codeOf(error) === "ERR_BUFFER_TOO_LARGE" ? new CapReached({ bytes: plausible }) : error)
  })
}
