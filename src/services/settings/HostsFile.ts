import { isLoopback } from "../../domain/Loopback.ts"
import { canParseUrl } from "../../domain/WebUrl.ts"

/** Of http or https, as `Origin` headers write it. */
export const originOf = (text: string): string | null =>
  /^https?:\/\/[^/]+\/?$/i.test(text) && canParseUrl(text) ? new URL(text).origin : null

/** As `Host` headers and URLs write it, in lower case. */
export const hostHeader = (text: string): string | null =>
  /^(?:[a-z0-9._-]+|\[[0-9a-f:.]+\])(?::\d{1,5})?$/i.test(text) && canParseUrl(`http://${text}`)
    ? text.toLowerCase()
    : null

/** An origin of any scheme: editors and browser extensions have their own. There are no patterns. */
export const anyOrigin = (text: string): string | null => {
  if (text.includes("*")) return null
  return originOf(text) ?? (/^(?!https?:)[a-z][a-z0-9+.-]*:\/\/[^/?#\s]+$/i.test(text) ? text.toLowerCase() : null)
}

const loopbackNames = ["localhost", "127.0.0.1", "[::1]"] as const

/** The `Host` values of a server that listens on loopback only: other names are DNS rebinding. */
export const hostsOf = (host: string): ReadonlyArray<string> | "*" =>
  isLoopback(host) ? [...loopbackNames, ...(host.startsWith("127.") ? [host] : [])] : "*"
