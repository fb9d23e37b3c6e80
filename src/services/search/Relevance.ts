import { percentDecoded } from "../../domain/PercentEncoding.ts"
import { type SearchKind } from "../../domain/SearchKind.ts"
import { type Parsed } from "../engine/Engine.ts"

const folded = (text: string): string =>
  text
    .normalize("NFKD")
    .replace(/\p{M}+/gu, "")
    .toLowerCase()

/** Operators and `-` exclusions, which are not search terms. */
const operators = /(?:^|\s)(?:-\S+|[a-z]+:\S*|and|or|not)(?=\s|$)/gi

/**
 * The words of a query. Scripts without spaces yield single characters, because a segmenter can split a page
 * differently from the query.
 */
const wordsOf = (query: string): ReadonlyArray<string> =>
  Array.from(
    folded(query)
      .replace(operators, " ")
      .matchAll(/[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}]|[\p{L}\p{N}]+/gu),
    ([word]) => word
  )

/** The text of an item in which words are searched. */
const textOf = (item: { readonly title: string; readonly url: string; readonly body?: string | null }): string =>
  folded(`${item.title} ${item.body ?? ""} ${percentDecoded(item.url)}`)

/**
 * Whether an answer is unrelated to the query: none of its words occurs in any item, not even as part of another word.
 * Returns false for a query without words.
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
