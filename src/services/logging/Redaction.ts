import { Cause, Inspectable } from "effect"
import { canParseUrl } from "../../domain/WebUrl.ts"

const hidden = "(hidden)"

/** Returns the host name of a URL for the log, without credentials, port, path and query. */
export const hostNameOf = (url: string): string => (canParseUrl(url) ? new URL(url).hostname.slice(0, 253) : "invalid")

/** Matches a URL: the scheme, optional credentials, the authority, and the rest. */
const urlPattern = /\b([a-z][a-z0-9+.-]*:\/\/)(?:[^\s/?#"'<>]*@)?([^\s/?#"'<>]*)([/?#][^\s"'<>]*)?/gi

const withoutPaths = (text: string): string =>
  text.replace(urlPattern, (_, scheme: string, authority: string, rest: string | undefined) =>
    rest === undefined || rest === "/" ? `${scheme}${authority}${rest ?? ""}` : `${scheme}${authority}/${hidden}`
  )

const escapedForPattern = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")

const spellings = (text: string): ReadonlyArray<string> => {
  const encoded = new URLSearchParams([["", text]]).toString().slice(1)
  const inJson = JSON.stringify(text).slice(1, -1)
  return [text, inJson, encoded, encoded.replaceAll("+", "%20")]
}

/** Shorter texts are matched as whole words only, so that messages stay readable. In characters. */
const shortText = 4

const patternOf = (text: string): string =>
  text.length < shortText ? `(?<![\\p{L}\\p{N}])${escapedForPattern(text)}(?![\\p{L}\\p{N}])` : escapedForPattern(text)

/** Removes the given texts in any encoding. */
const withoutTexts = (text: string, sensitive: ReadonlyArray<string>): string => {
  const patterns = sensitive
    .map((one) => one.trim())
    .filter((one) => one !== "")
    .flatMap(spellings)
    .toSorted((a, b) => b.length - a.length)
    .map(patternOf)
  return patterns.length === 0 ? text : text.replace(new RegExp(patterns.join("|"), "giu"), hidden)
}

/** Removes the paths and queries of URLs, and the given texts. */
export const redactedText = (text: string, sensitive: ReadonlyArray<string>): string =>
  withoutTexts(withoutPaths(withoutTexts(text, sensitive)), sensitive)

/** Returns the frames of a stack, without the message before them. */
const framesOf = ({ message, stack = "" }: Error): string => {
  const start = stack.indexOf(message)
  const rest = start < 0 ? stack : stack.slice(start + message.length)
  return rest
    .split("\n")
    .filter((line) => /^\s+at /.test(line))
    .join("\n")
}

/** Maximum depth of nested causes in the log. */
const mostCauses = 4

/** Redacts the message of an error for the log. Keeps its name, frames and causes. */
const redactedError = (error: Error, sensitive: ReadonlyArray<string>, depth = 0): Error => {
  const message = redactedText(error.message, sensitive)
  const shown = new Error(message)
  shown.name = redactedText(error.name, sensitive)
  shown.stack = `${shown.name}: ${message}\n${framesOf(error)}`.trimEnd()
  if (error.cause !== undefined && depth < mostCauses) {
    shown.cause = redactedDefect(error.cause, sensitive, depth + 1)
  }
  return shown
}

/** Redacts any thrown value for the log. */
const redactedDefect = (defect: unknown, sensitive: ReadonlyArray<string>, depth = 0): unknown => {
  if (defect instanceof Error) return redactedError(defect, sensitive, depth)
  return redactedText(Inspectable.toStringUnknown(defect), sensitive)
}

/** Redacts a cause for the log: removes the paths and queries of URLs, and the given texts. */
export const redactedCause = (cause: Cause.Cause<unknown>, sensitive: ReadonlyArray<string>): Cause.Cause<unknown> =>
  Cause.match<Cause.Cause<unknown>, unknown>(cause, {
    onEmpty: Cause.empty,
    onFail: (error) => Cause.die(redactedDefect(error, sensitive)),
    onDie: (defect) => Cause.die(redactedDefect(defect, sensitive)),
    onInterrupt: (fiberId) => Cause.interrupt(fiberId),
    onSequential: (left, right) => Cause.sequential(left, right),
    onParallel: (left, right) => Cause.parallel(left, right)
  })
