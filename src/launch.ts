import { type HttpServerError } from "@effect/platform"
import { NodeRuntime } from "@effect/platform-node"
import { ConfigError, Effect, Layer } from "effect"
import { logging } from "./services/Logging.ts"
import { services } from "./services/Services.ts"
import { Settings } from "./services/Settings.ts"

/** What is wrong with the configuration, a line for each variable. */
export const lines = (error: ConfigError.ConfigError): ReadonlyArray<string> =>
  ConfigError.reduceWithContext(error, undefined, {
    andCase: (_, left: ReadonlyArray<string>, right) => [...left, ...right],
    orCase: (_, left, right) => [...left, ...right],
    invalidDataCase: (_, __, message) => [message],
    missingDataCase: (_, __, message) => [message],
    sourceUnavailableCase: (_, __, message) => [message],
    unsupportedCase: (_, __, message) => [message]
  })

const reasonOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause))

/** Ends the process with exit code 1 after this one line. */
export const stopWith = (line: string) =>
  Effect.zipRight(
    Effect.sync(() => process.stderr.write(`quarry: ${line}\n`)),
    Effect.fail("stopped" as const)
  )

/** All that an interface is put on. */
const foundation = services.pipe(
  Layer.provideMerge(logging),
  Layer.provideMerge(Settings.layer),
  // Spans that nobody exports cost a fifth of a request.
  Layer.provideMerge(Layer.setTracerEnabled(false))
)

/**
 * Runs an interface over the services until it ends, or a signal ends it. Settings that cannot be used, and a port that
 * cannot be had, are one line on stderr and exit code 1.
 */
export const launch = (
  main: Effect.Effect<
    void,
    HttpServerError.ServeError | ConfigError.ConfigError,
    Layer.Layer.Success<typeof foundation>
  >
) =>
  NodeRuntime.runMain(
    main.pipe(
      Effect.provide(foundation),
      Effect.catchTag("ServeError", ({ cause }) =>
        stopWith(`HOST and PORT must be a free address of this machine (${reasonOf(cause)})`)
      ),
      Effect.catchIf(ConfigError.isConfigError, (error) => stopWith(lines(error).join("; ")))
    ),
    { disableErrorReporting: true, disablePrettyLogger: true }
  )
