import { type SearchKind } from "../../domain/SearchKind.ts"
import { blockSign, looksBlocked } from "./BlockSigns.ts"
import {
  type Cursor,
  type EngineAnswer,
  type EngineQuery,
  fault,
  type Reading,
  type Source,
  succeeded
} from "./Engine.ts"

/**
 * An answer's meaning. In this order:
 *
 * 1. Certain signs of a refusal, common to all engines (`blockSign`): a challenge page, 402, 403 are `blocked`.
 * 2. The engine's `parse`, whatever the status: it knows its own block pages, its empty page, and the statuses that
 *    mean something to it (303 at DuckDuckGo, 404 at Gutendex). It reads no results out of an answer that is no 2xx.
 * 3. What `parse` could make nothing of (`layout_changed`), and what it took for an empty page: `blocked` when it
 *    looks like a block page all the same (`looksBlocked`). An empty page is then `empty`, the rest `rate_limited` for a 429, else `http_status` for another status that is no 2xx, else
 *    `layout_changed`.
 */
export const readAnswer = <K extends SearchKind>(
  source: Source<K>,
  answer: EngineAnswer,
  query: EngineQuery<K>,
  cursor: Cursor
): Reading<K> => {
  const sign = blockSign(answer)
  if (sign === "blocked") return fault(sign)
  const parsed = source.parse(answer, query, cursor)
  const understood = parsed._tag === "Fault" ? parsed.fault !== "layout_changed" : sign === null
  if (understood && parsed._tag !== "Empty") return parsed
  if (looksBlocked(answer, query.text)) return fault("blocked")
  if (understood) return parsed
  return sign !== null ? fault(sign) : succeeded(answer) ? parsed : fault("http_status")
}
