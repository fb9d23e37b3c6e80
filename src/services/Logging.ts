import { Effect, Layer, Logger } from "effect"
import { Settings } from "./Settings.ts"

/** Logs to stderr, as `LOG_LEVEL` and `LOG_FORMAT` say: stdout belongs to protocols. */
export const logging = Layer.unwrapEffect(
  Effect.map(Settings, ({ logFormat, logLevel }) =>
    Layer.merge(
      Logger.minimumLogLevel(logLevel),
      Logger.replace(
        Logger.defaultLogger,
        logFormat === "json" ? Logger.withConsoleError(Logger.jsonLogger) : Logger.prettyLogger({ stderr: true })
      )
    )
  )
)
