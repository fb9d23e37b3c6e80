import { type HttpServerError } from "@effect/platform"
// The package as a whole would load its HTTP client, which a local process answers `initialize` without.
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { ConfigError, Effect } from "effect"
import { constVoid } from "effect/Function"

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

/**
 * Runs an interface until it ends, or a signal ends it. Settings that cannot be used, and a port that cannot be had, are
 * one line on stderr and exit code 1.
 */
export const launch = (main: Effect.Effect<void, HttpServerError.ServeError | ConfigError.ConfigError>) => {
  // npm passes on a signal that a terminal or a supervisor sends to this process as well. `runMain` listens for one
  // only: the second would end the process while it drains.
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, constVoid)
  NodeRuntime.runMain(
    main.pipe(
      Effect.catchTag("ServeError", ({ cause }) =>
        stopWith(`HOST and PORT must be a free address of this machine (${reasonOf(cause)})`)
      ),
      Effect.catchIf(ConfigError.isConfigError, (error) => stopWith(lines(error).join("; ")))
    ),
    { disableErrorReporting: true, disablePrettyLogger: true }
  )
}
