import { HashMap, Layer, Logger, LogLevel } from "effect"

/** A line of the log: its level, its text and what it was annotated with. */
export interface Line {
  readonly level: string
  readonly text: string
  readonly annotations: Readonly<Record<string, unknown>>
}

/** A log to be read, and the layer that writes to it instead of to the console. */
export const makeLog = () => {
  const lines: Array<Line> = []
  const logger = Logger.make<unknown, void>(({ annotations, logLevel, message }) => {
    const text = String(Array.isArray(message) ? message[0] : message)
    lines.push({ level: logLevel.label, text, annotations: Object.fromEntries(HashMap.toEntries(annotations)) })
  })
  return {
    /** The lines whose text the pattern matches. */
    matching: (pattern: RegExp): ReadonlyArray<Line> => lines.filter(({ text }) => pattern.test(text)),
    layer: Layer.merge(Logger.minimumLogLevel(LogLevel.Info), Logger.replace(Logger.defaultLogger, logger))
  }
}
