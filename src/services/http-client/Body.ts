import { Effect } from "effect"
import { finished, type Readable } from "node:stream"
import { bodyFault, CapReached, type HttpClientFault, UnknownEncoding } from "./Fault.ts"
import { type Cap, isKnown } from "./ContentEncoding.ts"

/** Smaller chunks are copied: a chunk of one byte would retain a buffer of 64 KiB. */
const small = 8 * 1024
const slabSize = 64 * 1024

/** Collects chunks of bytes and concatenates them once, at the end. */
class ChunkBuffer {
  readonly #pieces: Array<Uint8Array> = []
  #slab = Buffer.alloc(0)
  #used = 0
  #count = 0
  length = 0

  add(piece: Uint8Array) {
    this.#count++
    this.length += piece.length
    if (piece.length < small) return this.#copy(piece)
    this.#close()
    this.#pieces.push(piece)
  }

  #copy(piece: Uint8Array) {
    if (this.#used + piece.length > this.#slab.length) {
      this.#close()
      this.#slab = Buffer.allocUnsafe(slabSize)
      this.#used = 0
    }
    this.#slab.set(piece, this.#used)
    this.#used += piece.length
  }

  /** Appends the used part of the slab to the pieces. */
  #close() {
    if (this.#used > 0) this.#pieces.push(this.#slab.subarray(0, this.#used))
    this.#slab = this.#slab.subarray(this.#used)
    this.#used = 0
  }

  /** Each chunk costs a turn of the event loop, so a large number of tiny chunks is an attack. */
  get isFragmented(): boolean {
    return this.#count > 10_000 && this.length < 64 * this.#count
  }

  get bytes(): Uint8Array {
    this.#close()
    return Buffer.concat(this.#pieces)
  }
}

export interface Body {
  readonly stream: Readable
  /** `Content-Encoding`; empty for none. */
  readonly encoding: string
  /** Bytes on the wire according to `Content-Length`; null for none. */
  readonly length: number | null
  readonly status: number
}

/** Size from which a body is large, in bytes. The concurrency of large bodies is limited to save memory. */
const large = 1024 * 1024

/** Limits the concurrency of reading the remainder of large bodies. */
export type ConcurrencyLimit = <A, E>(effect: Effect.Effect<A, E>) => Effect.Effect<A, E>

/** Reads until the body is complete, or cut if the cap allows it. Pauses the stream after more than `upTo` bytes. */
const readOn = ({ status, stream }: Body, gathered: ChunkBuffer, { maxBytes, past }: Cap, upTo: number) =>
  Effect.async<"whole" | "large", HttpClientFault>((resume) => {
    const leave = (answer: Effect.Effect<"whole" | "large", HttpClientFault>) => {
      stopWatching()
      stream.off("data", take)
      resume(answer)
    }
    const take = (piece: Uint8Array) => {
      gathered.add(piece)
      const { isFragmented: isCrumbled, length } = gathered
      if (length > maxBytes && past === "cut") leave(Effect.succeed("whole"))
      else if (length > maxBytes || isCrumbled) leave(bodyFault(new CapReached({ bytes: length }), status))
      else if (length > upTo) {
        stream.pause()
        leave(Effect.succeed("large"))
      }
    }
    const stopWatching = finished(stream, (error) => leave(error ? bodyFault(error, status) : Effect.succeed("whole")))
    stream.on("data", take).resume()
  })

/** Fails when the stream fails, even if nothing reads the stream. */
const failureOf = ({ status, stream }: Body) =>
  Effect.async<never, HttpClientFault>((resume) => {
    const stopWatching = finished(stream, (error) => {
      if (error) resume(bodyFault(error, status))
    })
    return Effect.sync(stopWatching)
  })

/**
 * Reads the whole body without decoding it. Fails when the body is truncated. A large body waits for `room` after its
 * first mebibyte. The caller destroys the stream.
 */
export const readBody = (body: Body, cap: Cap, room: ConcurrencyLimit): Effect.Effect<Uint8Array, HttpClientFault> =>
  Effect.suspend(() => {
    const { encoding, length, status } = body
    if (!isKnown(encoding)) return bodyFault(new UnknownEncoding({ encoding }), status)
    if (cap.past === "fault" && length !== null && length > cap.maxBytes) {
      return bodyFault(new CapReached({ bytes: length }), status)
    }
    const gathered = new ChunkBuffer()
    const inRoom = Effect.suspend(() => Effect.raceFirst(room(readOn(body, gathered, cap, Infinity)), failureOf(body)))
    return readOn(body, gathered, cap, large).pipe(
      Effect.flatMap((state) => (state === "whole" ? Effect.void : inRoom)),
      Effect.map(() => gathered.bytes)
    )
  })
