import { Deferred, Effect, Fiber } from "effect"
import { finished, type Readable } from "node:stream"
import { bodyFault, CapReached, type OutgoingFault, UnknownEncoding } from "./Fault.ts"
import { isKnown } from "./ContentEncoding.ts"

/** Smaller pieces are copied: one of a byte would hold on to a buffer of 64 KiB. */
const small = 8 * 1024
const slabSize = 64 * 1024

/** Bytes as they come, to be put together once. */
class Gathered {
  readonly #pieces: Array<Uint8Array> = []
  #slab = Buffer.alloc(0)
  #used = 0
  length = 0

  add(piece: Uint8Array) {
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

  get bytes(): Uint8Array {
    this.#close()
    return Buffer.concat(this.#pieces)
  }
}

/** Pieces are turns of the event loop: many of them that bring next to nothing are an attack. */
const isCrumbled = (pieces: number, bytes: number): boolean => pieces > 10_000 && bytes < 64 * pieces

export interface Body {
  readonly stream: Readable
  /** `Content-Encoding`; empty for none. */
  readonly encoding: string
  /** Bytes on the wire as `Content-Length` says; null for none. */
  readonly length: number | null
  readonly status: number
}

export interface Cap {
  readonly maxBytes: number
  /** What becomes of a body that is larger: a fault, or its first part, up to the chunk that went past. */
  readonly past: "fault" | "cut"
}

/** From here on a body is large: few are read at once, so that many together do not use up the memory. */
const large = 1024 * 1024

/** Runs the reading of a large body's rest when there is room for it. */
export type Room = <A, E>(effect: Effect.Effect<A, E>) => Effect.Effect<A, E>

/**
 * The whole body, as it came. One that is cut short is a fault. A large one waits for room in the middle of it. The
 * stream is the caller's to destroy.
 */
export const readBody = (
  { encoding, length, status, stream }: Body,
  { maxBytes, past }: Cap,
  room: Room
): Effect.Effect<Uint8Array, OutgoingFault> =>
  Effect.gen(function* () {
    if (!isKnown(encoding)) return yield* bodyFault(new UnknownEncoding({ encoding }), status)
    if (past === "fault" && length !== null && length > maxBytes) {
      return yield* bodyFault(new CapReached({ bytes: length }), status)
    }
    const hasGrown = yield* Deferred.make<void>()
    const state = { isIn: false, pieces: 0 }
    const gathered = new Gathered()
    const whole = Effect.async<Uint8Array, OutgoingFault>((resume) => {
      const end = () => resume(Effect.sync(() => gathered.bytes))
      stream.on("data", (piece: Uint8Array) => {
        gathered.add(piece)
        const isTooLarge = gathered.length > maxBytes
        if (isTooLarge || isCrumbled(++state.pieces, gathered.length)) {
          if (isTooLarge && past === "cut") end()
          else resume(bodyFault(new CapReached({ bytes: gathered.length }), status))
          stream.destroy()
        } else if (gathered.length > large && !state.isIn) {
          stream.pause()
          Deferred.unsafeDone(hasGrown, Effect.void)
        }
      })
      finished(stream, (error) => (error ? resume(bodyFault(error, status)) : end()))
      return Effect.sync(() => stream.destroy())
    })
    const reading = yield* Effect.fork(whole)
    const rest = Effect.zipRight(
      Deferred.await(hasGrown),
      room(
        Effect.suspend(() => {
          state.isIn = true
          stream.resume()
          return Fiber.join(reading)
        })
      )
    )
    return yield* Effect.raceFirst(Fiber.join(reading), rest).pipe(Effect.onInterrupt(() => Fiber.interrupt(reading)))
  })
