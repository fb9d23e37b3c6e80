import { type Element, isTag } from "domhandler"
import { isoOfText } from "../../../../domain/Dates.ts"
import { rawNews } from "../../../../domain/RawResult.ts"
import { type RawResult } from "../../../../domain/ResultItem.ts"
import { webUrl } from "../../../../domain/WebUrl.ts"
import { all, decodeEntities, first, textOf, textOfHtml, xmlPage } from "../../toolkit/HtmlPage.ts"
import { origin, target } from "./Common.ts"

/**
 * News as RSS 2.0. The namespace of `News:Source` and `News:Image` is bound to the URL of the search itself, so
 * elements are matched by local name only.
 */
const selectors = { channel: "rss > channel", item: "rss > channel > item" } as const

/** Returns true when the start of the body is that of an RSS feed. */
export const isFeed = (body: string): boolean => /^\s{0,99}(?:<\?xml[^>]{0,200}>\s{0,99})?<rss\b/i.test(body)

const said = (item: Element, name: string): string =>
  textOf(item.children.filter(isTag).find((child) => child.name.replace(/^.*:/, "") === name) ?? null)

const found = (item: Element, now: number): RawResult<"news"> | null =>
  rawNews({
    title: decodeEntities(said(item, "title")),
    url: target(said(item, "link")),
    date: isoOfText(said(item, "pubdate"), now),
    body: textOfHtml(said(item, "description")),
    image: webUrl(said(item, "image"), origin),
    source: said(item, "source")
  })

/** Returns the items of a feed, or null when the body is not a feed. */
export const feedItems = (body: string, now: number): ReadonlyArray<RawResult<"news"> | null> | null => {
  const page = xmlPage(body)
  return page === null || first(page, selectors.channel) === null
    ? null
    : all(page, selectors.item).map((item) => found(item, now))
}
