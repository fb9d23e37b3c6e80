import { isRecord } from "effect/Predicate"
import { listAt, memberAt, textAt } from "../../toolkit/Literal.ts"
import { pagesOf } from "../../toolkit/MediaWiki.ts"

/** A page that was found. `text` may be HTML; `url` is null where only the title tells it. */
export interface Hit {
  readonly title: string
  readonly url: string | null
  readonly text: string | null
}

/** What answers say of a page, the passage that matches before what introduces it. */
const passages = ["snippet", "excerpt", "extract", "extract_html", "description"] as const

/** A page in any of the answers; null for one that does not exist, or has no title. */
const hitOf = (page: unknown): Hit | null => {
  const title = (textAt(page, "titles", "normalized") ?? textAt(page, "title"))?.trim() ?? ""
  if (title === "" || memberAt(page, "missing") !== null || memberAt(page, "invalid") !== null) return null
  return {
    title,
    url: textAt(page, "content_urls", "desktop", "page") ?? textAt(page, "fullurl"),
    text: passages.map((name) => textAt(page, name)).find((text) => text !== null && text.trim() !== "") ?? null
  }
}

/** `[query, titles, descriptions, addresses]` */
const suggested = (answer: unknown): ReadonlyArray<unknown> | null => {
  const [titles, descriptions, addresses] = (Array.isArray(answer) ? answer.slice(1) : []).map((part) => listAt(part))
  return (
    titles?.map((title, index) => ({ title, description: descriptions?.[index], fullurl: addresses?.[index] })) ?? null
  )
}

/**
 * The pages that an answer of MediaWiki lists; null where it has no list. Besides that of `list=search` those of its
 * other ways to search: generators, the REST search and page summary (https://www.mediawiki.org/wiki/API:REST_API),
 * `action=opensearch`.
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
