import { NodeRuntime } from "@effect/platform-node"
import { ConfigError, Effect, Layer } from "effect"
import { httpServer } from "./http/Server.ts"
import { logging } from "./services/Logging.ts"
import { services } from "./services/Services.ts"
import { Settings } from "./services/Settings.ts"

const server = httpServer.pipe(
  Layer.provide(services),
  Layer.provide(logging),
  Layer.provide(Settings.layer),
  // Spans that nobody exports cost a fifth of a request.
  Layer.provide(Layer.setTracerEnabled(false))
)

/** What is wrong with the configuration, in one line. */
const lines = (error: ConfigError.ConfigError): ReadonlyArray<string> =>
  ConfigError.reduceWithContext(error, undefined, {
    andCase: (_, left: ReadonlyArray<string>, right) => [...left, ...right],
    orCase: (_, left, right) => [...left, ...right],
    invalidDataCase: (_, __, message) => [message],
    missingDataCase: (_, __, message) => [message],
    sourceUnavailableCase: (_, __, message) => [message],
    unsupportedCase: (_, __, message) => [message]
  })

/** Ends the process with exit code 1 after this one line. */
const stopWith = (line: string) =>
  Effect.zipRight(
    Effect.sync(() => process.stderr.write(`quarry: ${line}\n`)),
    Effect.fail("stopped" as const)
  )

const program = Layer.launch(server).pipe(
  Effect.catchTag("ServeError", ({ cause }) => stopWith(cause instanceof Error ? cause.message : String(cause))),
  Effect.catchIf(ConfigError.isConfigError, (error) => stopWith(lines(error).join("; ")))
)
NodeRuntime.runMain(program, { disableErrorReporting: true, disablePrettyLogger: true })
