import { Config, ConfigError, Either } from "effect"

/** An environment variable. */
interface Variable<A> {
  readonly name: string
  readonly fallback: A
  /** As in "{name} must be {expected}". */
  readonly expected: string
  /** Null for an unusable value. */
  readonly read: (text: string) => A | null
  /** What to do about an unusable value, where its form tells; holds no part of the value. */
  readonly hint?: (text: string) => string | null
  /** Whether no part of the value may be shown: what can hold a password can hold it anywhere, once it is misspelt. */
  readonly isSecret?: true
}

/** Of a value that should hold no secret: without what may be the user and password of a URL that was meant for another. */
const withoutSecrets = (text: string): string =>
  text.replace(/^([a-z][a-z0-9+.-]*:\/\/)?.*@/is, "$1(hidden)@").replace(/^([^:/]+:\d+):.*$/s, "$1:(hidden)")

/** Reads a variable; surrounding spaces do not count, and an empty one is an unset one. */
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

/** The parts between commas. */
export const list = (text: string): ReadonlyArray<string> =>
  text
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "")

/** All parts read; null when there are none, or one is unusable. */
export const each = <A>(parts: ReadonlyArray<string>, read: (part: string) => A | null): ReadonlyArray<A> | null => {
  const values = parts.map(read).filter((value) => value !== null)
  return parts.length > 0 && values.length === parts.length ? values : null
}

/** A whole number within bounds. */
export const whole = (text: string, min: number, max: number): number | null =>
  /^\d{1,15}$/.test(text) && Number(text) >= min && Number(text) <= max ? Number(text) : null

/** One of these words, in any letter case. */
export const choice =
  <const A extends string>(...members: ReadonlyArray<A>) =>
  (text: string): A | null =>
    members.find((member) => member === text.toLowerCase()) ?? null
