import { type SearchKind } from "../../domain/SearchKind.ts"
import { blockSign, looksBlocked } from "./BlockSigns.ts"
import {
  type Cursor,
  type EngineAnswer,
  type EngineQuery,
  fault,
  type Parsed,
  type Source,
  succeeded
} from "./Engine.ts"

/**
 * An answer's meaning. In this order:
 *
 * 1. Certain signs of a refusal, common to all engines (`blockSign`): challenge pages, 402, 403, 429.
 * 2. The engine's `parse`, whatever the status: it knows its own block pages, its empty page, and the statuses that
 *    mean something (303 at DuckDuckGo, 404 at Gutendex). It reads no results out of an answer that is no 2xx.
 * 3. What `parse` could make nothing of (`layout_changed`): `blocked` when it looks like a block page all the same
 *    (`looksBlocked`), else `http_status` when the status is no 2xx, else `layout_changed`.
 */
export const readAnswer = <K extends SearchKind>(
  source: Source<K>,
  answer: EngineAnswer,
  query: EngineQuery<K>,
  cursor: Cursor
): Parsed<K> => {
  const sign = blockSign(answer)
  if (sign !== null) return fault(sign)
  const parsed = source.parse(answer, query, cursor)
  if (parsed._tag !== "Fault" || parsed.fault !== "layout_changed") return parsed
  if (looksBlocked(answer, query.text)) return fault("blocked")
  return succeeded(answer) ? parsed : fault("http_status")
}
