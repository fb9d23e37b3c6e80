/** Whether the time that a step of reading a document may take is up. */
export type IsTimeUp = () => boolean

/** Starts the time of a step, in milliseconds. */
export type TimeLimits = (milliseconds: number) => IsTimeUp

/** Limits by a clock that counts milliseconds. */
export const timeLimits =
  (now: () => number): TimeLimits =>
  (milliseconds) => {
    const end = now() + milliseconds
    return () => now() >= end
  }

export const noTimeLimits: TimeLimits = () => () => false
