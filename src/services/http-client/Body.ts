import { Effect } from "effect"
import { finished, type Readable } from "node:stream"
import { bodyFault, CapReached, type HttpClientFault, UnknownEncoding } from "./Fault.ts"
import { type Cap, isKnown } from "./ContentEncoding.ts"

/** Smaller pieces are copied: one of a byte would hold on to a buffer of 64 KiB. */
const small = 8 * 1024
const slabSize = 64 * 1024

/** Bytes as they come, to be put together once. */
class Gathered {
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

  /** What the slab holds takes its place among the pieces. */
  #close() {
    if (this.#used > 0) this.#pieces.push(this.#slab.subarray(0, this.#used))
    this.#slab = this.#slab.subarray(this.#used)
    this.#used = 0
  }

  /** Pieces are turns of the event loop: many of them that bring next to nothing are an attack. */
  get isCrumbled(): boolean {
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
  /** Bytes on the wire as `Content-Length` says; null for none. */
  readonly length: number | null
  readonly status: number
}

/** From here on a body is large: few are read at once, so that many together do not use up the memory. */
const large = 1024 * 1024

/** Runs the reading of a large body's rest when there is room for it. */
export type Room = <A, E>(effect: Effect.Effect<A, E>) => Effect.Effect<A, E>

/** Reads on until the body is whole (or cut, where that will do), or has more than `upTo` bytes, and stops there. */
const readOn = ({ status, stream }: Body, gathered: Gathered, { maxBytes, past }: Cap, upTo: number) =>
  Effect.async<"whole" | "large", HttpClientFault>((resume) => {
    const leave = (answer: Effect.Effect<"whole" | "large", HttpClientFault>) => {
      stopWatching()
      stream.off("data", take)
      resume(answer)
    }
    const take = (piece: Uint8Array) => {
      gathered.add(piece)
      const { isCrumbled, length } = gathered
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

/** Fails when the stream does, read or not. */
const failureOf = ({ status, stream }: Body) =>
  Effect.async<never, HttpClientFault>((resume) => {
    const stopWatching = finished(stream, (error) => {
      if (error) resume(bodyFault(error, status))
    })
    return Effect.sync(stopWatching)
  })

/**
 * The whole body, as it came. One that is cut short is a fault. A large one waits for room in the middle of it. The
 * stream is the caller's to destroy.
 */
export const readBody = (body: Body, cap: Cap, room: Room): Effect.Effect<Uint8Array, HttpClientFault> =>
  Effect.suspend(() => {
    const { encoding, length, status } = body
    if (!isKnown(encoding)) return bodyFault(new UnknownEncoding({ encoding }), status)
    if (cap.past === "fault" && length !== null && length > cap.maxBytes) {
      return bodyFault(new CapReached({ bytes: length }), status)
    }
    const gathered = new Gathered()
    const inRoom = Effect.suspend(() => Effect.raceFirst(room(readOn(body, gathered, cap, Infinity)), failureOf(body)))
    return readOn(body, gathered, cap, large).pipe(
      Effect.flatMap((state) => (state === "whole" ? Effect.void : inRoom)),
      Effect.map(() => gathered.bytes)
    )
  })
