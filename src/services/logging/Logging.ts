import { Array as Arr, Cause, Effect, HashMap, Layer, Logger } from "effect"
import { Settings } from "../settings/Settings.ts"

/** Characters that could end, hide or colour a line: C0 and C1 controls, Unicode separators and direction marks. */
const unprintable = /[\p{Cc}\p{Zl}\p{Zp}\u{202a}-\u{202e}\u{2066}-\u{2069}]/gu

const escaped = (text: string): string =>
  text.replace(unprintable, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`)

/** Escapes further characters. JSON only escapes those below a space. */
const escapedInJson = (json: string): string =>
  json.replace(unprintable, (character) => `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, "0")}`)

/** Prefixes each line with a mark that no regular line of the log begins with. */
const quoted = (text: string): string =>
  text
    .split("\n")
    .map((line) => `  | ${escaped(line)}`)
    .join("\n")

const printable = (value: unknown): unknown => {
  if (typeof value === "string") return escaped(value)
  return value instanceof Error ? quoted(value.stack ?? value.message) : value
}

const pretty = Logger.prettyLogger({ stderr: true })

/** Formats a field as in logfmt. */
const member = ([name, value]: readonly [string, unknown]): string => {
  const text = escaped(typeof value === "string" ? value : JSON.stringify(value))
  return `${escaped(name)}=${typeof value === "string" && /[\s"=]|^$/.test(text) ? `"${text.replaceAll('"', '\\"')}"` : text}`
}

/** Logs for people: one line per entry, with its cause below. Input from a client cannot imitate another line. */
const prettyLogger = Logger.make<unknown, void>((entry) => {
  const { annotations, cause, message } = entry
  const [first, ...rest] = Arr.ensure(message).map(printable)
  const members = Array.from(annotations, member)
  const title = typeof first === "string" ? [[first, ...members].join(" ")] : [members.join(" "), first]
  pretty.log({
    ...entry,
    message: [
      ...title,
      ...rest,
      ...(Cause.isEmpty(cause) ? [] : [quoted(Cause.pretty(cause, { renderErrorCause: true }))])
    ],
    annotations: HashMap.empty(),
    cause: Cause.empty
  })
})

/** Logs to stderr, according to `LOG_LEVEL` and `LOG_FORMAT`. stdout is reserved for protocols. */
export const logging = Layer.unwrapEffect(
  Effect.map(Settings, ({ logFormat, logLevel }) =>
    Layer.mergeAll(
      Logger.minimumLogLevel(logLevel),
      // NodeRuntime.runMain replaces the default logger by this one, which writes to stdout.
      Logger.remove(Logger.prettyLoggerDefault),
      Logger.replace(
        Logger.defaultLogger,
        logFormat === "json" ? Logger.withConsoleError(Logger.map(Logger.jsonLogger, escapedInJson)) : prettyLogger
      )
    )
  )
)
