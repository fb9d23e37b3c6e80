import { percentDecoded } from "../../domain/PercentEncoding.ts"
import { canParseUrl } from "../../domain/WebUrl.ts"

/**
 * What decides whether two URLs are the same page (`canonicalUrl`): scheme, `www.` and mobile host prefixes, default
 * ports, tracking parameters, the fragment, AMP spellings, needless percent-encoding, a trailing slash, a folder's
 * capital and the order of parameters do not count; videos of YouTube are told by their id.
 */
const tracking =
  /^(?:utm_\w+|fbclid|gclid|gclsrc|dclid|gbraid|wbraid|msclkid|yclid|twclid|ttclid|igshid|igsh|mc_cid|mc_eid|_ga|_gl|_hsenc|_hsmi|mkt_tok|oly_anon_id|oly_enc_id|vero_id|wickedid|srsltid|spm|ref_src|ref_url|cmpid|ncid|amp)$/i

/** At the head, or behind a language as Wikipedia has it (`en.m.wikipedia.org`). */
const hostPrefix = /^(?:www\d?|m|mobile|amp)\.(?=[^.]+\.)|(?<=^[a-z]{2,3}\.)m\.(?=[^.]+\.)/

/**
 * A folder of one word with a capital in front (`/Js/`): servers of Windows do not tell it from `/js/`, and links have
 * both. Any other capital may mean something: an identifier (`/Abc`, `/aBc/`), another article (`/wiki/Polish`).
 */
const capitalized = /\/[A-Z][a-z]+(?=\/)/g

/** A fragment that is an address of its own, as single-page applications have (`#!/page`, `#/page`). */
const routed = /^#(?:!|\/)/

/** Characters that mean the same with and without percent-encoding (RFC 3986, 2.3; parentheses and the like besides). */
const needless = /%(?:2[1789ADE]|2C|3[0-9]|4[1-9A-F]|5[0-9AF]|6[1-9A-F]|7[0-9AE])/gi

const videoOf = ({ hostname, pathname, searchParams }: URL): string | null => {
  const host = hostname.replace(hostPrefix, "")
  if (host === "youtu.be") return /^\/([\w-]{11})$/.exec(pathname)?.[1] ?? null
  if (host !== "youtube.com" && host !== "youtube-nocookie.com") return null
  return pathname === "/watch"
    ? searchParams.get("v")
    : (/^\/(?:shorts|embed|live|v)\/([\w-]{11})\/?$/.exec(pathname)?.[1] ?? null)
}

/** What a cache of AMP pages, or a short link whose target can be told, stands for. */
const meant = (url: URL): URL => {
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

export const canonicalUrl = (address: string): string => {
  if (!canParseUrl(address)) return address
  const url = meant(new URL(address))
  const host = url.hostname.replace(/\.$/, "").replace(hostPrefix, "")
  const port = url.port === "" || url.port === "80" || url.port === "443" ? "" : `:${url.port}`
  const path = url.pathname
    .replace(needless, (encoded) => percentDecoded(encoded))
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
  return `${host}${port}${path}${query}${routed.test(url.hash) ? url.hash : ""}`
}
