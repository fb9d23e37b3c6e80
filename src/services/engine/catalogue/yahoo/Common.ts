import { percentDecoded } from "../../../../domain/PercentEncoding.ts"
import { type Region } from "../../../../domain/Region.ts"
import { type SearchKind } from "../../../../domain/SearchKind.ts"
import { canParseUrl, webUrl } from "../../../../domain/WebUrl.ts"
import {
  type Cursor,
  type EngineAnswer,
  type EngineQuery,
  type EngineRequest,
  type Fault,
  fault,
  type Step,
  step
} from "../../Engine.ts"
import { all, attribute, first, type Page, saysItself, textOf } from "../../toolkit/HtmlPage.ts"
import { acceptLanguage } from "../../toolkit/Request.ts"

const selectors = {
  nothing: ".zrp",
  pages: ".pagination a[href], .compPagination a[href], .pages a[href], a.next[href]"
} as const

export const base = "https://search.yahoo.com/"

const strictness = { on: "r", moderate: "i", off: "p" } as const

const tongues = new Set(
  "ar bg cs da de el en es et fi fr he hr hu it ja ko lt lv nl no pl pt ro ru sk sl sv th tr".split(" ")
)

/** Returns Yahoo's code for the language. Returns `any` for `wt-wt` and for languages that Yahoo does not support. */
export const languageCodeOf = ({ country, language }: Region): string => {
  if (country === null) return "any"
  if (language === "zh") return country === "CN" ? "zh_chs" : "zh_cht"
  const tongue = language === "nb" ? "no" : language
  return tongues.has(tongue) ? tongue : "any"
}

/** Builds a GET request with the language and safe search cookies. `session` adds the cookies that Yahoo sets. */
export const buildRequest = <K extends SearchKind>(
  query: EngineQuery<K>,
  host: string,
  params: NonNullable<EngineRequest["params"]>
) => ({
  method: "GET" as const,
  url: `https://${host}/search`,
  params,
  headers: query.region.country === null ? {} : { "Accept-Language": acceptLanguage(query.region) },
  cookies: {
    sB: `v=1&vm=${strictness[query.safesearch]}&fl=1&vl=lang_${languageCodeOf(query.region)}&pn=10&rw=new&userset=1`
  },
  persona: "browser" as const,
  follow: true,
  session: true
})

/** Returns the value of a form field in a cursor, or null. */
export const formValue = (cursor: Cursor, name: string): string | null =>
  cursor.form?.find(([other]) => other === name)?.[1] ?? null

const isYahoo = ({ hostname }: URL): boolean => hostname === "yahoo.com" || hostname.endsWith(".yahoo.com")

/**
 * Returns true when the response set the cookies but has no results yet: an empty 500, a redirect within Yahoo that was
 * not followed, or a page below `/_bv/`.
 */
const isCookieRedirect = ({ body, headers, status, url }: EngineAnswer): boolean => {
  if (status === 500) return body.trim() === ""
  if (!canParseUrl(url)) return false
  const location = headers["location"] ?? ""
  const isRedirect = status >= 300 && status < 400 && canParseUrl(location, url)
  return isRedirect ? isYahoo(new URL(location, url)) : status < 300 && new URL(url).pathname.startsWith("/_bv/")
}

/**
 * Returns a step that repeats the request with the new cookies. Returns `blocked` if the request was already repeated
 * or the status is 999. Returns null for any other response.
 */
export const retryStep = (answer: EngineAnswer, cursor: Cursor): Step | Fault | null => {
  // Non-standard status that Yahoo sends when a client exceeds the request rate.
  if (answer.status === 999) return fault("blocked")
  if (!isCookieRedirect(answer)) return null
  return formValue(cursor, "again") === null
    ? step(cursor.page, [...(cursor.form ?? []), ["again", "1"]])
    : fault("blocked")
}

const redirectHost = /^(?:[a-z]{2}\.)?r[i]?\.search\.yahoo\.com$/

/** Extracts the target between `/RU=` and the next `/RK=` or `/RS=`. It is percent-encoded once. */
const wrapped = (path: string): string => percentDecoded(/\/RU=(.{1,8000}?)(?:\/R[KS]=|$)/.exec(path)?.[1] ?? "")

const isAdvertisement = ({ hostname, pathname }: URL): boolean =>
  (/(?:^|\.)bing\.com$/.test(hostname) && /^\/acli?c?k/i.test(pathname)) || /\/cbclk/i.test(pathname)

/**
 * Returns the target of a link, unwrapped. Returns null for advertisements, for Yahoo's own searches and for invalid
 * URLs.
 */
export const target = (href: string | null): string | null => {
  const seen = webUrl(href, base)
  if (seen === null) return null
  const url = new URL(seen)
  const leadsTo = redirectHost.test(url.hostname) ? webUrl(wrapped(url.pathname)) : seen
  if (leadsTo === null || isAdvertisement(url) || isAdvertisement(new URL(leadsTo))) return null
  return /(?:^|\.)search\.yahoo\.com$/.test(new URL(leadsTo).hostname) ? null : leadsTo
}

const saysNothing =
  /\bwe did ?n['o’]t find (?:any )?(?:news |web )?results\b|\bwe did not find (?:any )?(?:news |web )?results\b/i

/** Returns true when the page reports no results. The same words inside the query do not count. */
export const isNothing = (page: Page, query: string): boolean =>
  first(page, selectors.nothing) !== null || saysItself(textOf(page), saysNothing, query)

const saysRefused = /\bunable to process (?:your )?request at this time\b|\berror 999\b/i

/**
 * Returns true when a page without results refuses the client. The status of such a page is usually 999, but others
 * occur.
 */
export const isRefusal = (page: Page, query: string): boolean => saysItself(textOf(page), saysRefused, query)

/** Parameters of pager links that give the start and the size of a page. */
const pagerParams = ["b", "pz", "bct", "xargs"] as const

/**
 * Returns the cursor of the next page from the pager. `start` is the number of the current page's first result. Without
 * a pager, a full page is assumed to have a next page.
 */
export const nextPageCursor = (page: Page, cursor: Cursor, start: number, isFull: boolean): Cursor | null => {
  const kept = (cursor.form ?? []).filter(([name]) => name === "host")
  const links = all(page, selectors.pages)
    .map((link) => attribute(link, "href") ?? "")
    .flatMap((href) => (canParseUrl(href, base) ? [new URL(href, base).searchParams] : []))
  if (links.length === 0) return isFull ? { page: cursor.page + 1, form: kept.length === 0 ? null : kept } : null
  const numberOf = (link: URLSearchParams) => Number(link.get("b"))
  const [next] = links
    .filter((link) => numberOf(link) > start)
    .toSorted((one, other) => numberOf(one) - numberOf(other))
  return next === undefined
    ? null
    : {
        page: cursor.page + 1,
        form: [
          ...kept,
          ...pagerParams.flatMap((name) => {
            const value = next.get(name)
            return value === null ? [] : [[name, value] as const]
          })
        ]
      }
}

/** Returns the number of the first requested result, from 1. */
export const startOf = (cursor: Cursor, pageSize: number): number =>
  Number(formValue(cursor, "b") ?? (cursor.page - 1) * pageSize + 1)
