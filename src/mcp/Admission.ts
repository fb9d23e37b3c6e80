import { isLoopback } from "../domain/Loopback.ts"
import { type SettingsShape } from "../services/settings/Settings.ts"
import { canParseUrl } from "../domain/WebUrl.ts"

export type AdmissionPolicy = Pick<SettingsShape, "mcpAllowedHosts" | "mcpAllowedOrigins">

const urlOf = (text: string): URL | null => (canParseUrl(text) ? new URL(text) : null)

/** Parses a `Host` header: a name with an optional port, and no other part of a URL. */
const hostOf = (header: string | null): URL | null =>
  header !== null && /^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d+)?$/i.test(header) ? urlOf(`http://${header}`) : null

const isAllowedHost = (header: string | null, allowed: AdmissionPolicy["mcpAllowedHosts"]): boolean => {
  if (allowed === "*") return true
  const url = hostOf(header)
  return url !== null && (allowed.includes(url.hostname) || allowed.includes((header ?? "").toLowerCase()))
}

const isAllowedOrigin = (
  origin: string,
  host: string | null,
  allowed: AdmissionPolicy["mcpAllowedOrigins"]
): boolean => {
  if (allowed === "*") return true
  if (allowed !== null) return allowed.includes(origin.toLowerCase())
  const url = urlOf(origin)
  if (url === null || !/^https?:$/.test(url.protocol)) return false
  return isLoopback(url.hostname) || url.host === urlOf(`${url.protocol}//${host ?? ""}`)?.host
}

/**
 * Returns why a request is refused by its `Host` or `Origin` (DNS rebinding; MCP, "Transports", security warning), or
 * null when it is allowed. Only browsers send an `Origin`.
 */
export const refusalOf = (headers: Headers, policy: AdmissionPolicy): string | null => {
  const host = headers.get("host")
  const origin = headers.get("origin")
  if (!isAllowedHost(host, policy.mcpAllowedHosts)) return "Host not allowed"
  return origin === null || isAllowedOrigin(origin, host, policy.mcpAllowedOrigins) ? null : "Origin not allowed"
}
