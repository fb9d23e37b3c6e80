import { percentDecoded } from "../../domain/PercentEncoding.ts"
import { type SearchKind } from "../../domain/SearchKind.ts"
import { type Parsed } from "../engine/Engine.ts"

const folded = (text: string): string =>
  text
    .normalize("NFKD")
    .replace(/\p{M}+/gu, "")
    .toLowerCase()

/** Operators and quotes say how to search, not what for. */
const operators = /(?:^|\s)(?:-\S+|[a-z]+:\S*|and|or|not)(?=\s|$)/gi

/**
 * The words of a query. Scripts that write without spaces give their single characters, because a segmenter may part a
 * page otherwise than a query.
 */
const wordsOf = (query: string): ReadonlyArray<string> =>
  Array.from(
    folded(query)
      .replace(operators, " ")
      .matchAll(/[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}]|[\p{L}\p{N}]+/gu),
    ([word]) => word
  )

/** What of an item may hold a word. */
const textOf = (item: { readonly title: string; readonly url: string; readonly body?: string | null }): string =>
  folded(`${item.title} ${item.body ?? ""} ${percentDecoded(item.url)}`)

/**
 * Whether an answer has nothing to do with the query: none of its words occurs anywhere in it, not as a part of another
 * word either. A query without words is not judged.
 */
export const isIrrelevant = <K extends SearchKind>(query: string, parsed: Parsed<K>): boolean => {
  if (parsed._tag !== "Results") return false
  const words = wordsOf(query)
  if (words.length === 0) return false
  return !parsed.items.some((item) => {
    const text = textOf(item)
    return words.some((word) => text.includes(word))
  })
}
