import { isRecord } from "effect/Predicate"
import { memberAt, numberAt } from "./Literal.ts"

/** Common parts of the answers of MediaWiki's `api.php`. https://www.mediawiki.org/wiki/API:Errors_and_warnings */

/** Error codes for temporary overload, which arrive with status 200. */
export const busy: ReadonlySet<string> = new Set([
  "ratelimited",
  "maxlag",
  "cirrussearch-too-busy-error",
  "cirrussearch-too-busy-for-you-anonymous-error"
])

/**
 * Whether an answer is complete and has no results. A generator without results omits its list; there must be no error
 * and no continuation.
 */
export const saysNothing = (answer: unknown): boolean =>
  memberAt(answer, "batchcomplete") !== null &&
  ["query", "continue", "error"].every((name) => memberAt(answer, name) === null)

/** More than any answer returns. */
const mostPages = 500

/**
 * The pages of a generator, best first: a list, or in the older format an object keyed by page number, with the rank in
 * `index`. Null for any other value.
 */
export const pagesOf = (pages: unknown): ReadonlyArray<unknown> | null => {
  const listed: ReadonlyArray<unknown> | null = Array.isArray(pages)
    ? pages
    : isRecord(pages)
      ? Object.values(pages)
      : null
  const rankOf = (page: unknown): number => numberAt(page, "index") ?? Number.MAX_SAFE_INTEGER
  return listed === null ? null : listed.slice(0, mostPages).toSorted((one, other) => rankOf(one) - rankOf(other))
}
