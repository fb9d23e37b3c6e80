import { Effect, RcMap, type Scope } from "effect"

/** Runs an effect when the host and the process have room for it. */
export type Limited = (host: string) => <A, E>(effect: Effect.Effect<A, E>) => Effect.Effect<A, E>

/** At most so many at once: per host first, so that the queue of one slow host takes no room from the others. */
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
