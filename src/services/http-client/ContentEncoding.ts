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

/** Servers stack at most two by accident; more is an attack. */
const maxStacked = 3

/** More than gzip can do (1032), so that it is no page of anybody's: past its first mebibyte such a body is a bomb. */
const greatestRatio = 1_100
/** Bytes that anything may become. */
export const unsuspicious = 1024 * 1024

/** Bytes that these may become, in each step of decompression. */
export const mostOf = ({ length }: Uint8Array): number => Math.max(unsuspicious, length * greatestRatio)

/** A format as zlib undoes it, at once or by pieces; `flush` is how what was cut off is ended. */
interface Format {
  readonly whole: (bytes: Uint8Array, options: ZlibOptions) => Uint8Array
  readonly pieces: (options: ZlibOptions) => Transform
  readonly flush: number
  /**
   * Bytes that are undone at once, which nobody can interrupt: most pages are smaller. Brotli made for it, in blocks of
   * a byte each, takes 0.8 microseconds for each of them; Deflate has nothing like it.
   */
  readonly atOnce: number
}

const deflate = { flush: constants.Z_SYNC_FLUSH, atOnce: 512 * 1024 } as const
const gzip: Format = { ...deflate, whole: gunzipSync, pieces: createGunzip }
const zlib: Format = { ...deflate, whole: inflateSync, pieces: createInflate }
const raw: Format = { ...deflate, whole: inflateRawSync, pieces: createInflateRaw }
const brotli: Format = {
  whole: brotliDecompressSync,
  pieces: createBrotliDecompress,
  flush: constants.BROTLI_OPERATION_FLUSH,
  atOnce: 64 * 1024
}

type Coding = (bytes: Uint8Array) => Format

/** The lower four bits of its first byte are the method of zlib's format (RFC 1950, 2.2). */
const isZlib = ([first = 0]: Uint8Array): boolean => (first & 0x0f) === 8

const codings = new Map<string, Coding>([
  ["gzip", () => gzip],
  ["x-gzip", () => gzip],
  // It means zlib's format (RFC 9110, 8.4.1.2) but is raw from many servers.
  ["deflate", (bytes) => (isZlib(bytes) ? zlib : raw)],
  ["br", () => brotli]
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

/** What a body may have, as it comes and after each step of decompression. */
export interface Cap {
  readonly maxBytes: number
  /** What becomes of a larger one, and of one that ends in the middle of its encoding: a fault, or its first part. */
  readonly past: "fault" | "cut"
}

const chunkSize = 128 * 1024

/** Bytes of a piece. */
const pieceSize = 64 * 1024

/** For a step of what is larger; 10 MiB that were not made for it take a tenth of it at most. */
const patience = "2 seconds"

const undoWhole = ({ whole }: Format, bytes: Uint8Array, most: number) =>
  Effect.try({
    try: () => whole(bytes, { chunkSize, maxOutputLength: most }),
    catch: (error) => encodingFault(codeOf(error) === "ERR_BUFFER_TOO_LARGE" ? new CapReached({ bytes: most }) : error)
  })

/** On a thread of Node's, which is left alone between two pieces. */
const undoPieces = ({ flush, pieces }: Format, bytes: Uint8Array, { maxBytes, past }: Cap) =>
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
    Effect.timeoutFail({ duration: patience, onTimeout: () => encodingFault(new CapReached({ bytes: bytes.length })) })
  )

/**
 * A whole body as it was before `Content-Encoding`. No step of that may give more than is allowed, nor more than any page
 * grows to. What is small is undone on the calling thread, 128 KiB of HTML in a millisecond.
 */
export const decompress = (
  header: string,
  bytes: Uint8Array,
  { maxBytes, past }: Cap
): Effect.Effect<Uint8Array, EncodingFault> => {
  const chosen = codingsOf(header)
  if (chosen === null) return encodingFault(new UnknownEncoding({ encoding: header }))
  const plausible = Math.min(maxBytes, mostOf(bytes))
  return Effect.reduce(chosen, bytes, (whole, coding) => {
    // There is nothing in an empty body, under any coding.
    if (whole.length === 0) return Effect.succeed(whole)
    const format = coding(whole)
    // At once there is nothing of what is too large.
    return whole.length <= format.atOnce && past === "fault"
      ? undoWhole(format, whole, plausible)
      : undoPieces(format, whole, { maxBytes: plausible, past })
  })
}
