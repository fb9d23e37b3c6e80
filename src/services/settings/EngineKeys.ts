import { Config, Redacted } from "effect"
import { type Engine } from "../engine/Engine.ts"
import { engines } from "../engine/catalogue/registry.ts"
import { variable } from "./Variables.ts"

type EngineKeys = ReadonlyMap<string, Redacted.Redacted>

/** The variables that hold keys of engines. */
export const keyVariables = Array.from(new Set(engines.flatMap(({ keys }) => keys?.variables ?? [])))

/** Fit for a header and for a URL. */
const isKey = (text: string): boolean => /^[\x21-\x7e]{1,512}$/.test(text)

const keyIn = (name: string) =>
  variable<readonly [string, Redacted.Redacted] | null>({
    name,
    fallback: null,
    expected: "a key of at most 512 printable ASCII characters without spaces",
    read: (text) => (isKey(text) ? [name, Redacted.make(text)] : null),
    isSecret: true
  })

/** The keys of the registry's engines that are set. */
export const engineKeys: Config.Config<EngineKeys> = Config.map(
  Config.all(keyVariables.map(keyIn)),
  (keys) => new Map(keys.filter((key) => key !== null))
)

/** The variables that an engine cannot do without and that are not set. */
export const missingKeys = ({ keys }: Engine, given: EngineKeys): ReadonlyArray<string> =>
  keys?.required === true ? keys.variables.filter((name) => !given.has(name)) : []

/** Whether an engine has the keys it cannot do without. */
export const hasItsKeys = (engine: Engine, given: EngineKeys): boolean => missingKeys(engine, given).length === 0
