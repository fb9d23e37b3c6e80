import { isRecord } from "effect/Predicate"
import { listAt, memberAt, textAt } from "../../toolkit/Literal.ts"
import { pagesOf } from "../../toolkit/MediaWiki.ts"

/** A search hit. `text` can be HTML. `url` is null when only the title identifies the page. */
export interface Hit {
  readonly title: string
  readonly url: string | null
  readonly text: string | null
}

/** Members that describe a page, in order of preference: matching passages come before introductions. */
const passages = ["snippet", "excerpt", "extract", "extract_html", "description"] as const

/** Reads a page of any answer format. Returns null for a page that does not exist or has no title. */
const hitOf = (page: unknown): Hit | null => {
  const title = (textAt(page, "titles", "normalized") ?? textAt(page, "title"))?.trim() ?? ""
  if (title === "" || memberAt(page, "missing") !== null || memberAt(page, "invalid") !== null) return null
  return {
    title,
    url: textAt(page, "content_urls", "desktop", "page") ?? textAt(page, "fullurl"),
    text: passages.map((name) => textAt(page, name)).find((text) => text !== null && text.trim() !== "") ?? null
  }
}

/** Reads an `action=opensearch` answer: `[query, titles, descriptions, addresses]`. */
const suggested = (answer: unknown): ReadonlyArray<unknown> | null => {
  const [titles, descriptions, addresses] = (Array.isArray(answer) ? answer.slice(1) : []).map((part) => listAt(part))
  return (
    titles?.map((title, index) => ({ title, description: descriptions?.[index], fullurl: addresses?.[index] })) ?? null
  )
}

/**
 * Returns the pages that a MediaWiki answer lists, or null if it has no list. Reads answers to `list=search`,
 * generators, the REST search and page summary (https://www.mediawiki.org/wiki/API:REST_API), and `action=opensearch`.
 */
export const hitsOf = (answer: unknown): ReadonlyArray<Hit> | null => {
  const listed =
    listAt(answer, "query", "search") ??
    listAt(answer, "query", "prefixsearch") ??
    pagesOf(memberAt(answer, "query", "pages")) ??
    listAt(answer, "pages") ??
    suggested(answer) ??
    (isRecord(answer) && textAt(answer, "extract") !== null ? [answer] : null)
  return listed?.map(hitOf).filter((hit) => hit !== null) ?? null
}
