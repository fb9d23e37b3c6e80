import { type Element, isTag } from "domhandler"
import { isoOfText } from "../../../../domain/Dates.ts"
import { rawNews } from "../../../../domain/RawResult.ts"
import { plainLine } from "../../../../domain/PlainText.ts"
import { type RawResult } from "../../../../domain/ResultItem.ts"
import { webUrl } from "../../../../domain/WebUrl.ts"
import {
  type Cursor,
  empty,
  type EngineAnswer,
  type EngineQuery,
  fault,
  type Reading,
  results,
  type Source,
  succeeded
} from "../../Engine.ts"
import { all, ancestor, attribute, first, hasClass, htmlPage, textOf } from "../../toolkit/HtmlPage.ts"
import { params } from "../../toolkit/Request.ts"
import {
  buildRequest,
  retryStep,
  base,
  isNothing,
  isRefusal,
  nextPageCursor,
  startOf,
  target,
  languageCodeOf
} from "./Common.ts"

const selectors = {
  headlines: ["#web h4 a[href]", ".NewsArticle h4 a[href], h4.s-title a[href]", "li h4 a[href]"],
  thumbnail: "a.thmb",
  picture: "a.thmb img",
  snippet: ".s-desc",
  time: ".s-time",
  source: ".s-source"
} as const

/** Class of the element inside a source that names the portal that republished the article. */
const portal = "s-via"

const pageSize = 10

const limits = { d: "d", w: "w", m: "m", y: null } as const

const request = (query: EngineQuery<"news">, cursor: Cursor) =>
  buildRequest(
    query,
    "news.search.yahoo.com",
    params({
      p: query.text,
      btf: query.timelimit && limits[query.timelimit],
      b: cursor.page === 1 ? null : startOf(cursor, pageSize)
    })
  )

/** Extracts the original URL, which is at the end of the image proxy's path. */
const original = (link: string | null): string | null => {
  const at = link?.lastIndexOf("/http") ?? -1
  return link === null || at < 0 ? null : webUrl(link.slice(at + 1))
}

const pictureOf = (article: Element): string | null => {
  const picture = first(article, selectors.picture)
  const links = ["data-src", "src"].map((name) => webUrl(attribute(picture, name), base))
  const link = links.find((one) => one !== null) ?? null
  return original(link) ?? link
}

/** Returns the full title. Truncated headlines have it in the `title` attribute of the link or of the thumbnail. */
const titleOf = (headline: Element, article: Element): string => {
  const shown = plainLine(textOf(headline))
  if (!/(?:\.{3}|…)$/.test(shown)) return shown
  const titles = [attribute(headline, "title"), attribute(first(article, selectors.thumbnail), "title")]
  return titles.map((title) => plainLine(title ?? "")).find((title) => title !== "") ?? shown
}

const sourceOf = (article: Element): string =>
  (first(article, selectors.source)?.children ?? [])
    .filter((child) => !(isTag(child) && hasClass(child, portal)))
    .map((child) => textOf(child))
    .join("")
    .replace(/[\s·]{1,9}$/, "")

const found = (headline: Element, now: number): RawResult<"news"> | null => {
  const article = ancestor(headline, "li") ?? ancestor(headline, "div") ?? headline
  return rawNews({
    title: titleOf(headline, article),
    url: target(attribute(headline, "href")),
    date: isoOfText(textOf(first(article, selectors.time)), now),
    body: textOf(first(article, selectors.snippet)),
    image: pictureOf(article),
    source: sourceOf(article)
  })
}

const parse = (answer: EngineAnswer, query: EngineQuery<"news">, cursor: Cursor): Reading<"news"> => {
  const again = retryStep(answer, cursor)
  if (again !== null) return again
  const page = htmlPage(answer.body)
  if (page === null) return fault("layout_changed")
  const headlines = selectors.headlines.map((selector) => all(page, selector)).find((list) => list.length > 0) ?? []
  if (headlines.length === 0 && isRefusal(page, query.text)) return fault("blocked")
  if (!succeeded(answer)) return fault("layout_changed")
  if (headlines.length === 0) return isNothing(page, query.text) ? empty : fault("layout_changed")
  const seen = new Set<string>()
  const items = headlines
    .map((headline) => found(headline, query.now))
    .filter((item) => item !== null)
    .filter(({ url }) => !seen.has(url) && seen.add(url))
  return results(items, nextPageCursor(page, cursor, startOf(cursor, pageSize), headlines.length >= pageSize))
}

export const news = {
  weight: 0.9,
  index: "bing",
  honours: ["region", "safesearch", "timelimit"],
  lacks: ({ region, timelimit }) => [
    ...(timelimit === "y" ? (["timelimit"] as const) : []),
    ...(region.country !== null && languageCodeOf(region) === "any" ? (["region"] as const) : [])
  ],
  request,
  parse
} as const satisfies Source<"news">
