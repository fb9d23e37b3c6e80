import { type Request } from "../../../http-client/Response.ts"
import { isRedirect, targetOf } from "../../../http-client/Redirect.ts"

/**
 * Approximates the registrable domain by the last two labels. Without the Public Suffix List this is wrong for suffixes
 * such as `co.uk`, which no engine uses.
 */
const site = (host: string): string => host.split(".").slice(-2).join(".")

const isSameSite = (host: string, original: string): boolean =>
  host === original || host.endsWith(`.${original}`) || site(host) === site(original)

/**
 * The request that follows a redirect; null when the target is not https or is on another site. As in browsers, a POST
 * becomes a GET, except for 307 and 308 (Fetch Standard, 4.4).
 */
export const redirected = (request: Request, status: number, location: string | undefined): Request | null => {
  const target = isRedirect(status) ? targetOf(location, request.url.href) : null
  if (target === null) return null
  const url = new URL(target)
  if (url.protocol !== "https:" || url.username !== "" || !isSameSite(url.hostname, request.url.hostname)) return null
  if (request.method === "GET" || status === 307 || status === 308) return { ...request, url }
  const headers = request.headers.filter(([name]) => name.toLowerCase() !== "content-type")
  return { method: "GET", url, headers, body: null }
}
