import { Effect, RcMap, type Scope } from "effect"

/** Runs an effect within the concurrency limits of the host and the process. */
export type Limited = (host: string) => <A, E>(effect: Effect.Effect<A, E>) => Effect.Effect<A, E>

/**
 * Makes the concurrency limits. Acquires the permit of the host first, so that the queue of a slow host does not block
 * other hosts.
 */
export const make = (limits: {
  readonly perHost: number
  readonly overall: number
}): Effect.Effect<Limited, never, Scope.Scope> =>
  Effect.gen(function* () {
    const overall = yield* Effect.makeSemaphore(limits.overall)
    const hosts = yield* RcMap.make({ lookup: (_host: string) => Effect.makeSemaphore(limits.perHost) })
    return (host) => (effect) =>
      RcMap.get(hosts, host).pipe(
        Effect.flatMap((own) => own.withPermits(1)(overall.withPermits(1)(effect))),
        Effect.scoped
      )
  })
