import { type ConfigError, Deferred, Effect, Fiber, Logger } from "effect"
import { type WithToolServices } from "./mcp/ToolServices.ts"
import { openStdio } from "./mcp/StdioServer.ts"

/** Until then settings that cannot be used are told of, whether a client says anything or not. */
const patience = "100 millis"

/** The services, and what their fibers run in: half a second's work, most of it to load their code. */
const load = Effect.promise(() => import("./tool-services.ts")).pipe(
  Effect.flatMap(({ localToolServices: localBacking }) => localBacking)
)

/**
 * The stdio server that answers `initialize` before it loads what only tools need: clients start it with each session,
 * and wait for that answer.
 */
export const localStdioServer: Effect.Effect<void, ConfigError.ConfigError> = Effect.scoped(
  Effect.gen(function* () {
    const wanted = yield* Deferred.make<void>()
    const want = Deferred.succeed(wanted, undefined)
    const loading = yield* Effect.fork(Effect.zipRight(Effect.timeoutOption(Deferred.await(wanted), patience), load))
    const backed: WithToolServices = (use) =>
      Effect.zipRight(want, Fiber.join(loading)).pipe(
        // Nothing more is answered: the process ends by the same failure.
        Effect.catchAll(() => Effect.never),
        Effect.flatMap(({ backing, runtime }) => Effect.provide(use(backing), runtime))
      )
    const { answered, closed } = yield* openStdio(backed)
    yield* Effect.forkScoped(
      Effect.zipRight(
        Effect.promise(() => answered),
        want
      )
    )
    yield* Effect.raceFirst(
      Effect.promise(() => closed),
      Effect.zipRight(Fiber.join(loading), Effect.never)
    )
  })
).pipe(
  // Nothing but the protocol on stdout, where the default logger writes; the services bring their own.
  Effect.provide(Logger.remove(Logger.defaultLogger))
)
