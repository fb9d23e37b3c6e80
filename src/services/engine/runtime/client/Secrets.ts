import { Redacted } from "effect"
import { type EngineRequest, type Secret } from "../../Engine.ts"

/** Name and value of a header or a URL parameter. */
type Pair = readonly [name: string, value: string]

/** The configured keys of a request, by destination. */
export interface Secrets {
  readonly headers: ReadonlyArray<Pair>
  readonly params: ReadonlyArray<Pair>
}

/** The configured secrets of a request. Unconfigured ones are omitted. */
export const secretsOf = (request: EngineRequest, keys: ReadonlyMap<string, Redacted.Redacted>): Secrets => {
  const pairs = (as: Secret["as"]) =>
    (request.secrets ?? []).flatMap((secret): ReadonlyArray<Pair> => {
      const key = secret.as === as ? keys.get(secret.variable) : undefined
      return key === undefined ? [] : [[secret.name, `${secret.prefix ?? ""}${Redacted.value(key)}`]]
    })
  return { headers: pairs("header"), params: pairs("param") }
}

export const isKeyed = ({ headers, params }: Secrets): boolean => headers.length > 0 || params.length > 0

/** Removes the key parameters from the URL of an answer. */
export const withoutSecrets = (url: URL, { params }: Secrets): URL => {
  const bare = new URL(url)
  for (const [name] of params) bare.searchParams.delete(name)
  return bare
}
