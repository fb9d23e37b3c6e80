import { Config, Redacted } from "effect"
import { type Engine } from "../Engines/Engine.ts"
import { engines } from "../Engines/registry.ts"
import { variable } from "./Reading.ts"

type EngineKeys = ReadonlyMap<string, Redacted.Redacted>

const names = Array.from(new Set(engines.flatMap(({ keys }) => keys?.variables ?? [])))

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
  Config.all(names.map(keyIn)),
  (keys) => new Map(keys.filter((key) => key !== null))
)

/** Whether an engine has the keys it cannot do without. */
export const hasItsKeys = ({ keys }: Engine, given: EngineKeys): boolean =>
  keys?.required !== true || keys.variables.every((name) => given.has(name))
