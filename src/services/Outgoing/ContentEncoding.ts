import { Transform, type TransformCallback } from "node:stream"
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from "node:zlib"

export const acceptEncoding = "gzip, deflate, br"

/** Servers stack at most two by accident; more is an attack. */
const maxStacked = 3

/**
 * A decoder that is made for the first byte: there is none in an empty body, which is fine under any encoding, and
 * `deflate` means zlib's format (RFC 9110, 8.4.1.2) but is raw from many servers.
 */
class Decoder extends Transform {
  readonly #make: (first: number) => Transform
  #inner: Transform | null = null

  constructor(make: (first: number) => Transform) {
    super()
    this.#make = make
  }

  #started(first: number): Transform {
    if (this.#inner !== null) return this.#inner
    const inner = this.#make(first)
    // A bomb goes off no faster than somebody reads it.
    inner.on("data", (chunk) => void (this.push(chunk) || inner.pause()))
    inner.on("error", (error) => this.destroy(error))
    this.#inner = inner
    return inner
  }

  override _transform(chunk: Uint8Array, encoding: BufferEncoding, callback: TransformCallback): void {
    const first = chunk[0]
    if (first === undefined) return callback()
    this.#started(first).write(chunk, encoding, () => callback())
  }

  override _read(size: number): void {
    this.#inner?.resume()
    super._read(size)
  }

  override _flush(callback: TransformCallback): void {
    // It has ended already where something follows the compressed stream.
    if (this.#inner === null || this.#inner.readableEnded) return callback()
    this.#inner.once("end", () => callback())
    this.#inner.end()
  }

  override _destroy(error: Error | null, callback: (error?: Error | null) => void): void {
    this.#inner?.destroy()
    callback(error)
  }
}

const isZlib = (first: number): boolean => (first & 0x0f) === 8

/** Each piece is a turn of the event loop and of a thread: large bodies take few. */
const options = { chunkSize: 128 * 1024 } as const

const makers = new Map<string, (first: number) => Transform>([
  ["gzip", () => createGunzip(options)],
  ["x-gzip", () => createGunzip(options)],
  ["deflate", (first) => (isZlib(first) ? createInflate(options) : createInflateRaw(options))],
  ["br", () => createBrotliDecompress(options)]
])

/** `Content-Encoding` as the order to undo; `identity` is nothing. */
const encodingsOf = (header: string): ReadonlyArray<string> =>
  header
    .toLowerCase()
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "" && part !== "identity")
    .reverse()

/** Streams that undo a `Content-Encoding`, first to last; null for one that is not known or too many of them. */
export const decoders = (header: string): ReadonlyArray<Transform> | null => {
  const chosen = encodingsOf(header).map((name) => makers.get(name))
  const known = chosen.filter((make) => make !== undefined)
  return known.length < chosen.length || known.length > maxStacked ? null : known.map((make) => new Decoder(make))
}
