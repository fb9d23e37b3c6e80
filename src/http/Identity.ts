import { type HttpServerRequest } from "@effect/platform"
import { Option } from "effect"
import { type SettingsShape } from "../services/settings/Settings.ts"
import { holderOf } from "./Bearer.ts"
import { clientOf } from "./ClientAddress.ts"

interface Identity {
  /** Who is counted: the name of a key, with a prefix that no address has, or else the address. */
  readonly client: string
  /** Whether everything is open to it: it has a key, or none is needed. */
  readonly isKnown: boolean
}

/** Who sent a request. Where keys are set, budgets are theirs and not those of addresses. */
export const identityOf = (
  request: HttpServerRequest.HttpServerRequest,
  { apiKeys, trustedProxies }: Pick<SettingsShape, "apiKeys" | "trustedProxies">
): Identity => {
  const holder = apiKeys.length === 0 ? null : holderOf(request.headers["authorization"], apiKeys)
  if (holder !== null) return { client: `key ${holder}`, isKnown: true }
  const remote = Option.getOrUndefined(request.remoteAddress)
  return {
    client: clientOf(remote, request.headers["x-forwarded-for"], trustedProxies),
    isKnown: apiKeys.length === 0
  }
}
