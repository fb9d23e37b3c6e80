import { type Request } from "../../../http-client/Response.ts"
import { isRedirect, targetOf } from "../../../http-client/Redirect.ts"

/** The last two labels: not what the Public Suffix List would say, but engines do not live at `co.uk`. */
const site = (host: string): string => host.split(".").slice(-2).join(".")

const isSameSite = (host: string, original: string): boolean =>
  host === original || host.endsWith(`.${original}`) || site(host) === site(original)

/**
 * The request that a redirect asks for, or null where it is not to be followed: off https, or off the site of the
 * engine. As in browsers, a POST becomes a GET unless the status says to repeat it (Fetch Standard, 4.4).
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
