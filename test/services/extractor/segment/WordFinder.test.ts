import { it } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import { describe, expect } from "vitest"
import { makeWordFinder } from "../../../../src/services/extractor/segment/WordFinder.ts"

const letters = fc.string({ unit: fc.constantFrom("a", "b", "c", "-"), minLength: 1, maxLength: 5 })
const words = fc.array(fc.tuple(fc.boolean(), letters, fc.boolean()), { maxLength: 12 })
const texts = fc.string({ unit: fc.constantFrom("a", "b", "c", "-", "_", "1", "é", "👍"), maxLength: 24 })

/** Looks at every place for every word. */
const holds = (text: string, startsWord: boolean, word: string, endsWord: boolean): boolean =>
  Array.from({ length: text.length }, (_, at) => at).some(
    (at) =>
      text.startsWith(word, at) &&
      !(startsWord && /[a-z]/.test(text.charAt(at - 1))) &&
      !(endsWord && /[a-z]/.test(text.charAt(at + word.length)))
  )

describe("a word finder", () => {
  it.prop(
    "finds what a search for each word by itself finds",
    [words, texts],
    ([given, text]) => {
      const find = makeWordFinder(
        given.map(([startsWord, word, endsWord], index) => ({
          word: `${startsWord ? "<" : ""}${word}${endsWord ? ">" : ""}`,
          bits: 1 << index
        }))
      )
      const expected = given.reduce(
        (bits, [startsWord, word, endsWord], index) =>
          bits | (holds(text, startsWord, word, endsWord) ? 1 << index : 0),
        0
      )
      expect(find(text)).toBe(expected)
    },
    { fastCheck: { numRuns: 2_000 } }
  )
})
