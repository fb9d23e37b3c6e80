import { type RateLimitGroup } from "./Failure.ts"

/** Length of every window (contract, section 4). */
export const windowSeconds = 60

/** Requests per window and client (specification, "Rate limits"). */
export const rateLimits = {
  production: { search: 30, unified: 10, content: 30, info: 60 },
  development: { search: 100, unified: 50, content: 100, info: 200 }
} as const satisfies Record<"production" | "development", Record<RateLimitGroup, number>>
