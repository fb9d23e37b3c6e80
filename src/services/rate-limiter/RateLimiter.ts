import { Clock, Context, Effect, Layer } from "effect"
import { RateLimitExceeded, type RateLimitGroup } from "../../domain/Failure.ts"
import { rateLimits, windowSeconds } from "../../domain/RateLimits.ts"
import { RateLimiterStore } from "./Store.ts"
import { Settings } from "../settings/Settings.ts"

/** The state of a client's budget in one group. */
export interface Budget {
  readonly group: RateLimitGroup
  readonly limit: number
  readonly remaining: number
  /** Unix seconds at which the window closes. */
  readonly resetAt: number
  /** Whole seconds until `resetAt`, at least 1. */
  readonly resetIn: number
  /** The error for a request beyond the budget; null within it. */
  readonly exceeded: RateLimitExceeded | null
}

/**
 * Budgets by client and endpoint group, in fixed windows. A window opens at the first request of a client (contract,
 * section 4).
 */
export class RateLimiter extends Context.Tag("quarry/RateLimiter")<
  RateLimiter,
  {
    /** Counts one request and returns the budget. */
    readonly spend: (client: string, group: RateLimitGroup) => Effect.Effect<Budget>
    /** Returns the budget without counting a request. */
    readonly peek: (client: string, group: RateLimitGroup) => Effect.Effect<Budget>
  }
>() {
  static readonly layer = Layer.effect(
    RateLimiter,
    Effect.gen(function* () {
      const { environment } = yield* Settings
      const store = yield* RateLimiterStore

      const budget = (group: RateLimitGroup, spent: number, closesAt: number, now: number): Budget => {
        const limit = rateLimits[environment][group]
        const resetIn = Math.max(1, Math.ceil((closesAt - now) / 1_000))
        return {
          group,
          limit,
          remaining: Math.max(0, limit - spent),
          resetAt: Math.ceil(closesAt / 1_000),
          resetIn,
          exceeded:
            spent > limit
              ? new RateLimitExceeded({ group, limit, window_seconds: windowSeconds, retry_after: resetIn })
              : null
        }
      }

      const ask = (read: RateLimiterStore["Type"]["hit"]) => (client: string, group: RateLimitGroup) =>
        Effect.gen(function* () {
          const { closesAt, count } = yield* read(`${group} ${client}`, windowSeconds * 1_000)
          return budget(group, count, closesAt, yield* Clock.currentTimeMillis)
        })

      return { spend: ask(store.hit), peek: ask(store.peek) }
    })
  )
}
