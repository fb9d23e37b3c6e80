import { type Region } from "../../../../domain/Region.ts"
import { type SearchKind } from "../../../../domain/SearchKind.ts"
import { webUrl } from "../../../../domain/WebUrl.ts"
import { type Cursor, type EngineQuery, type EngineRequest } from "../../Engine.ts"
import { attribute, first, type Page, saysItself, textOf } from "../../toolkit/HtmlPage.ts"
import { acceptLanguage } from "../../toolkit/Request.ts"

export const origin = "https://www.bing.com/"

const selectors = {
  nothing: "li.b_no, .b_no, .no_res, #no_res, .no_results",
  block: "div.captcha, .captcha_header, .captcha_text, #turnstile-widget"
} as const

const adult = { on: "STRICT", moderate: "DEMOTE", off: "OFF" } as const

/** Values of the parameter `adlt`, which is sent together with the safe search cookie. */
export const adlt = { on: "strict", moderate: "moderate", off: "off" } as const

/** Fallback markets for countries where Bing does not serve the requested language. */
const mainMarkets: Readonly<Record<string, string>> = {
  "en-id": "id-id",
  "en-il": "he-il",
  "en-my": "ms-my",
  "en-th": "th-th",
  "en-vn": "vi-vn",
  "ca-es": "es-es",
  "es-us": "en-us",
  "zh-hk": "en-hk"
}

/**
 * Returns null for `wt-wt` and for the default region. A market that does not match the client's IP address returns
 * unrelated results.
 */
export const marketOf = (region: Region): string | null => {
  if (region.country === null || region.code === "us-en") return null
  const market = `${region.language}-${region.country.toLowerCase()}`
  return mainMarkets[market] ?? market
}

/**
 * Builds a GET request with the region and safe search cookies. If `isScript` is true, it has the headers of a script
 * request, otherwise those of a page navigation.
 */
export const buildRequest = <K extends SearchKind>(
  query: EngineQuery<K>,
  path: string,
  params: NonNullable<EngineRequest["params"]>,
  { market = marketOf(query.region), isScript = true } = {}
) => ({
  method: "GET" as const,
  url: `${origin}${path}`,
  params,
  headers: {
    ...(isScript ? { Referer: origin } : {}),
    ...(market === null ? {} : { "Accept-Language": acceptLanguage(query.region) })
  },
  cookies: {
    SRCHHPGUSR: `ADLT=${adult[query.safesearch]}`,
    ...(market === null
      ? {}
      : { _EDGE_S: `mkt=${market}&ui=${query.region.language}`, _EDGE_CD: `m=${market}&u=${market}` })
  },
  persona: isScript ? ("script" as const) : ("browser" as const),
  follow: true
})

const isBing = ({ hostname }: URL): boolean => /^(?:(?:www|cn|m)\.)?bing\.com$/.test(hostname)

/** Returns true for advertisements and for Bing's own searches. Other pages on bing.com are ordinary results. */
const isOwn = (url: URL): boolean =>
  isBing(url) && (/^\/(?:aclick|aclk|ck\/)/i.test(url.pathname) || url.searchParams.has("q"))

/**
 * Returns the target of a click-tracking link, or null for any other link. `/ck/a` has "a1" followed by the base64url
 * of a UTF-8 URL. `/apiclick.aspx` has the target in `url`.
 */
const wrapped = (url: URL): string | null => {
  if (isBing(url) && /^\/ck\/a$/i.test(url.pathname))
    return Buffer.from((url.searchParams.get("u") ?? "").slice(2), "base64url").toString("utf8")
  return isBing(url) && /\/apiclick\.aspx$/i.test(url.pathname) ? (url.searchParams.get("url") ?? "") : null
}

/** Returns an absolute URL, also for links that start with `//`. Returns null for links relative to Bing. */
export const absolute = (link: string | null): string | null => webUrl(link?.trim().replace(/^(?=\/\/)/, "https:"))

/**
 * Returns the target of a link, unwrapped. Returns null for advertisements, for relative links and targets, and for
 * invalid URLs.
 */
export const target = (href: string | null): string | null => {
  const seen = webUrl(href, origin)
  if (href === null || seen === null) return null
  const leadsTo = absolute(wrapped(new URL(seen)) ?? href)
  return leadsTo === null || isOwn(new URL(leadsTo)) ? null : leadsTo
}

export const isBlock = (page: Page): boolean => first(page, selectors.block) !== null

const saysNothing =
  /\b(?:there (?:are|were) no|no (?:(?:image|video|news) )?)\s?results\b|\bno (?:images|videos|news(?: articles)?) (?:were )?found\b|\b(?:did ?n['’o]t|could ?n['’o]t) find any (?:\w+ )?results\b/i

/** Returns true when the page reports no results. The same words inside the query do not count. */
export const isNothing = (page: Page, query: string): boolean =>
  first(page, selectors.nothing) !== null || saysItself(textOf(page), saysNothing, query)

/** Returns the first attribute that holds a picture URL. `src` holds a placeholder until the page is scrolled. */
export const pictureOf = (page: Parameters<typeof first>[0], ...sources: ReadonlyArray<readonly [string, string]>) =>
  sources
    .map(([selector, name]) => webUrl(attribute(first(page, selector), name), origin))
    .find((picture) => picture !== null) ?? null

/**
 * Returns a key for the start of a page: its first three URLs. Beyond the last page, and for suspected bots, Bing
 * repeats an earlier page. Cursors carry the keys of earlier pages, so that a repeated page ends the results.
 */
const pageKey = (urls: ReadonlyArray<string>): string => urls.slice(0, 3).join(" ")

/** Maximum number of page keys in a cursor. */
const maxPageKeys = 20

export const isRepeated = (urls: ReadonlyArray<string>, cursor: Cursor): boolean =>
  cursor.page > 1 && cursor.form?.some(([name, value]) => name === "began" && value === pageKey(urls)) === true

export const pageAfter = (urls: ReadonlyArray<string>, cursor: Cursor): Cursor => ({
  page: cursor.page + 1,
  form: [...(cursor.form ?? []), ["began", pageKey(urls)] as const].slice(-maxPageKeys)
})
