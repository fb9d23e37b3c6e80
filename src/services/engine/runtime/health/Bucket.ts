import { type Pace } from "../../Engine.ts"

/** Tokens left in an engine's rate limit. Negative when future tokens are already taken. */
export interface Bucket {
  readonly tokens: number
  /** Time of this balance, in milliseconds since 1970. */
  readonly at: number
}

/** Tolerance for floating-point rounding, so that a token is available in the millisecond it is due. */
const rounding = 1e-9

const millisPerToken = ({ perMinute }: Pace): number => 60_000 / perMinute

/** The bucket refilled up to `now`; a full bucket when no token was taken yet. */
const refilled = (bucket: Bucket | null, pace: Pace, now: number): Bucket =>
  bucket === null
    ? { tokens: pace.burst, at: now }
    : {
        tokens: Math.min(pace.burst, bucket.tokens + Math.max(0, now - bucket.at) / millisPerToken(pace)),
        at: now
      }

/** Milliseconds until a token is available; 0 for now. */
export const waitFor = (bucket: Bucket | null, pace: Pace, now: number): number => {
  const { tokens } = refilled(bucket, pace, now)
  return tokens + rounding >= 1 ? 0 : Math.ceil((1 - tokens) * millisPerToken(pace) - rounding)
}

/** Takes a token, or reserves a future one. */
export const take = (bucket: Bucket | null, pace: Pace, now: number): Bucket => {
  const { at, tokens } = refilled(bucket, pace, now)
  return { tokens: tokens - 1, at }
}

/** Returns the token of a request that was not sent. */
export const giveBack = (bucket: Bucket | null, pace: Pace, now: number): Bucket => {
  const { at, tokens } = refilled(bucket, pace, now)
  return { tokens: Math.min(pace.burst, tokens + 1), at }
}
