import { type HttpServerError } from "@effect/platform"
// The package index would also load its HTTP client, which a local process does not need to answer `initialize`.
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { ConfigError, Effect, Schema } from "effect"
import { constVoid } from "effect/Function"

/** Returns the problems of the configuration, one line per variable. */
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

/** Describes why the server cannot listen, from Node's error. */
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

/** Writes these lines to stderr and ends the process with exit code 1. */
export const stopWith = (...problems: ReadonlyArray<string>) =>
  Effect.zipRight(
    Effect.sync(() => process.stderr.write(problems.map((line) => `quarry: ${line}\n`).join(""))),
    Effect.fail("stopped" as const)
  )

/**
 * Runs an interface until it ends, or until a signal ends it. Writes one line to stderr for each invalid setting or for
 * an unavailable port; the exit code is then 1.
 */
export const launch = (main: Effect.Effect<void, HttpServerError.ServeError | ConfigError.ConfigError>) => {
  // npm forwards a signal that a terminal or a supervisor also sends to this process directly. `runMain` listens only
  // once: the second signal would end the process while it drains.
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, constVoid)
  // The reader of the log may end first (`npm start | tee`): the server goes on without a log.
  process.stderr.on("error", constVoid)
  NodeRuntime.runMain(
    main.pipe(
      Effect.catchTag("ServeError", ({ cause }) => stopWith(listenProblem(cause))),
      Effect.catchIf(ConfigError.isConfigError, (error) => stopWith(...lines(error)))
    ),
    { disableErrorReporting: true, disablePrettyLogger: true }
  )
}
