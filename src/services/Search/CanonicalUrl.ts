/**
 * What decides whether two URLs are the same page: scheme, `www.` and mobile host prefixes, default ports, tracking
 * parameters, the fragment, AMP spellings, a trailing slash and the order of parameters do not count.
 */
const tracking =
  /^(?:utm_\w+|fbclid|gclid|gclsrc|dclid|gbraid|wbraid|msclkid|yclid|twclid|ttclid|igshid|igsh|mc_cid|mc_eid|_ga|_gl|_hsenc|_hsmi|mkt_tok|oly_anon_id|oly_enc_id|vero_id|wickedid|srsltid|spm|ref_src|ref_url|cmpid|ncid|amp)$/i

const hostPrefix = /^(?:www\d?|m|mobile|amp)\.(?=[^.]+\.)/

/** A fragment that is an address of its own, as single-page applications have (`#!/page`, `#/page`). */
const routed = /^#!?\//

export const canonicalUrl = (address: string): string => {
  if (!URL.canParse(address)) return address
  const url = new URL(address)
  const host = url.hostname.replace(/\.$/, "").replace(hostPrefix, "")
  const port = url.port === "" || url.port === "80" || url.port === "443" ? "" : `:${url.port}`
  const path = url.pathname
    .replace(/\/{2,}/g, "/")
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
