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

/** The parameter `adlt`, which goes with the cookie. */
export const adlt = { on: "strict", moderate: "moderate", off: "off" } as const

/** Markets Bing has for a country whose wanted language it does not serve. */
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

/** Null for `wt-wt`, and for the default region: a market that does not fit the address brings unrelated results. */
export const marketOf = (region: Region): string | null => {
  if (region.country === null || region.code === "us-en") return null
  const market = `${region.language}-${region.country.toLowerCase()}`
  return mainMarkets[market] ?? market
}

/** A GET with the cookies of the region and of safe search, as of a person or (`isScript`) of a script of the page. */
export const asked = <K extends SearchKind>(
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

/** Advertisements, and Bing's own searches. Other pages of Bing are results like those of others. */
const isOwn = (url: URL): boolean =>
  isBing(url) && (/^\/(?:aclick|aclk|ck\/)/i.test(url.pathname) || url.searchParams.has("q"))

/** What a link of Bing's counts clicks for: `/ck/a` has "a1" and base64url of a URL in UTF-8. Null for any other link. */
const wrapped = (url: URL): string | null => {
  if (isBing(url) && /^\/ck\/a$/i.test(url.pathname))
    return Buffer.from((url.searchParams.get("u") ?? "").slice(2), "base64url").toString("utf8")
  return isBing(url) && /\/apiclick\.aspx$/i.test(url.pathname) ? (url.searchParams.get("url") ?? "") : null
}

/** Of a whole link, one without its scheme too; null for what is relative to Bing. */
export const absolute = (link: string | null): string | null => webUrl(link?.trim().replace(/^(?=\/\/)/, "https:"))

/** Where a link leads, unwrapped. Null for advertisements, for relative links and targets, and for what is no URL. */
export const target = (href: string | null): string | null => {
  const seen = webUrl(href, origin)
  if (href === null || seen === null) return null
  const leadsTo = absolute(wrapped(new URL(seen)) ?? href)
  return leadsTo === null || isOwn(new URL(leadsTo)) ? null : leadsTo
}

export const isBlock = (page: Page): boolean => first(page, selectors.block) !== null

const saysNothing =
  /\b(?:there (?:are|were) no|no (?:(?:image|video|news) )?)\s?results\b|\bno (?:images|videos|news(?: articles)?) (?:were )?found\b|\b(?:did ?n['’o]t|could ?n['’o]t) find any (?:\w+ )?results\b/i

/** Whether a page without results says so itself, not with the query's words. */
export const isNothing = (page: Page, query: string): boolean =>
  first(page, selectors.nothing) !== null || saysItself(textOf(page), saysNothing, query)

/** The first of these links that is a whole picture's: pages hold a placeholder in `src` until they are scrolled. */
export const pictureOf = (page: Parameters<typeof first>[0], ...sources: ReadonlyArray<readonly [string, string]>) =>
  sources
    .map(([selector, name]) => webUrl(attribute(first(page, selector), name), origin))
    .find((picture) => picture !== null) ?? null

/**
 * Beyond its last page, and to programs, Bing gives an earlier page again: cursors carry how each page began, so that a
 * page that begins like one of them is known for the end.
 */
const opening = (urls: ReadonlyArray<string>): string => urls.slice(0, 3).join(" ")

/** Pages whose beginning is remembered. */
const mostOpenings = 20

export const isRepeated = (urls: ReadonlyArray<string>, cursor: Cursor): boolean =>
  cursor.page > 1 && cursor.form?.some(([name, value]) => name === "began" && value === opening(urls)) === true

export const pageAfter = (urls: ReadonlyArray<string>, cursor: Cursor): Cursor => ({
  page: cursor.page + 1,
  form: [...(cursor.form ?? []), ["began", opening(urls)] as const].slice(-mostOpenings)
})
