import { Clock, Context, Effect, Layer } from "effect"
import { RateLimitExceeded, type RateLimitGroup } from "../../domain/Failure.ts"
import { rateLimits, windowSeconds } from "../../domain/RateLimits.ts"
import { RateLimiterStore } from "./Store.ts"
import { Settings } from "../settings/Settings.ts"

/** Where a client stands in one group. */
export interface Budget {
  readonly group: RateLimitGroup
  readonly limit: number
  readonly remaining: number
  /** Unix seconds at which the window closes. */
  readonly resetAt: number
  /** Whole seconds until then, at least 1. */
  readonly resetIn: number
  /** Why the request is refused; null when it is within the budget. */
  readonly exceeded: RateLimitExceeded | null
}

/** Budgets per client and endpoint group in fixed windows that open at a client's first request (contract, section 4). */
export class RateLimiter extends Context.Tag("quarry/RateLimiter")<
  RateLimiter,
  {
    /** Spends one request. */
    readonly spend: (client: string, group: RateLimitGroup) => Effect.Effect<Budget>
    /** Says where the client stands. */
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
