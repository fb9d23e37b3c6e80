import { Effect, Layer, Logger } from "effect"
import { Settings } from "./Settings.ts"

/** Logs to stderr, as `LOG_LEVEL` and `LOG_FORMAT` say: stdout belongs to protocols. */
export const logging = Layer.unwrapEffect(
  Effect.map(Settings, ({ logFormat, logLevel }) =>
    Layer.mergeAll(
      Logger.minimumLogLevel(logLevel),
      // The logger that NodeRuntime.runMain puts in place of the default one writes to stdout.
      Logger.remove(Logger.prettyLoggerDefault),
      Logger.replace(
        Logger.defaultLogger,
        logFormat === "json" ? Logger.withConsoleError(Logger.jsonLogger) : Logger.prettyLogger({ stderr: true })
      )
    )
  )
)
