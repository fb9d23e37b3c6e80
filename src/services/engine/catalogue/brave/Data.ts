import { type RawResult } from "../../../../domain/ResultItem.ts"
import { type SearchKind } from "../../../../domain/SearchKind.ts"
import {
  type Cursor,
  empty,
  type EngineAnswer,
  type EngineQuery,
  fault,
  type Parsed,
  results,
  succeeded
} from "../../Engine.ts"
import { listAt, memberAt } from "../../toolkit/Literal.ts"
import { htmlPage, type Page } from "../../toolkit/HtmlPage.ts"
import { isPuzzle, nextPage, startOf } from "./Site.ts"

/** A search kind whose results are in the page's data. */
interface Reader<K extends SearchKind> {
  /** Paths to the possible result lists in the response. */
  readonly lists: ReadonlyArray<ReadonlyArray<string>>
  readonly isPaged: boolean
  readonly found: (item: unknown, query: EngineQuery<K>) => RawResult<K> | null
  /** Fallback that reads the page's elements when the data has no results. */
  readonly shown?: (page: Page, query: EngineQuery<K>) => ReadonlyArray<RawResult<K>>
}

/** Returns a `parse` function for such a kind. */
export const dataReader =
  <K extends SearchKind>({ found, isPaged, lists, shown }: Reader<K>) =>
  (answer: EngineAnswer, query: EngineQuery<K>, cursor: Cursor): Parsed<K> => {
    const page = htmlPage(answer.body)
    if (page === null) return fault("layout_changed")
    const start = startOf(page, answer.body)
    const { response } = start
    const list = lists.map((path) => listAt(response, ...path)).find((given) => given !== null) ?? null
    const given = (list ?? []).map((item) => found(item, query)).filter((item) => item !== null)
    const items = given.length > 0 ? given : (shown?.(page, query) ?? [])
    if (items.length === 0 && isPuzzle(page, start)) return fault("blocked")
    if (!succeeded(answer)) return fault("layout_changed")
    if (items.length === 0 && (start.saysNothing || list?.length === 0)) return empty
    const more = isPaged && memberAt(response, "query", "more_results_available") === true
    return results<K>(items, nextPage(cursor, more))
  }
