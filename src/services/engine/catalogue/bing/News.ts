import { type Element } from "domhandler"
import { isoOfText } from "../../../../domain/Dates.ts"
import { rawNews } from "../../../../domain/RawResult.ts"
import { plainLine } from "../../../../domain/PlainText.ts"
import { type Region } from "../../../../domain/Region.ts"
import { type RawResult } from "../../../../domain/ResultItem.ts"
import {
  type Cursor,
  empty,
  type EngineAnswer,
  type EngineQuery,
  fault,
  type Parsed,
  results,
  type Source,
  succeeded
} from "../../Engine.ts"
import { all, attribute, first, htmlPage, textOf } from "../../toolkit/HtmlPage.ts"
import { params } from "../../toolkit/Request.ts"
import { feedItems, isFeed } from "./Feed.ts"
import { adlt, buildRequest, isBlock, isNothing, isRepeated, marketOf, pageAfter, pictureOf, target } from "./Common.ts"

const selectors = {
  card: ".newsitem, .news-card",
  title: "a.title",
  snippet: ".snippet",
  time: ".source span[aria-label], [class*=source] span[aria-label], .ns_sc_tm, .source span[tabindex]",
  sourceLink: ".source a",
  source: ".source a[aria-label], .source .caption_img img[title], .source .publogo img[title]"
} as const

const pictures = ["a.imagelink img", ".imagelink img", ".image img"].flatMap((selector) =>
  ["data-src-hq", "data-src", "src"].map((name) => [selector, name] as const)
)

const pageSize = 10
const day = 86_400_000

/**
 * Interval codes: 7 is the past 24 hours, 8 is 7 days, 9 is 30 days (4 is the past hour). There is no code for a year.
 */
const intervals = { d: 7, w: 8, m: 9, y: null } as const

/** Maps the market `zh-cn`, which has no news, to `en-hk`. */
const newsMarketOf = (region: Region): string | null => {
  const market = marketOf(region)
  return market === "zh-cn" ? "en-hk" : market
}

/** Cursor for the RSS feed, which has a single page. */
const feed: Cursor = { page: 1, form: [["format", "rss"]] }

const isFeedCursor = ({ form }: Cursor): boolean => form?.some(([name]) => name === "format") === true

const request = (query: EngineQuery<"news">, cursor: Cursor) => {
  const interval = query.timelimit && intervals[query.timelimit]
  const qft = interval && `interval="${interval}"`
  const market = newsMarketOf(query.region)
  if (isFeedCursor(cursor)) {
    const asFeed = params({ q: query.text, format: "rss", qft, adlt: adlt[query.safesearch] })
    return buildRequest(query, "news/search", asFeed, { market, isScript: false })
  }
  return buildRequest(
    query,
    "news/infinitescrollajax",
    params({
      q: query.text,
      InfiniteScroll: 1,
      first: (cursor.page - 1) * pageSize + 1,
      SFX: cursor.page - 1,
      form: "PTFTNR",
      qft,
      adlt: adlt[query.safesearch]
    }),
    { market }
  )
}

const monthFirst = new Set([null, "US", "PH"])

/** Returns both readings of a date such as "3/9/2026", the likelier first. Only a few countries put the month first. */
const readings = (text: string, { country }: Region): ReadonlyArray<string> => {
  const dayFirst = text.replace(/^(\d{1,2})\/(\d{1,2})\/(\d{4})$/, "$1.$2.$3")
  return monthFirst.has(country) ? [text, dayFirst] : [dayFirst, text]
}

/**
 * Reads the date of a card. The label has the full age ("5 hours ago") or a date. The text has a short age ("5h"),
 * which selects between ambiguous readings of the label.
 */
const dateOf = (card: Element, { now, region }: EngineQuery<"news">): string | null => {
  const dates = all(card, selectors.time).map((time) => {
    const short = isoOfText(textOf(time), now)
    const said = readings(plainLine(attribute(time, "aria-label") ?? ""), region)
      .map((text) => isoOfText(text, now))
      .filter((date) => date !== null)
    const possible = said.filter((date) => Date.parse(date) <= now + day)
    if (short === null) return possible[0] ?? null
    const distance = (date: string) => Math.abs(Date.parse(date) - Date.parse(short))
    return possible.toSorted((one, other) => distance(one) - distance(other))[0] ?? short
  })
  return dates.find((date) => date !== null) ?? null
}

const firstSaid = (...texts: ReadonlyArray<string | null>): string | null =>
  texts.find((text) => text !== null && plainLine(text) !== "") ?? null

/** Returns the longer of the text and the `title` attribute. The text can be truncated. */
const passage = (snippet: Element | null): string =>
  [textOf(snippet), attribute(snippet, "title") ?? ""]
    .map(plainLine)
    .reduce((one, other) => (other.length > one.length ? other : one))

const found = (card: Element, query: EngineQuery<"news">): RawResult<"news"> | null => {
  const title = first(card, selectors.title)
  const source = first(card, selectors.source)
  const links = [attribute(card, "url"), attribute(card, "data-url"), attribute(title, "href")]
  return rawNews({
    title: firstSaid(attribute(card, "data-title"), textOf(title), attribute(title, "title"), attribute(card, "title")),
    url: links.map(target).find((link) => link !== null) ?? null,
    date: dateOf(card, query),
    body: passage(first(card, selectors.snippet)),
    image: pictureOf(card, ...pictures),
    source: firstSaid(
      attribute(card, "data-author"),
      attribute(title, "data-author"),
      attribute(source, "aria-label"),
      attribute(source, "title"),
      textOf(first(card, selectors.sourceLink))
    )
  })
}

const parseFeed = (body: string, now: number): Parsed<"news"> => {
  const items = feedItems(body, now)
  if (items === null) return fault("layout_changed")
  return items.length === 0 && /<\/rss\s{0,9}>\s{0,99}$/i.test(body.slice(-200)) ? empty : results(items, null)
}

const parse = (answer: EngineAnswer, query: EngineQuery<"news">, cursor: Cursor): Parsed<"news"> => {
  if (succeeded(answer) && isFeed(answer.body)) return parseFeed(answer.body, query.now)
  const page = succeeded(answer) ? htmlPage(answer.body) : null
  if (page === null) return fault("layout_changed")
  const cards = all(page, selectors.card)
  const seen = new Set<string>()
  const items = cards
    .map((card) => found(card, query))
    .filter((item) => item !== null)
    .filter(({ url }) => !seen.has(url) && seen.add(url))
  if (items.length === 0) {
    if (isBlock(page)) return fault("blocked")
    return cards.length === 0 && isNothing(page, query.text) ? empty : fault("layout_changed")
  }
  const urls = items.map(({ url }) => url)
  if (isRepeated(urls, cursor)) return empty
  // There is no pager, and pages are not always full. At least half a page is assumed to have a next page.
  return results(items, cards.length >= pageSize / 2 ? pageAfter(urls, cursor) : null)
}

export const news = {
  weight: 1,
  honours: ["region", "safesearch", "timelimit"],
  lacks: ({ timelimit }) => (timelimit === "y" ? ["timelimit"] : []),
  request,
  fallback: feed,
  parse
} as const satisfies Source<"news">
