import { type SearchKind } from "../../../domain/SearchKind.ts"
import { blockSign, looksBlocked, looksBroken } from "../toolkit/BlockSigns.ts"
import {
  type Cursor,
  type EngineAnswer,
  type EngineQuery,
  fault,
  type Reading,
  type Source,
  succeeded
} from "../Engine.ts"

const isQuota = <K extends SearchKind>({ status }: EngineAnswer, parsed: Reading<K>): boolean =>
  (status === 402 || status === 403) && parsed._tag === "Fault" && parsed.fault === "rate_limited"

/**
 * Determines the meaning of an answer, in this order:
 *
 * 1. Certain block signs, common to all engines (`blockSign`): a challenge page, 402 or 403 is `blocked`. With status
 *    402 or 403, an engine's `parse` can return `rate_limited` instead, when it recognises an exhausted quota.
 * 2. The engine's `parse`, for every status. It knows its own block pages, its empty page and the statuses with a
 *    special meaning (303 at DuckDuckGo, 404 at Gutendex). It reads no results from an answer that is not 2xx.
 * 3. An answer that `parse` does not recognise (`layout_changed`) or reads as empty is `blocked` when it looks like a
 *    block page (`looksBlocked`). Otherwise an empty page is `empty`, or `layout_changed` when its title reports an
 *    error. An unrecognised answer is `rate_limited` for status 429, `http_status` for another status that is not
 *    2xx, and otherwise `layout_changed`.
 */
export const readAnswer = <K extends SearchKind>(
  source: Source<K>,
  answer: EngineAnswer,
  query: EngineQuery<K>,
  cursor: Cursor
): Reading<K> => {
  const sign = blockSign(answer)
  const parsed = source.parse(answer, query, cursor)
  if (sign === "blocked") return isQuota(answer, parsed) ? parsed : fault(sign)
  const understood = parsed._tag === "Fault" ? parsed.fault !== "layout_changed" : sign === null
  if (understood && parsed._tag !== "Empty") return parsed
  if (looksBlocked(answer, query.text)) return fault("blocked")
  if (understood) return looksBroken(answer, query.text) ? fault("layout_changed") : parsed
  return sign !== null ? fault(sign) : succeeded(answer) ? parsed : fault("http_status")
}
