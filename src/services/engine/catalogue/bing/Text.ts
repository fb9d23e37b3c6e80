import { type Element } from "domhandler"
import { rawText } from "../../../../domain/RawResult.ts"
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
import { all, attribute, first, htmlPage, type Page, textOf } from "../../toolkit/HtmlPage.ts"
import { params } from "../../toolkit/Request.ts"
import { passageOf } from "../../toolkit/Snippet.ts"
import { adlt, buildRequest, isBlock, isNothing, isRepeated, origin, pageAfter, target } from "./Common.ts"
import { canParseUrl } from "../../../../domain/WebUrl.ts"

const selectors = {
  result: ":is(#b_results .b_algo, li.b_algo):not(.b_ad, .b_adTop, .b_ad *, .b_adTop *)",
  heading: "h2",
  link: "h2 a[href]",
  linkAround: "a[href]:has(h2)",
  snippets: [".b_caption p", "[class*=b_lineclamp]", ".b_algoSlug", "p"],
  pages: ".b_pag a[href], a.sb_pagN[href]"
} as const

/** Classes of elements inside a snippet that are not part of its text: an icon's name, the date, "Read more". */
const asides = ["algoSlug_icon", "news_dt", "b_algoReadMore"] as const

const pageSize = 10
const day = 86_400_000

const filtersOf = ({ now, timelimit }: EngineQuery<"text">): string | null => {
  const today = Math.floor(now / day)
  return timelimit && `ex1:"${{ d: "ez1", w: "ez2", m: "ez3", y: `ez5_${today - 365}_${today}` }[timelimit]}"`
}

const request = (query: EngineQuery<"text">, cursor: Cursor) =>
  buildRequest(
    query,
    "search",
    params({
      q: query.text,
      filters: filtersOf(query),
      adlt: adlt[query.safesearch],
      ...(cursor.page === 1 ? {} : { first: (cursor.page - 1) * pageSize + 1, FORM: "PORE" })
    }),
    { isScript: false }
  )

const found = (result: Element, now: number): RawResult<"text"> | null => {
  const link = first(result, selectors.link)
  const around = first(result, selectors.linkAround)
  const said = selectors.snippets
    .flatMap((selector) => all(result, selector))
    .map((snippet) => passageOf(snippet, asides, now))
  return rawText({
    title: textOf(link ?? first(result, selectors.heading)),
    url: target(attribute(link ?? around, "href")),
    body: said.find((text) => text !== "") ?? null
  })
}

/** Returns true if the pager links to a later page. Without a pager, a full page is assumed to have a next page. */
const hasNext = (page: Page, cursor: Cursor, listed: number): boolean => {
  const starts = all(page, selectors.pages).flatMap((link) => {
    const href = attribute(link, "href") ?? ""
    return canParseUrl(href, origin) ? [Number(new URL(href, origin).searchParams.get("first"))] : []
  })
  return starts.length === 0 ? listed >= pageSize : starts.some((start) => start > (cursor.page - 1) * pageSize + 1)
}

const parse = (answer: EngineAnswer, query: EngineQuery<"text">, cursor: Cursor): Parsed<"text"> => {
  const page = succeeded(answer) ? htmlPage(answer.body) : null
  if (page === null) return fault("layout_changed")
  const listed = all(page, selectors.result)
  const items = listed.map((result) => found(result, query.now)).filter((item) => item !== null)
  if (items.length === 0) {
    if (isBlock(page)) return fault("blocked")
    return listed.length === 0 && isNothing(page, query.text) ? empty : fault("layout_changed")
  }
  const urls = items.map(({ url }) => url)
  if (isRepeated(urls, cursor)) return empty
  return results(items, hasNext(page, cursor, listed.length) ? pageAfter(urls, cursor) : null)
}

export const text = {
  weight: 0.9,
  returnsUnrelatedResults: true,
  honours: ["region", "safesearch", "timelimit"],
  request,
  parse
} as const satisfies Source<"text">
