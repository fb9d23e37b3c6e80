import { Deferred, Effect, Fiber } from "effect"
import { pipeline, type Readable, Transform, Writable } from "node:stream"
import { bodyFault, CapReached, type OutgoingFault, UnknownEncoding } from "./Fault.ts"
import { decoders } from "./ContentEncoding.ts"

/** More than gzip can do (1032), so that it is no page of anybody's: past its first mebibyte such a body is a bomb. */
const greatestRatio = 1_100

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

/** Passes chunks on and fails past the cap, so that a bomb stops the stream that feeds it. */
const meter = (maxBytes: number, count: (bytes: number) => boolean): Transform => {
  let bytes = 0
  return new Transform({
    transform(chunk: Uint8Array, _encoding, callback) {
      bytes += chunk.length
      if (bytes > maxBytes || !count(bytes)) callback(new CapReached({ bytes }))
      else callback(null, chunk)
    }
  })
}

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
 * The whole body, decompressed. The cap holds for the bytes on the wire and for what every decoder gives. A body that
 * is cut short, on the wire or inside its compression, is a fault. A large one waits for room in the middle of it. The
 * stream is the caller's to destroy.
 */
export const readBody = (body: Body, { maxBytes, past }: Cap, room: Room): Effect.Effect<Uint8Array, OutgoingFault> =>
  Effect.gen(function* () {
    const undo = decoders(body.encoding)
    if (undo === null) return yield* bodyFault(new UnknownEncoding({ encoding: body.encoding }), body.status)
    if (past === "fault" && body.length !== null && body.length > maxBytes) {
      return yield* bodyFault(new CapReached({ bytes: body.length }), body.status)
    }
    const hasGrown = yield* Deferred.make<void>()
    const state: { goOn: (() => void) | null; isIn: boolean } = { goOn: null, isIn: false }
    const gathered = new Gathered()
    const sink = new Writable({
      write(chunk: Uint8Array, _encoding, callback) {
        gathered.add(chunk)
        if (gathered.length <= large || state.isIn) return callback()
        state.goOn = callback
        Deferred.unsafeDone(hasGrown, Effect.void)
      }
    })
    const wire = { bytes: 0, pieces: 0 }
    const isPlausible = (bytes: number): boolean => bytes <= large || bytes <= wire.bytes * greatestRatio
    const steps = [
      meter(maxBytes, (bytes) => {
        wire.bytes = bytes
        return !isCrumbled(++wire.pieces, bytes)
      }),
      ...undo.flatMap((decoder) => [decoder, meter(maxBytes, isPlausible)])
    ]
    const whole = Effect.async<Uint8Array, OutgoingFault>((resume) => {
      pipeline([body.stream, ...steps, sink], (error) => {
        const isWhole = !error || (past === "cut" && error instanceof CapReached)
        resume(isWhole ? Effect.succeed(gathered.bytes) : bodyFault(error, body.status))
      })
      return Effect.sync(() => body.stream.destroy())
    })
    const reading = yield* Effect.fork(whole)
    const rest = Effect.zipRight(
      Deferred.await(hasGrown),
      room(
        Effect.suspend(() => {
          state.isIn = true
          state.goOn?.()
          return Fiber.join(reading)
        })
      )
    )
    return yield* Effect.raceFirst(Fiber.join(reading), rest).pipe(Effect.onInterrupt(() => Fiber.interrupt(reading)))
  })
