import { windowSeconds } from "../domain/RateLimits.ts"
import { type Budget } from "../services/rate-limiter/RateLimiter.ts"

/** The three `X-RateLimit-*` headers, and the pair of the IETF draft "RateLimit header fields for HTTP". */
export const budgetHeaders = ({
  exceeded,
  group,
  limit,
  remaining,
  resetAt,
  resetIn
}: Budget): Record<string, string> => ({
  "x-ratelimit-limit": String(limit),
  "x-ratelimit-remaining": String(remaining),
  "x-ratelimit-reset": String(resetAt),
  ratelimit: `"${group}";r=${remaining};t=${resetIn}`,
  "ratelimit-policy": `"${group}";q=${limit};w=${windowSeconds}`,
  ...(exceeded === null ? {} : { "retry-after": String(exceeded.retry_after) })
})
