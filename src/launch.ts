import { type HttpServerError } from "@effect/platform"
// The package as a whole would load its HTTP client, which a local process answers `initialize` without.
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { ConfigError, Effect, Schema } from "effect"
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

const withDetails = Schema.is(
  Schema.Struct({
    code: Schema.String,
    port: Schema.optional(Schema.Number),
    address: Schema.optional(Schema.String),
    hostname: Schema.optional(Schema.String)
  })
)

/** Why the server cannot listen, as Node's error tells. */
const listenProblem = (cause: unknown): string => {
  if (withDetails(cause)) {
    const { address, code, hostname, port } = cause
    switch (code) {
      case "EADDRINUSE":
        return `port ${port} is in use`
      case "EACCES":
        return `PORT ${port} needs rights that this process does not have`
      case "EADDRNOTAVAIL":
        return `HOST ${address} is not an address of this machine`
      case "ENOTFOUND":
      case "EAI_AGAIN":
        return `HOST ${hostname} is a name that cannot be resolved`
    }
  }
  return `cannot listen on HOST and PORT (${cause instanceof Error ? cause.message : String(cause)})`
}

/** Ends the process with exit code 1 after these lines. */
export const stopWith = (...problems: ReadonlyArray<string>) =>
  Effect.zipRight(
    Effect.sync(() => process.stderr.write(problems.map((line) => `quarry: ${line}\n`).join(""))),
    Effect.fail("stopped" as const)
  )

/**
 * Runs an interface until it ends, or a signal ends it. Each setting that cannot be used, or a port that cannot be had, is
 * one line on stderr, and the exit code is 1.
 */
export const launch = (main: Effect.Effect<void, HttpServerError.ServeError | ConfigError.ConfigError>) => {
  // npm passes on a signal that a terminal or a supervisor sends to this process as well. `runMain` listens for one
  // only: the second would end the process while it drains.
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, constVoid)
  NodeRuntime.runMain(
    main.pipe(
      Effect.catchTag("ServeError", ({ cause }) => stopWith(listenProblem(cause))),
      Effect.catchIf(ConfigError.isConfigError, (error) => stopWith(...lines(error)))
    ),
    { disableErrorReporting: true, disablePrettyLogger: true }
  )
}
