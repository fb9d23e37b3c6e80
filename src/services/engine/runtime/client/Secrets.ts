import { Redacted } from "effect"
import { type EngineRequest, type Secret } from "../../Engine.ts"

/** Name and value of a header or a parameter of the URL. */
type Pair = readonly [name: string, value: string]

/** The configured keys of a request, where they go. */
export interface Secrets {
  readonly headers: ReadonlyArray<Pair>
  readonly params: ReadonlyArray<Pair>
}

/** The secrets of a request that are configured; the others are left out. */
export const secretsOf = (request: EngineRequest, keys: ReadonlyMap<string, Redacted.Redacted>): Secrets => {
  const pairs = (as: Secret["as"]) =>
    (request.secrets ?? []).flatMap((secret): ReadonlyArray<Pair> => {
      const key = secret.as === as ? keys.get(secret.variable) : undefined
      return key === undefined ? [] : [[secret.name, `${secret.prefix ?? ""}${Redacted.value(key)}`]]
    })
  return { headers: pairs("header"), params: pairs("param") }
}

export const isKeyed = ({ headers, params }: Secrets): boolean => headers.length > 0 || params.length > 0

/** The address of an answer as it may be seen: without the keys among its parameters. */
export const withoutSecrets = (url: URL, { params }: Secrets): URL => {
  const bare = new URL(url)
  for (const [name] of params) bare.searchParams.delete(name)
  return bare
}
