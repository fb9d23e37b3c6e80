import { type Pace } from "../../Engine.ts"

/** What is left of an engine's pace; below 0 where tokens to come are promised already. */
export interface Bucket {
  readonly tokens: number
  /** When that was so, in milliseconds since 1970. */
  readonly at: number
}

/** So that rounding does not keep a token back that is due to the millisecond. */
const rounding = 1e-9

const millisPerToken = ({ perMinute }: Pace): number => 60_000 / perMinute

/** The bucket as it is now; full where none was taken yet. */
const refilled = (bucket: Bucket | null, pace: Pace, now: number): Bucket =>
  bucket === null
    ? { tokens: pace.burst, at: now }
    : {
        tokens: Math.min(pace.burst, bucket.tokens + Math.max(0, now - bucket.at) / millisPerToken(pace)),
        at: now
      }

/** Milliseconds until a token can be had; 0 for now. */
export const waitFor = (bucket: Bucket | null, pace: Pace, now: number): number => {
  const { tokens } = refilled(bucket, pace, now)
  return tokens + rounding >= 1 ? 0 : Math.ceil((1 - tokens) * millisPerToken(pace) - rounding)
}

/** Takes a token, or promises one that is still to come. */
export const take = (bucket: Bucket | null, pace: Pace, now: number): Bucket => {
  const { at, tokens } = refilled(bucket, pace, now)
  return { tokens: tokens - 1, at }
}

/** Gives back a token that no request was sent for. */
export const giveBack = (bucket: Bucket | null, pace: Pace, now: number): Bucket => {
  const { at, tokens } = refilled(bucket, pace, now)
  return { tokens: Math.min(pace.burst, tokens + 1), at }
}
