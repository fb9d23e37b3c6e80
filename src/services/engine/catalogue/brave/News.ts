import { type Element } from "domhandler"
import { isoOfText } from "../../../../domain/Dates.ts"
import { rawNews } from "../../../../domain/RawResult.ts"
import { type Source } from "../../Engine.ts"
import { textAt } from "../../toolkit/Literal.ts"
import { all, attribute, first, textOf, textOfHtml } from "../../toolkit/HtmlPage.ts"
import { dataReader } from "./Data.ts"
import { lacksRegion, request, site } from "./Site.ts"

const selectors = {
  result: "div[data-type=news]",
  link: "a.result-header[href], a[href]",
  title: ".snippet-title, .title",
  description: "p.desc, .desc, .description",
  picture: ".image-wrapper:not([class*=favicon]) img[src]:not([class*=favicon])",
  facts: "span, time"
} as const

const dateOf = (result: Element, now: number): string | null => {
  for (const fact of all(result, selectors.facts)) {
    const date = isoOfText(textOf(fact), now)
    if (date !== null) return date
  }
  return null
}

/** A single page. Requests with an `offset` return an empty page. */
export const news = {
  weight: 1,
  honours: ["region", "safesearch", "timelimit"],
  lacks: lacksRegion,
  request: (query, cursor) => request("news", query, cursor, query.timelimit),
  parse: dataReader<"news">({
    lists: [["news", "results"], ["results"]],
    isPaged: false,
    found: (item, { now }) =>
      rawNews({
        title: textOfHtml(textAt(item, "title")),
        url: textAt(item, "url"),
        date: isoOfText(textAt(item, "page_age"), now) ?? isoOfText(textAt(item, "age"), now),
        body: textOfHtml(textAt(item, "description")),
        image: textAt(item, "thumbnail", "original") ?? textAt(item, "thumbnail", "src"),
        source: textAt(item, "profile", "name") ?? textAt(item, "meta_url", "hostname")
      }),
    shown: (page, { now }) =>
      all(page, selectors.result).flatMap((result) => {
        const item = rawNews({
          title: textOf(first(result, selectors.title)),
          url: attribute(first(result, selectors.link), "href"),
          base: site,
          date: dateOf(result, now),
          body: textOf(first(result, selectors.description)),
          image: attribute(first(result, selectors.picture), "src")
        })
        return item === null ? [] : [item]
      })
  })
} as const satisfies Source<"news">
