import { Effect } from "effect"
import { isMainThread } from "node:worker_threads"
import { constants, inflateSync } from "node:zlib"
import { type IsTimeUp } from "../../dom/TimeLimit.ts"

/**
 * Maximum size of a decoded stream (PDF 32000-1, 7.3.8), in bytes. Text pages have some 10,000, fonts up to a million.
 */
const streamBudget = 4 * 1024 * 1024

/** Maximum size of all decoded streams of a page, including fonts, in bytes. */
const pageBudget = 4 * streamBudget

/** Limits on the bytes and the time of decoding while a document is read. */
export interface Bounds {
  /** Reads a page with a byte budget of its own. Ends with the content read so far when the time is up. */
  readonly page: <A>(isTimeUp: IsTimeUp, read: (isTimeUp: IsTimeUp) => Promise<A>) => Promise<A>
  readonly wasHit: () => boolean
}

/** Inflates as much of a zlib stream as fits, even when its end is missing. Throws when the stream is broken. */
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
  /** Disables the clock guard during the check, since the check reads the clock as well. */
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
  /** Replaces `DecompressionStream`. pdf.js writes a whole stream to it, and has its own decoders for other formats. */
  const decompression = (format: unknown) => {
    if (format !== "deflate") throw new TypeError("Only deflate is bounded")
    return new TransformStream<Uint8Array, Uint8Array>({
      transform: (bytes, controller) => {
        const budget = unguarded(state.isTimeUp) ? 0 : Math.min(streamBudget, state.left)
        const { data, isCut } = inflated(bytes, budget)
        // Otherwise, thousands of streams that exceed the budget would each be inflated.
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
 * Bounds what pdf.js decodes, for the lifetime of the scope. pdf.js has no setting for this. Its decoded data is
 * outside of the heap, where the `resourceLimits` of a thread do not apply, and no other code runs while it reads a
 * page. For this reason `DecompressionStream`, `Uint8Array` and `Date.now` are replaced; pdf.js calls `Date.now` every
 * 100 operators. An error that they throw ends the stream or the page, like an error in the document. Applies in a
 * worker only, where nothing else runs.
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
