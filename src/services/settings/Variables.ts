import { Config, ConfigError, Either } from "effect"

/** An environment variable. */
interface Variable<A> {
  readonly name: string
  readonly fallback: A
  /** Completes the message "{name} must be {expected}". */
  readonly expected: string
  /** Returns null for an invalid value. */
  readonly read: (text: string) => A | null
  /** Returns advice for a recognisable invalid value. Contains no part of the value. */
  readonly hint?: (text: string) => string | null
  /** Hides the whole value: in a misspelt value, a password can be anywhere. */
  readonly isSecret?: true
}

/** Hides the credentials of a URL, in case one was set in a variable that holds no secret. */
const withoutSecrets = (text: string): string =>
  text.replace(/^([a-z][a-z0-9+.-]*:\/\/)?.*@/is, "$1(hidden)@").replace(/^([^:/]+:\d+):.*$/s, "$1:(hidden)")

/** Reads a variable. Ignores surrounding spaces. An empty variable counts as unset. */
export const variable = <A>({ expected, fallback, hint, isSecret, name, read }: Variable<A>): Config.Config<A> =>
  Config.string(name).pipe(
    Config.withDefault(""),
    Config.mapOrFail((given) => {
      const text = given.trim()
      if (text === "") return Either.right(fallback)
      const value = read(text)
      const shown = isSecret === true ? "(hidden)" : JSON.stringify(withoutSecrets(text))
      if (value !== null) return Either.right(value)
      const advice = hint?.(text) ?? null
      const message = `${name} must be ${expected}, not ${shown}${advice === null ? "" : `: ${advice}`}`
      return Either.left(ConfigError.InvalidData([name], message))
    })
  )

/** Splits a comma-separated list. */
export const list = (text: string): ReadonlyArray<string> =>
  text
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "")

/** Reads all parts. Returns null when there are none, or one is invalid. */
export const each = <A>(parts: ReadonlyArray<string>, read: (part: string) => A | null): ReadonlyArray<A> | null => {
  const values = parts.map(read).filter((value) => value !== null)
  return parts.length > 0 && values.length === parts.length ? values : null
}

/** Parses a whole number from `min` to `max`. Returns null for anything else. */
export const whole = (text: string, min: number, max: number): number | null =>
  /^\d{1,15}$/.test(text) && Number(text) >= min && Number(text) <= max ? Number(text) : null

/** Parses one of these words, in any letter case. Returns null for anything else. */
export const choice =
  <const A extends string>(...members: ReadonlyArray<A>) =>
  (text: string): A | null =>
    members.find((member) => member === text.toLowerCase()) ?? null
