import { Context, Effect } from "effect"
import { type RateLimitExceeded, RateLimitGroup } from "../../domain/Failure.ts"
import { type Budget, type RateLimiter } from "./RateLimiter.ts"

/**
 * The current client and its budgets. The requests of a client count in the same budgets on every interface (contract,
 * section 4).
 */
export class Caller extends Context.Tag("quarry/Caller")<
  Caller,
  {
    /** Counts one request of a group. Fails when the budget is exceeded. */
    readonly spend: (group: RateLimitGroup) => Effect.Effect<void, RateLimitExceeded>
    /** The budget of each group; null for a caller without limits. Counts nothing. */
    readonly budgets: Effect.Effect<ReadonlyArray<Budget> | null>
  }
>() {
  /** A local process, which has no address and no limit. */
  static readonly unlimited: Caller["Type"] = { spend: () => Effect.void, budgets: Effect.succeed(null) }
}

/** Makes the caller of a remote client. Calls `record` with each budget after it is used. */
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
