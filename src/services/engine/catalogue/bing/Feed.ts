import { type Element, isTag } from "domhandler"
import { isoOfText } from "../../../../domain/Dates.ts"
import { rawNews } from "../../../../domain/RawResult.ts"
import { type RawResult } from "../../../../domain/ResultItem.ts"
import { webUrl } from "../../../../domain/WebUrl.ts"
import { all, decodeEntities, first, textOf, textOfHtml, xmlPage } from "../../toolkit/HtmlPage.ts"
import { origin, target } from "./Common.ts"

/**
 * News as RSS 2.0. `News:Source` and `News:Image` stand in a namespace that is bound to the address of the very search,
 * so only what follows the colon tells them.
 */
const selectors = { channel: "rss > channel", item: "rss > channel > item" } as const

/** Whether a body is a feed, to go by its beginning. */
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

/** The items of a feed; null for what is none. */
export const feedItems = (body: string, now: number): ReadonlyArray<RawResult<"news"> | null> | null => {
  const page = xmlPage(body)
  return page === null || first(page, selectors.channel) === null
    ? null
    : all(page, selectors.item).map((item) => found(item, now))
}
