import { type Element } from "domhandler"
import { rawText } from "../../../../domain/RawResult.ts"
import { plainLine } from "../../../../domain/PlainText.ts"
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
import { listAt, memberAt, textAt } from "../../toolkit/Literal.ts"
import { all, attribute, first, htmlPage, type Page, textOf, textOfHtml } from "../../toolkit/HtmlPage.ts"
import { passageOf, withoutDate } from "../../toolkit/Snippet.ts"
import { isPuzzle, lacksRegion, nextPage, request, site, type Start, startOf } from "./Site.ts"
import { canParseUrl } from "../../../../domain/WebUrl.ts"

/**
 * Selectors for web results. Results are read from the page's elements, or else from its data. Class names of the form
 * `svelte-…` change with every release. `data-type` distinguishes results from videos, questions and advertisements.
 */
const selectors = {
  result: "div.snippet[data-type=web]",
  link: ".result-content > a[href], a[href]",
  title: [".search-snippet-title", ".snippet-title", ".title"],
  /** The result's own snippet, not the snippets of the further pages grouped below it. */
  snippet: [
    ".generic-snippet .content",
    ".content > [class*=line-clamp]",
    ".snippet-description",
    ".snippet-content .content",
    ".content"
  ],
  pager: "#pagination",
  pages: "#pagination a[href*='offset=']"
} as const

/** Class of the date before the text. The date is in the language of the interface. */
const dates = ["t-secondary"]

const firstOf = (result: Element, choices: ReadonlyArray<string>): Element | null => {
  for (const choice of choices) {
    const found = first(result, choice)
    if (found !== null) return found
  }
  return null
}

const shown = (page: Page, now: number): ReadonlyArray<RawResult<"text">> =>
  all(page, selectors.result).flatMap((result) => {
    const title = firstOf(result, selectors.title)
    const snippet = firstOf(result, selectors.snippet)
    const item = rawText({
      title: plainLine(textOf(title)) || attribute(title, "title"),
      url: attribute(first(result, selectors.link), "href"),
      base: site,
      body: snippet && passageOf(snippet, dates, now)
    })
    return item === null || new URL(item.url).hostname === new URL(site).hostname ? [] : [item]
  })

const listed = (list: ReadonlyArray<unknown>, now: number): ReadonlyArray<RawResult<"text"> | null> =>
  list.map((item) =>
    rawText({
      title: textOfHtml(textAt(item, "title")),
      url: textAt(item, "url"),
      body: withoutDate(textOfHtml(textAt(item, "description")) ?? "", now)
    })
  )

/** Returns true if the pager links to the next page. Without a pager, the page's data decides. */
const hasNext = (page: Page, start: () => Start, cursor: Cursor): boolean => {
  if (first(page, selectors.pager) === null)
    return memberAt(start().response, "query", "more_results_available") === true
  return all(page, selectors.pages).some((link) => {
    const href = attribute(link, "href") ?? ""
    return canParseUrl(href, site) && Number(new URL(href, site).searchParams.get("offset")) === cursor.page
  })
}

const parse = (answer: EngineAnswer, { now }: EngineQuery<"text">, cursor: Cursor): Parsed<"text"> => {
  const page = htmlPage(answer.body)
  if (page === null) return fault("layout_changed")
  const items = shown(page, now)
  const read = (given: ReadonlyArray<RawResult<"text"> | null>, start: () => Start) =>
    results(given, nextPage(cursor, hasNext(page, start, cursor)))
  // The data is long. It is parsed only if the page's elements are not sufficient.
  if (succeeded(answer) && items.some(({ body }) => body !== null)) return read(items, () => startOf(page, answer.body))
  const start = startOf(page, answer.body)
  if (items.length === 0 && isPuzzle(page, start)) return fault("blocked")
  if (!succeeded(answer)) return fault("layout_changed")
  const list = listAt(start.response, "web", "results")
  if (items.length === 0 && (start.saysNothing || list?.length === 0)) return empty
  const given = listed(list ?? [], now).filter((item) => item !== null)
  return read(given.length > 0 ? given : items, () => start)
}

export const text = {
  weight: 1,
  honours: ["region", "safesearch", "timelimit"],
  lacks: lacksRegion,
  request: (query, cursor) => request("search", query, cursor, query.timelimit),
  parse
} as const satisfies Source<"text">
