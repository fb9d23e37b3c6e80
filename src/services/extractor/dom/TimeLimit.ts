import { Effect } from "effect"
import { existsSync, readFileSync } from "node:fs"

/** Returns whether the time limit of an extraction step has passed. */
export type IsTimeUp = () => boolean

/** Starts the time limit of a step, in milliseconds. */
export type TimeLimits = (milliseconds: number) => IsTimeUp

/** Creates limits from a clock that returns milliseconds. */
const limitsBy =
  (now: () => number): TimeLimits =>
  (milliseconds) => {
    const end = now() + milliseconds
    return () => now() >= end
  }

/**
 * The first field is the time that the calling thread has spent on a processor, in nanoseconds (Linux,
 * Documentation/scheduler/sched-stats).
 */
const ownTime = "/proc/thread-self/schedstat"

/** Milliseconds between two reads of the file. One read takes 20 microseconds. */
const lookEvery = 4

/** Returns the processor time of the calling thread in milliseconds, without the time it waited to be scheduled. */
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
 * Limits for the steps of one document on the calling thread. They count processor time where the system reports it, so
 * that other load on the machine does not truncate a page. Elsewhere they count elapsed time.
 */
export const timeLimits: Effect.Effect<TimeLimits> = Effect.map(Effect.clock, (clock) => {
  const now = () => clock.unsafeCurrentTimeMillis()
  return limitsBy(existsSync(ownTime) ? ownClock(now) : now)
})

export const noTimeLimits: TimeLimits = () => () => false
