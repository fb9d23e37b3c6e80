import { type Element } from "domhandler"
import { isoOfText } from "../../../domain/Dates.ts"
import { rawNews } from "../../../domain/RawResult.ts"
import { plainLine } from "../../../domain/PlainText.ts"
import { type Region } from "../../../domain/Region.ts"
import { type RawResult } from "../../../domain/ResultItem.ts"
import {
  type Cursor,
  empty,
  type Engine,
  type EngineAnswer,
  type EngineQuery,
  fault,
  type Parsed,
  results,
  succeeded
} from "../Engine.ts"
import { all, attribute, decodeEntities, first, htmlPage, textOf, xmlPage } from "../toolkit/HtmlPage.ts"
import { params } from "../toolkit/Request.ts"
import { canParseUrl } from "../../../domain/WebUrl.ts"

/**
 * Google News as RSS. Google does not document the feed. https://news.google.com/rss is linked from its help pages.
 *
 * - One response of up to 100 items, without further pages and without safe search. Keep the rate to a few requests a
 *   minute.
 * - The time limit is a query term (`when:7d`).
 * - Links go through `news.google.com/rss/articles/` and no longer contain the article's URL. Until 2017, it was the
 *   parameter `url` of `news.google.com/news/url`.
 * - Titles end in " - Source". Descriptions repeat title and source as links, which are not a passage. `body` is
 *   therefore null unless the description has text outside of the links.
 * - In the European Union, a client without consent is redirected to consent.google.com. Cookies send the consent.
 */
const selectors = {
  feed: "rss > channel",
  item: "rss > channel > item",
  title: "title",
  link: "link",
  guid: "guid",
  date: "pubdate",
  description: "description",
  source: "source",
  picture: "media\\:content[url]"
} as const

/** Elements of a description that repeat the title and the source. */
const links = new Set(["a", "font"])

const spans = { d: "1d", w: "7d", m: "1m", y: "1y" } as const

/** Returns Google's code of a region's language: `hl`, and the part of `ceid` after the country. */
const editionOf = (region: Region): { readonly hl: string; readonly ceid: string } => {
  const country = region.country ?? "US"
  const language = region.language === "nb" ? "no" : region.language
  if (language === "zh") return { hl: `zh-${country}`, ceid: country === "CN" ? "zh-Hans" : "zh-Hant" }
  if (language === "es" && country !== "ES") return { hl: "es-419", ceid: "es-419" }
  if (language === "pt") return { hl: `pt-${country}`, ceid: country === "BR" ? "pt-419" : "pt-150" }
  return { hl: `${language}-${country}`, ceid: language }
}

const request = (query: EngineQuery<"news">, _cursor: Cursor) => {
  const { ceid, hl } = editionOf(query.region)
  const country = query.region.country ?? "US"
  return {
    method: "GET" as const,
    url: "https://news.google.com/rss/search",
    params: params({
      q: query.timelimit === null ? query.text : `${query.text} when:${spans[query.timelimit]}`,
      hl,
      gl: country,
      ceid: `${country}:${ceid}`
    }),
    cookies: { CONSENT: "YES+", SOCS: "CAI" },
    persona: "browser" as const,
    follow: true
  }
}

const said = (item: Element, selector: string): string => plainLine(decodeEntities(textOf(first(item, selector))))

const withoutSource = (title: string, source: string): string => {
  const ending = ` - ${source}`
  const headline = source !== "" && title.endsWith(ending) ? title.slice(0, -ending.length).trim() : ""
  return headline === "" ? title : headline
}

/** Returns the text of a description outside of the links and the source. */
const passage = (html: string): string => textOf(htmlPage(html), ({ name }) => links.has(name))

/** Returns the article's URL if an old link contains it, otherwise the link. */
const unwrapped = (link: string): string => {
  if (!canParseUrl(link)) return link
  const { hostname, pathname, searchParams } = new URL(link)
  return hostname === "news.google.com" && pathname === "/news/url" ? (searchParams.get("url") ?? link) : link
}

const found = (item: Element, now: number): RawResult<"news"> | null => {
  const source = said(item, selectors.source)
  return rawNews({
    title: withoutSource(said(item, selectors.title), source),
    url: unwrapped(said(item, selectors.link)),
    date: isoOfText(textOf(first(item, selectors.date)), now),
    body: passage(textOf(first(item, selectors.description))),
    image: attribute(first(item, selectors.picture), "url"),
    source
  })
}

const parse = (answer: EngineAnswer, query: EngineQuery<"news">, _cursor: Cursor): Parsed<"news"> => {
  const page = succeeded(answer) ? xmlPage(answer.body) : null
  if (page === null || first(page, selectors.feed) === null) return fault("layout_changed")
  const listed = all(page, selectors.item)
  if (listed.length === 0)
    return /<\/rss\s{0,9}>\s{0,99}$/.test(answer.body.slice(-200)) ? empty : fault("layout_changed")
  return results(
    listed.map((item) => found(item, query.now)),
    null
  )
}

export const googlenews = {
  name: "googlenews",
  website: "https://news.google.com",
  documentation: "https://news.google.com/rss",
  access: "api",
  pace: { perMinute: 30, burst: 20 },
  sources: {
    news: { weight: 1, index: "google", honours: ["region", "timelimit"], request, parse }
  }
} as const satisfies Engine
