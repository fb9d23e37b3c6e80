import { Effect, Ref } from "effect"

/** Hears how far a call is: how many of its parts are done, out of how many, and what the last one was. */
export type Report = (done: number, total: number, part: string) => Effect.Effect<void>

export const unheard: Report = () => Effect.void

/** Counts parts as they are done. */
export const counted = (report: Report, total: number): Effect.Effect<(part: string) => Effect.Effect<void>> =>
  Effect.map(
    Ref.make(0),
    (done) => (part) =>
      Effect.flatMap(
        Ref.updateAndGet(done, (sum) => sum + 1),
        (sum) => report(sum, total, part)
      )
  )
