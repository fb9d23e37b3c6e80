/**
 * What decides whether two URLs are the same page (`canonicalUrl`): scheme, `www.` and mobile host prefixes, default ports, tracking
 * parameters, the fragment, AMP spellings, a trailing slash, a folder's capital and the order of parameters do not count.
 */
const tracking =
  /^(?:utm_\w+|fbclid|gclid|gclsrc|dclid|gbraid|wbraid|msclkid|yclid|twclid|ttclid|igshid|igsh|mc_cid|mc_eid|_ga|_gl|_hsenc|_hsmi|mkt_tok|oly_anon_id|oly_enc_id|vero_id|wickedid|srsltid|spm|ref_src|ref_url|cmpid|ncid|amp)$/i

/** At the head, or behind a language as Wikipedia has it (`en.m.wikipedia.org`). */
const hostPrefix = /^(?:www\d?|m|mobile|amp)\.(?=[^.]+\.)|(?<=^[a-z]{2,3}\.)m\.(?=[^.]+\.)/

/**
 * One word with a capital in front (`/Js/`): servers of Windows do not tell it from `/js/`, and links have both. Any other
 * capital may mean something: an identifier (`/aBc`), another article (`/Iron_Maiden`).
 */
const capitalized = /\/[A-Z][a-z]+(?=\/|$)/g

/** A fragment that is an address of its own, as single-page applications have (`#!/page`, `#/page`). */
const routed = /^#!?\//

/** What a cache of AMP pages, or a short link whose target can be told, stands for. */
const meant = (url: URL): URL => {
  const path = `${url.pathname}${url.search}`
  const [, amp] = /^(?:www\.)?google\.[a-z.]+$/.test(url.hostname)
    ? (/^\/amp\/(?:s\/)?([^/]+\..*)$/.exec(path) ?? [])
    : url.hostname.endsWith(".cdn.ampproject.org")
      ? (/^\/[cv]\/(?:s\/)?([^/]+\..*)$/.exec(path) ?? [])
      : []
  if (amp !== undefined && URL.canParse(`https://${amp}`)) return new URL(`https://${amp}`)
  const [, video] = url.hostname === "youtu.be" ? (/^\/([\w-]{11})$/.exec(url.pathname) ?? []) : []
  return video === undefined ? url : new URL(`https://youtube.com/watch?v=${video}`)
}

export const canonicalUrl = (address: string): string => {
  if (!URL.canParse(address)) return address
  const url = meant(new URL(address))
  const host = url.hostname.replace(/\.$/, "").replace(hostPrefix, "")
  const port = url.port === "" || url.port === "80" || url.port === "443" ? "" : `:${url.port}`
  const path = url.pathname
    .replace(/\/{2,}/g, "/")
    .replace(capitalized, (word) => word.toLowerCase())
    .replace(/\/amp\/?$/i, "/")
    .replace(/\/(?:index\.(?:html?|php))$/i, "/")
    .replace(/\/$/, "")
  const parameters = Array.from(url.searchParams)
    .filter(([name, value]) => !tracking.test(name) && !(name === "outputType" && value === "amp"))
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
    .sort()
  const query = parameters.length === 0 ? "" : `?${parameters.join("&")}`
  return `${host}${port}${path}${query}${routed.test(url.hash) ? url.hash : ""}`
}
