import { isLoopback } from "../../domain/Loopback.ts"
import { canParseUrl } from "../../domain/WebUrl.ts"

/** Parses an http or https origin into the form of `Origin` headers. Returns null for anything else. */
export const originOf = (text: string): string | null =>
  /^https?:\/\/[^/]+\/?$/i.test(text) && canParseUrl(text) ? new URL(text).origin : null

/** Parses a host into the form of `Host` headers and URLs, in lower case. Returns null for anything else. */
export const hostHeader = (text: string): string | null =>
  /^(?:[a-z0-9._-]+|\[[0-9a-f:.]+\])(?::\d{1,5})?$/i.test(text) && canParseUrl(`http://${text}`)
    ? text.toLowerCase()
    : null

/** Parses an origin of any scheme, since editors and browser extensions have their own. Does not support patterns. */
export const anyOrigin = (text: string): string | null => {
  if (text.includes("*")) return null
  return originOf(text) ?? (/^(?!https?:)[a-z][a-z0-9+.-]*:\/\/[^/?#\s]+$/i.test(text) ? text.toLowerCase() : null)
}

const loopbackNames = ["localhost", "127.0.0.1", "[::1]"] as const

/**
 * Returns the allowed `Host` values of a server. One that listens on loopback only rejects other names, which are DNS
 * rebinding.
 */
export const hostsOf = (host: string): ReadonlyArray<string> | "*" =>
  isLoopback(host) ? [...loopbackNames, ...(host.startsWith("127.") ? [host] : [])] : "*"
