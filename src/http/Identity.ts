import { type HttpServerRequest } from "@effect/platform"
import { Option } from "effect"
import { type SettingsShape } from "../services/settings/Settings.ts"
import { keyNameOf } from "./Bearer.ts"
import { clientOf } from "./ClientAddress.ts"

interface Identity {
  /** Key that requests are counted under: an API key's name with a prefix that no address has, else the address. */
  readonly client: string
  /** Whether every path is open to the client: it sent a known key, or the server requires none. */
  readonly isAuthorized: boolean
}

/** Identifies the client of a request. A client with an API key spends the budget of the key, not of its address. */
export const identityOf = (
  request: HttpServerRequest.HttpServerRequest,
  { apiKeys, trustedProxies }: Pick<SettingsShape, "apiKeys" | "trustedProxies">
): Identity => {
  const holder = apiKeys.length === 0 ? null : keyNameOf(request.headers["authorization"], apiKeys)
  if (holder !== null) return { client: `key ${holder}`, isAuthorized: true }
  const remote = Option.getOrUndefined(request.remoteAddress)
  return {
    client: clientOf(remote, request.headers["x-forwarded-for"], trustedProxies),
    isAuthorized: apiKeys.length === 0
  }
}
