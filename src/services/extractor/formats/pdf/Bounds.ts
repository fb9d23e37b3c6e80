import { Effect } from "effect"
import { isMainThread } from "node:worker_threads"
import { constants, inflateSync } from "node:zlib"
import { type IsTimeUp } from "../../dom/TimeLimit.ts"

/** Bytes that a stream (PDF 32000-1, 7.3.8) may be of, decoded: pages of text have some 10,000, fonts up to a million. */
const streamBudget = 4 * 1024 * 1024

/** What the streams of a page, of fonts as well, may be of together. */
const pageBudget = 4 * streamBudget

/** Bounds of what is decoded, and for how long, while a document is read. */
export interface Bounds {
  /** Reads a page, which has its budget of bytes and ends, with what was read, when time is up. */
  readonly page: <A>(isTimeUp: IsTimeUp, read: (isTimeUp: IsTimeUp) => Promise<A>) => Promise<A>
  readonly wasHit: () => boolean
}

/** As much of a zlib stream as fits, in part or where its end is missing. Throws where it is broken. */
const inflated = (bytes: Uint8Array, budget: number): { readonly data: Uint8Array; readonly isCut: boolean } => {
  if (budget <= 0) return { data: Buffer.alloc(0), isCut: bytes.length > 0 }
  let length = bytes.length
  for (;;) {
    try {
      const data = inflateSync(bytes.subarray(0, length), {
        maxOutputLength: budget,
        finishFlush: constants.Z_SYNC_FLUSH
      })
      return { data, isCut: length < bytes.length }
    } catch (error) {
      if (!(error instanceof RangeError)) throw error
      length >>= 1
      if (length < 8) return { data: Buffer.alloc(0), isCut: true }
    }
  }
}

const never: IsTimeUp = () => false

const makeBounds = (now: () => number) => {
  const state = { left: pageBudget, isTimeUp: never, isHit: false }
  /** The limit looks at the clock, too. */
  const unguarded = (isTimeUp: IsTimeUp): boolean => {
    state.isTimeUp = never
    const isUp = isTimeUp()
    state.isTimeUp = isTimeUp
    return isUp
  }
  const page: Bounds["page"] = async (isTimeUp, read) => {
    Object.assign(state, { left: pageBudget, isTimeUp })
    try {
      return await read(() => unguarded(isTimeUp))
    } finally {
      state.isTimeUp = never
    }
  }
  const bounds: Bounds = { page, wasHit: () => state.isHit }
  /** Stands for one that pdf.js writes a whole stream to; for other formats it has decoders of its own. */
  const decompression = (format: unknown) => {
    if (format !== "deflate") throw new TypeError("Only deflate is bounded")
    return new TransformStream<Uint8Array, Uint8Array>({
      transform: (bytes, controller) => {
        const budget = unguarded(state.isTimeUp) ? 0 : Math.min(streamBudget, state.left)
        const { data, isCut } = inflated(bytes, budget)
        // Thousands of streams that do not fit would each be tried.
        state.left = isCut && budget < streamBudget ? 0 : state.left - data.length
        state.isHit ||= isCut
        controller.enqueue(data)
      }
    })
  }
  const allocating = (length: unknown) => {
    if (typeof length !== "number" || length <= 2 * streamBudget) return
    state.isHit = true
    throw new RangeError("A stream is too large")
  }
  const time = () => {
    if (!unguarded(state.isTimeUp)) return now()
    state.isHit = true
    throw new Error("Time is up")
  }
  return { allocating, bounds, decompression, time }
}

const unbounded: Bounds = { page: (isTimeUp, read) => read(isTimeUp), wasHit: () => false }

/**
 * Bounds what pdf.js decodes, for the scope's time. It has no setting for it, what it decodes to lies outside of the
 * heap, where a thread's `resourceLimits` do not reach, and while it reads a page it lets nothing else run. So its ways
 * there are replaced: `DecompressionStream`, `Uint8Array`, and `Date.now`, which it asks every 100 operators. What
 * these throw ends the stream or page, as an error in the document does. Only in a worker, where nothing else runs.
 */
export const boundDecoding = Effect.suspend(() => {
  if (isMainThread) return Effect.succeed(unbounded)
  const own = { DecompressionStream, Uint8Array }
  const { now } = Date
  const { allocating, bounds, decompression, time } = makeBounds(now)
  return Effect.acquireRelease(
    Effect.sync(() => {
      globalThis.DecompressionStream = new Proxy(own.DecompressionStream, {
        construct: (_, [format]) => decompression(format)
      })
      globalThis.Uint8Array = new Proxy(own.Uint8Array, {
        construct: (target, parameters, asked) => {
          allocating(parameters[0])
          return Reflect.construct(target, parameters, asked)
        }
      })
      Date.now = time
      return bounds
    }),
    () => Effect.sync(() => Object.assign(globalThis, own) && Object.assign(Date, { now }))
  )
})
