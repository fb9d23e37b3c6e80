import { isRecord } from "effect/Predicate"
import { memberAt, numberAt } from "./Literal.ts"

/** What the answers of MediaWiki's `api.php` have in common. https://www.mediawiki.org/wiki/API:Errors_and_warnings */

/** Codes of errors that mean "not now", which come with 200. */
export const busy: ReadonlySet<string> = new Set([
  "ratelimited",
  "maxlag",
  "cirrussearch-too-busy-error",
  "cirrussearch-too-busy-for-you-anonymous-error"
])

/** A generator that found nothing leaves its list out; nothing else may be missing, or to come. */
export const saysNothing = (answer: unknown): boolean =>
  memberAt(answer, "batchcomplete") !== null &&
  ["query", "continue", "error"].every((name) => memberAt(answer, name) === null)

/** More than any answer gives. */
const mostPages = 500

/**
 * The pages a generator found, best first: a list, or in the older format an object by page number, in which `index` has
 * their rank. Null for neither.
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
