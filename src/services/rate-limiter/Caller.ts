import { Context, Effect } from "effect"
import { type RateLimitExceeded, RateLimitGroup } from "../../domain/Failure.ts"
import { type Budget, type RateLimiter } from "./RateLimiter.ts"

/**
 * Who is asking, and what it may still spend: whatever interface a client comes by, its requests are counted in the
 * same budgets (contract, section 4).
 */
export class Caller extends Context.Tag("quarry/Caller")<
  Caller,
  {
    /** Counts one request of a group; fails when the budget is used up. */
    readonly spend: (group: RateLimitGroup) => Effect.Effect<void, RateLimitExceeded>
    /** Where it stands in each group; null when it has no limits. Spends nothing. */
    readonly budgets: Effect.Effect<ReadonlyArray<Budget> | null>
  }
>() {
  /** A local process: it has no address and no limit. */
  static readonly unlimited: Caller["Type"] = { spend: () => Effect.void, budgets: Effect.succeed(null) }
}

/** A remote client; `record` is told each budget that was spent. */
export const remoteCaller = (
  limiter: RateLimiter["Type"],
  client: string,
  record: (budget: Budget) => Effect.Effect<void>
): Caller["Type"] => ({
  spend: (group) =>
    limiter.spend(client, group).pipe(
      Effect.tap(record),
      Effect.flatMap(({ exceeded }) => exceeded ?? Effect.void)
    ),
  budgets: Effect.forEach(RateLimitGroup.literals, (group) => limiter.peek(client, group))
})
