import { Effect } from "effect"
import { existsSync, readFileSync } from "node:fs"

/** Whether the time that a step of reading a document may take is up. */
export type IsTimeUp = () => boolean

/** Starts the time of a step, in milliseconds. */
export type TimeLimits = (milliseconds: number) => IsTimeUp

/** Limits by a clock that counts milliseconds. */
const limitsBy =
  (now: () => number): TimeLimits =>
  (milliseconds) => {
    const end = now() + milliseconds
    return () => now() >= end
  }

/** Nanoseconds that the calling thread has been on a processor come first (Linux, Documentation/scheduler/sched-stats). */
const ownTime = "/proc/thread-self/schedstat"

/** Milliseconds between two looks at the file, which take 20 microseconds each. */
const lookEvery = 4

/** Milliseconds that the calling thread has worked, without those in which it waited for its turn. */
const ownClock = (now: () => number): (() => number) => {
  let [lookedAt, worked] = [Number.NEGATIVE_INFINITY, 0]
  return () => {
    const at = now()
    if (at - lookedAt < lookEvery) return worked
    lookedAt = at
    worked = Number(readFileSync(ownTime, "latin1").split(" ", 1)[0]) / 1e6
    return worked
  }
}

/**
 * Limits of one document's steps on the calling thread. They count its own work where the system tells it: what a busy
 * machine does besides must not cost a page its text. Elsewhere they count the time that goes by.
 */
export const timeLimits: Effect.Effect<TimeLimits> = Effect.map(Effect.clock, (clock) => {
  const now = () => clock.unsafeCurrentTimeMillis()
  return limitsBy(existsSync(ownTime) ? ownClock(now) : now)
})

export const noTimeLimits: TimeLimits = () => () => false
