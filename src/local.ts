import { type ConfigError, Deferred, Effect, Fiber, Logger } from "effect"
import { type WithToolServices } from "./mcp/ToolServices.ts"
import { openStdio } from "./mcp/StdioServer.ts"

/** Time after which the services load even without a client message, so that configuration errors are reported. */
const patience = "100 millis"

/** Loads the services and their runtime. Takes half a second, mostly to load their code. */
const load = Effect.promise(() => import("./tool-services.ts")).pipe(
  Effect.flatMap(({ localToolServices: localBacking }) => localBacking)
)

/**
 * Stdio server that answers `initialize` before it loads the services, which only tools need. Clients start it with
 * each session and wait for that answer.
 */
export const localStdioServer: Effect.Effect<void, ConfigError.ConfigError> = Effect.scoped(
  Effect.gen(function* () {
    const wanted = yield* Deferred.make<void>()
    const want = Deferred.succeed(wanted, undefined)
    const loading = yield* Effect.fork(Effect.zipRight(Effect.timeoutOption(Deferred.await(wanted), patience), load))
    const backed: WithToolServices = (use) =>
      Effect.zipRight(want, Fiber.join(loading)).pipe(
        // A call after a failed load never completes: the same failure ends the process.
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
  // The default logger writes to stdout, which is reserved for the protocol. The services provide their own logger.
  Effect.provide(Logger.remove(Logger.defaultLogger))
)
