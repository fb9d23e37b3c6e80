import { Config, Redacted } from "effect"
import { type Engine } from "../engine/Engine.ts"
import { engines } from "../engine/catalogue/registry.ts"
import { variable } from "./Variables.ts"

type EngineKeys = ReadonlyMap<string, Redacted.Redacted>

/** The variables that hold engine keys. */
export const keyVariables = Array.from(new Set(engines.flatMap(({ keys }) => keys?.variables ?? [])))

/** Returns whether a key is usable in a header and in a URL. */
const isKey = (text: string): boolean => /^[\x21-\x7e]{1,512}$/.test(text)

const keyIn = (name: string) =>
  variable<readonly [string, Redacted.Redacted] | null>({
    name,
    fallback: null,
    expected: "a key of at most 512 printable ASCII characters without spaces",
    read: (text) => (isKey(text) ? [name, Redacted.make(text)] : null),
    isSecret: true
  })

/** The configured keys of the engines in the registry. */
export const engineKeys: Config.Config<EngineKeys> = Config.map(
  Config.all(keyVariables.map(keyIn)),
  (keys) => new Map(keys.filter((key) => key !== null))
)

/** Returns the required variables of an engine that are not set. */
export const missingKeys = ({ keys }: Engine, given: EngineKeys): ReadonlyArray<string> =>
  keys?.required === true ? keys.variables.filter((name) => !given.has(name)) : []

/** Returns whether all required keys of an engine are set. */
export const hasItsKeys = (engine: Engine, given: EngineKeys): boolean => missingKeys(engine, given).length === 0
