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
 * An answer's meaning. In this order:
 *
 * 1. Certain signs of a refusal, common to all engines (`blockSign`): a challenge page, 402, 403 are `blocked`, unless
 *    the engine knows its own words for a used up quota in one of those two statuses (`rate_limited`).
 * 2. The engine's `parse`, whatever the status: it knows its own block pages, its empty page, and the statuses that
 *    mean something to it (303 at DuckDuckGo, 404 at Gutendex). It reads no results out of an answer that is no 2xx.
 * 3. What `parse` could make nothing of (`layout_changed`), and what it took for an empty page: `blocked` when it
 *    looks like a block page all the same (`looksBlocked`). An empty page is then `empty`, unless its title tells of
 *    trouble (`layout_changed`); the rest `rate_limited` for a 429, else `http_status` for another status that is no
 *    2xx, else `layout_changed`.
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
