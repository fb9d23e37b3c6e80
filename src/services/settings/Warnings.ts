import { distance } from "fastest-levenshtein"
import { type Redacted } from "effect"
import { engines } from "../engine/catalogue/registry.ts"
import { hasItsKeys, keyVariables, missingKeys } from "./EngineKeys.ts"

/** Every variable that the service reads, except the keys of engines. */
export const variableNames = [
  "APP_ENV",
  "HOST",
  "PORT",
  "SEARCH_TIMEOUT",
  "SEARCH_PROXY",
  "TRUST_PROXY",
  "FETCH_ALLOWED_NETWORKS",
  "FETCH_ALLOWED_PORTS",
  "FETCH_RESPECT_ROBOTS",
  "ENGINES_DISABLED",
  "CACHE_TTL",
  "API_KEYS",
  "CORS_ORIGINS",
  "MCP_ALLOWED_HOSTS",
  "MCP_ALLOWED_ORIGINS",
  "LOG_LEVEL",
  "LOG_FORMAT"
] as const

/** Variables that prevent the start when they are set: their features do not exist yet. */
export const unbuiltNames = ["REDIS_URL", "OTEL_EXPORTER_OTLP_ENDPOINT"] as const

const settable: ReadonlyArray<string> = [...variableNames, ...keyVariables]
const known: ReadonlySet<string> = new Set([...settable, ...unbuiltNames])

/** Prefixes that only variables of this service have. MCP clients also use `MCP_` alone. */
const ownPrefixes = ["SEARCH_", "FETCH_", "ENGINES_", "MCP_ALLOWED_"] as const

/** Variables that Kubernetes and Docker set for a service of that name: `SEARCH_PORT`, `SEARCH_SERVICE_HOST`. */
const ofServiceLink = /_(?:SERVICE_(?:HOST|PORT)|PORT)(?:_.*)?$/

/**
 * Minimum length of a setting for a distance of one or two. Shorter names resemble variables of other programs: `HOME`
 * is two letters from `HOST`.
 */
const shortest = { one: 7, two: 10 } as const

const letters = (name: string): string => Array.from(name).toSorted().join("")

const isTypo = (name: string, setting: string, distance: number): boolean => {
  if (distance === 1) return setting.length >= shortest.one
  if (distance !== 2) return false
  // Allows two swapped letters. Other differences do not count for keys: XAI_API_KEY is not a misspelt EXA_API_KEY.
  return letters(name) === letters(setting) || (setting.length >= shortest.two && !keyVariables.includes(setting))
}

interface Neighbour {
  readonly setting: string
  readonly distance: number
}

const nearest = (name: string, among: ReadonlyArray<string>): Neighbour | null =>
  among
    .map((setting): Neighbour => ({ setting, distance: distance(name, setting) }))
    .reduce<Neighbour | null>((best, one) => (best === null || one.distance < best.distance ? one : best), null)

/**
 * Returns the setting that a variable probably misspells. Returns null for a setting, or a variable of another program.
 */
const likelySetting = (name: string): string | null => {
  if (known.has(name)) return null
  const close = nearest(name, settable)
  if (close !== null && isTypo(name, close.setting, close.distance)) return close.setting
  const prefix = ownPrefixes.find((own) => name.startsWith(own))
  if (prefix === undefined || ofServiceLink.test(name)) return null
  return (
    nearest(
      name,
      settable.filter((setting) => setting.startsWith(prefix))
    )?.setting ?? null
  )
}

/** Returns warnings for keys that no engine can use without another key. */
const uselessKeys = (keys: ReadonlyMap<string, Redacted.Redacted>): ReadonlyArray<string> =>
  keyVariables.flatMap((name) => {
    if (!keys.has(name)) return []
    const users = engines.filter((engine) => engine.keys?.variables.includes(name) === true)
    if (users.some((engine) => hasItsKeys(engine, keys))) return []
    const missing = new Set(users.flatMap((engine) => missingKeys(engine, keys)))
    return [`${name} has no effect without ${Array.from(missing).join(" and ")}`]
  })

/** Returns one line for each probable mistake. Lines contain names of variables only, never a value. */
export const settingWarnings = (
  names: ReadonlyArray<string>,
  keys: ReadonlyMap<string, Redacted.Redacted>
): ReadonlyArray<string> => [
  ...names.flatMap((name) => {
    const meant = likelySetting(name)
    return meant === null ? [] : [`${name} is not a setting; did you mean ${meant}?`]
  }),
  ...uselessKeys(keys)
]
