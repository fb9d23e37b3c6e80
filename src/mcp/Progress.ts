import { Effect, Ref } from "effect"

/** Receives the progress of a call: parts done, parts in total, and a description of the last part. */
export type Report = (done: number, total: number, part: string) => Effect.Effect<void>

export const noReport: Report = () => Effect.void

/** Returns a function that reports each finished part with the running count. */
export const counted = (report: Report, total: number): Effect.Effect<(part: string) => Effect.Effect<void>> =>
  Effect.map(
    Ref.make(0),
    (done) => (part) =>
      Effect.flatMap(
        Ref.updateAndGet(done, (sum) => sum + 1),
        (sum) => report(sum, total, part)
      )
  )
