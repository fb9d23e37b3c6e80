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

/** The language as Yahoo spells it; `any` for those it does not know. */
export const tongueOf = ({ country, language }: Region): string => {
  if (country === null) return "any"
  if (language === "zh") return country === "CN" ? "zh_chs" : "zh_cht"
  const tongue = language === "nb" ? "no" : language
  return tongues.has(tongue) ? tongue : "any"
}

/** A GET with the cookies of the language and of safe search, and those that Yahoo gives itself. */
export const asked = <K extends SearchKind>(
  query: EngineQuery<K>,
  host: string,
  params: NonNullable<EngineRequest["params"]>
) => ({
  method: "GET" as const,
  url: `https://${host}/search`,
  params,
  headers: query.region.country === null ? {} : { "Accept-Language": acceptLanguage(query.region) },
  cookies: {
    sB: `v=1&vm=${strictness[query.safesearch]}&fl=1&vl=lang_${tongueOf(query.region)}&pn=10&rw=new&userset=1`
  },
  persona: "browser" as const,
  follow: true,
  session: true
})

/** A value that a cursor carries. */
export const carried = (cursor: Cursor, name: string): string | null =>
  cursor.form?.find(([other]) => other === name)?.[1] ?? null

const isYahoo = ({ hostname }: URL): boolean => hostname === "yahoo.com" || hostname.endsWith(".yahoo.com")

/** Whether the cookies came, but not yet the results: an empty 500, or an end on the way of the redirects. */
const isUnderway = ({ body, headers, status, url }: EngineAnswer): boolean => {
  if (status === 500) return body.trim() === ""
  if (!canParseUrl(url)) return false
  const location = headers["location"] ?? ""
  const isRedirect = status >= 300 && status < 400 && canParseUrl(location, url)
  return isRedirect ? isYahoo(new URL(location, url)) : status < 300 && new URL(url).pathname.startsWith("/_bv/")
}

/** Asks once more with the cookies that came; who is then no further is turned away. Null for any other answer. */
export const askedAgain = (answer: EngineAnswer, cursor: Cursor): Step | Fault | null => {
  // Yahoo's own status for clients that ask too much.
  if (answer.status === 999) return fault("blocked")
  if (!isUnderway(answer)) return null
  return carried(cursor, "again") === null
    ? step(cursor.page, [...(cursor.form ?? []), ["again", "1"]])
    : fault("blocked")
}

const wrapping = /^(?:[a-z]{2}\.)?r[i]?\.search\.yahoo\.com$/

/** Between `/RU=` and the next `/RK=` or `/RS=`, encoded once. */
const wrapped = (path: string): string => percentDecoded(/\/RU=(.{1,8000}?)(?:\/R[KS]=|$)/.exec(path)?.[1] ?? "")

const isAdvertisement = ({ hostname, pathname }: URL): boolean =>
  (/(?:^|\.)bing\.com$/.test(hostname) && /^\/acli?c?k/i.test(pathname)) || /\/cbclk/i.test(pathname)

/** Where a link leads, unwrapped. Null for advertisements, for Yahoo's own searches, and for what is no URL. */
export const target = (href: string | null): string | null => {
  const seen = webUrl(href, base)
  if (seen === null) return null
  const url = new URL(seen)
  const leadsTo = wrapping.test(url.hostname) ? webUrl(wrapped(url.pathname)) : seen
  if (leadsTo === null || isAdvertisement(url) || isAdvertisement(new URL(leadsTo))) return null
  return /(?:^|\.)search\.yahoo\.com$/.test(new URL(leadsTo).hostname) ? null : leadsTo
}

const saysNothing =
  /\bwe did ?n['o’]t find (?:any )?(?:news |web )?results\b|\bwe did not find (?:any )?(?:news |web )?results\b/i

/** Whether a page without results says so itself, not with the query's words. */
export const isNothing = (page: Page, query: string): boolean =>
  first(page, selectors.nothing) !== null || saysItself(textOf(page), saysNothing, query)

const saysRefused = /\bunable to process (?:your )?request at this time\b|\berror 999\b/i

/** Whether a page without results turns the program away: it goes with the status 999, at times with another. */
export const isRefusal = (page: Page, query: string): boolean => saysItself(textOf(page), saysRefused, query)

/** What of the pager's links says where a page begins, and how long it is. */
const places = ["b", "pz", "bct", "xargs"] as const

/**
 * The cursor of the page behind the one that begins with number `start`, as the pager has it; where there is no pager, a
 * full page may have a successor.
 */
export const pageBehind = (page: Page, cursor: Cursor, start: number, isFull: boolean): Cursor | null => {
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
          ...places.flatMap((name) => {
            const value = next.get(name)
            return value === null ? [] : [[name, value] as const]
          })
        ]
      }
}

/** The number of the first result asked for. */
export const startOf = (cursor: Cursor, pageSize: number): number =>
  Number(carried(cursor, "b") ?? (cursor.page - 1) * pageSize + 1)
