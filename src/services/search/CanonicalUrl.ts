import { percentDecoded } from "../../domain/PercentEncoding.ts"
import { canParseUrl } from "../../domain/WebUrl.ts"

/** Tracking parameters, which do not identify a page. */
const tracking =
  /^(?:utm_\w+|fbclid|gclid|gclsrc|dclid|gbraid|wbraid|msclkid|yclid|twclid|ttclid|igshid|igsh|mc_cid|mc_eid|_ga|_gl|_hsenc|_hsmi|mkt_tok|oly_anon_id|oly_enc_id|vero_id|wickedid|srsltid|spm|ref_src|ref_url|cmpid|ncid|amp)$/i

/** Host prefix at the start, or after a language code as in `en.m.wikipedia.org`. */
const hostPrefix = /^(?:www\d?|m|mobile|amp)\.(?=[^.]+\.)|(?<=^[a-z]{2,3}\.)m\.(?=[^.]+\.)/

/**
 * A path segment of one capitalised word (`/Js/`). Windows servers do not distinguish it from `/js/`, and links use
 * both. Other capitals can be significant: an identifier (`/Abc`, `/aBc/`) or another article (`/wiki/Polish`).
 */
const capitalized = /\/[A-Z][a-z]+(?=\/)/g

/** A fragment that identifies a page, as in single-page applications (`#!/page`, `#/page`). */
const routeFragment = /^#(?:!|\/)/

/**
 * Characters that have the same meaning with and without percent-encoding (RFC 3986, 2.3; also parentheses and similar
 * characters).
 */
const unneededEncoding = /%(?:2[1789ADE]|2C|3[0-9]|4[1-9A-F]|5[0-9AF]|6[1-9A-F]|7[0-9AE])/gi

const videoOf = ({ hostname, pathname, searchParams }: URL): string | null => {
  const host = hostname.replace(hostPrefix, "")
  if (host === "youtu.be") return /^\/([\w-]{11})$/.exec(pathname)?.[1] ?? null
  if (host !== "youtube.com" && host !== "youtube-nocookie.com") return null
  return pathname === "/watch"
    ? searchParams.get("v")
    : (/^\/(?:shorts|embed|live|v)\/([\w-]{11})\/?$/.exec(pathname)?.[1] ?? null)
}

/** The target of an AMP cache URL, or the standard URL of a YouTube video. */
const resolveTarget = (url: URL): URL => {
  const path = `${url.pathname}${url.search}`
  const [, amp] = /^(?:www\.)?google\.[a-z.]+$/.test(url.hostname)
    ? (/^\/amp\/(?:s\/)?([^/]+\..*)$/.exec(path) ?? [])
    : url.hostname.endsWith(".cdn.ampproject.org")
      ? (/^\/[cv]\/(?:s\/)?([^/]+\..*)$/.exec(path) ?? [])
      : []
  if (amp !== undefined && canParseUrl(`https://${amp}`)) return new URL(`https://${amp}`)
  const video = videoOf(url)
  return video === null ? url : new URL(`https://youtube.com/watch?v=${encodeURIComponent(video)}`)
}

/**
 * Returns a key that is equal for URLs of the same page. Ignores the scheme, `www.` and mobile host prefixes, default
 * ports, tracking parameters, the fragment, AMP variants, unnecessary percent-encoding, a trailing slash, the capital
 * of a path segment and the order of parameters. YouTube videos are identified by their id.
 */
export const canonicalUrl = (address: string): string => {
  if (!canParseUrl(address)) return address
  const url = resolveTarget(new URL(address))
  const host = url.hostname.replace(/\.$/, "").replace(hostPrefix, "")
  const port = url.port === "" || url.port === "80" || url.port === "443" ? "" : `:${url.port}`
  const path = url.pathname
    .replace(unneededEncoding, (encoded) => percentDecoded(encoded))
    .replace(/\/{2,}/g, "/")
    .replace(capitalized, (word) => word.toLowerCase())
    .replace(/\/amp\/?$/i, "/")
    .replace(/\/(?:index\.(?:html?|php))$/i, "/")
    .replace(/\/$/, "")
  const parameters = (url.search === "" ? [] : Array.from(url.searchParams))
    .filter(([name, value]) => !tracking.test(name) && !(name === "outputType" && value === "amp"))
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
    .sort()
  const query = parameters.length === 0 ? "" : `?${parameters.join("&")}`
  return `${host}${port}${path}${query}${routeFragment.test(url.hash) ? url.hash : ""}`
}
