import { Effect } from "effect"
import { type Transform } from "node:stream"
import {
  brotliDecompressSync,
  constants,
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createInflateRaw,
  gunzipSync,
  inflateRawSync,
  inflateSync,
  type ZlibOptions
} from "node:zlib"
import { CapReached, codeOf, type EncodingFault, encodingFault, UnknownEncoding } from "./Fault.ts"

export const acceptEncoding = "gzip, deflate, br"

/** Misconfigured servers apply at most two codings. More than three are an attack. */
const maxStacked = 3

/**
 * Above the maximum ratio of gzip (1032), so that no real page reaches it. Beyond the first mebibyte, such a body is a
 * decompression bomb.
 */
const greatestRatio = 1_100
/** Decoded size that is allowed at any ratio, in bytes. */
export const alwaysAllowedBytes = 1024 * 1024

/** Returns the maximum size after one step of decompression, in bytes. */
export const maxDecodedBytes = ({ length }: Uint8Array): number => Math.max(alwaysAllowedBytes, length * greatestRatio)

/** A compression format of zlib, with a synchronous and a streaming decoder. `flush` ends a truncated stream. */
interface Format {
  readonly whole: (bytes: Uint8Array, options: ZlibOptions) => Uint8Array
  readonly pieces: (options: ZlibOptions) => Transform
  readonly flush: number
  /**
   * Maximum input of the synchronous decoder, in bytes. It cannot be interrupted. Most pages are smaller. Malicious
   * Brotli, with blocks of one byte each, takes 0.8 microseconds for each block. Deflate has no equivalent.
   */
  readonly maxSyncBytes: number
}

const deflate = { flush: constants.Z_SYNC_FLUSH, maxSyncBytes: 512 * 1024 } as const
const gzip: Format = { ...deflate, whole: gunzipSync, pieces: createGunzip }
const zlib: Format = { ...deflate, whole: inflateSync, pieces: createInflate }
const raw: Format = { ...deflate, whole: inflateRawSync, pieces: createInflateRaw }
const brotli: Format = {
  whole: brotliDecompressSync,
  pieces: createBrotliDecompress,
  flush: constants.BROTLI_OPERATION_FLUSH,
  maxSyncBytes: 64 * 1024
}

type Coding = (bytes: Uint8Array) => Format

/** Checks the compression method in the lower four bits of the first byte (RFC 1950, 2.2). */
const isZlib = ([first = 0]: Uint8Array): boolean => (first & 0x0f) === 8

const codings = new Map<string, Coding>([
  ["gzip", () => gzip],
  ["x-gzip", () => gzip],
  // Specified as the zlib format (RFC 9110, 8.4.1.2), but many servers send raw Deflate.
  ["deflate", (bytes) => (isZlib(bytes) ? zlib : raw)],
  ["br", () => brotli]
])

/**
 * Returns the codings of a `Content-Encoding` in decoding order. Returns null when one is unknown or there are too
 * many.
 */
const codingsOf = (header: string): ReadonlyArray<Coding> | null => {
  const names = header
    .toLowerCase()
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "" && part !== "identity")
  const known = names.flatMap((name) => codings.get(name) ?? [])
  return known.length < names.length || known.length > maxStacked ? null : known.reverse()
}

/** Returns whether a `Content-Encoding` can be decoded. */
export const isKnown = (header: string): boolean => codingsOf(header) !== null

/** Returns whether a `Content-Encoding` leaves the bytes unchanged. */
export const isPlain = (header: string): boolean => codingsOf(header)?.length === 0

/** Maximum size of a body, as received and after each step of decompression. */
export interface Cap {
  readonly maxBytes: number
  /** How to treat a larger body, or one whose encoding is truncated: fail, or return its first part. */
  readonly past: "fault" | "cut"
}

const chunkSize = 128 * 1024

/** Size of the chunks written to a decoder, in bytes. */
const pieceSize = 64 * 1024

/** Timeout of one streaming step. 10 MiB of ordinary data take a tenth of it at most. */
const timeout = "2 seconds"

const decodeSync = ({ whole }: Format, bytes: Uint8Array, most: number) =>
  Effect.try({
    try: () => whole(bytes, { chunkSize, maxOutputLength: most }),
    catch: (error) => encodingFault(codeOf(error) === "ERR_BUFFER_TOO_LARGE" ? new CapReached({ bytes: most }) : error)
  })

/** Decodes in Node's thread pool, chunk by chunk, so that other tasks can run between two chunks. */
const decodeStream = ({ flush, pieces }: Format, bytes: Uint8Array, { maxBytes, past }: Cap) =>
  Effect.async<Uint8Array, EncodingFault>((resume) => {
    const decoder = pieces(past === "cut" ? { chunkSize, finishFlush: flush } : { chunkSize })
    const gathered: Array<Uint8Array> = []
    let length = 0
    const leave = (answer: Effect.Effect<Uint8Array, EncodingFault>) => {
      decoder.destroy()
      resume(answer)
    }
    const whole = Effect.sync(() => Buffer.concat(gathered).subarray(0, maxBytes))
    decoder.on("data", (piece: Uint8Array) => {
      gathered.push(piece)
      length += piece.length
      if (length > maxBytes) leave(past === "cut" ? whole : encodingFault(new CapReached({ bytes: length })))
    })
    decoder.once("end", () => leave(whole))
    decoder.on("error", (error) => leave(encodingFault(error)))
    const feed = (at: number) => {
      if (decoder.destroyed) return
      const next = at + pieceSize
      if (next < bytes.length) decoder.write(bytes.subarray(at, next), () => feed(next))
      else decoder.end(bytes.subarray(at))
    }
    feed(0)
    return Effect.sync(() => decoder.destroy())
  }).pipe(
    Effect.timeoutFail({ duration: timeout, onTimeout: () => encodingFault(new CapReached({ bytes: bytes.length })) })
  )

/**
 * Decodes the `Content-Encoding` of a whole body. Limits the result of each step to `maxBytes` and to a plausible
 * ratio. Decodes small bodies on the calling thread: 128 KiB of HTML take a millisecond.
 */
export const decompress = (
  header: string,
  bytes: Uint8Array,
  { maxBytes, past }: Cap
): Effect.Effect<Uint8Array, EncodingFault> => {
  const chosen = codingsOf(header)
  if (chosen === null) return encodingFault(new UnknownEncoding({ encoding: header }))
  const plausible = Math.min(maxBytes, maxDecodedBytes(bytes))
  return Effect.reduce(chosen, bytes, (whole, coding) => {
    // An empty body is valid under any coding.
    if (whole.length === 0) return Effect.succeed(whole)
    const format = coding(whole)
    // The synchronous decoder returns no partial result when the output is too large.
    return whole.length <= format.maxSyncBytes && past === "fault"
      ? decodeSync(format, whole, plausible)
      : decodeStream(format, whole, { maxBytes: plausible, past })
  })
}
