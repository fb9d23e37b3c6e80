import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { parseFragment, serialize } from "parse5"
import { trim } from "../../src/domain/Trim.ts"
import { cutHtmlBefore } from "../../src/domain/TrimHtml.ts"

const pieces = (html: string, maxLength: number): ReadonlyArray<string> => {
  const found: Array<string> = []
  for (let offset: number | null = 0; offset !== null;) {
    const piece = trim(html, offset, maxLength, cutHtmlBefore)
    found.push(piece.content)
    offset = piece.nextOffset
  }
  return found
}

const isBalanced = (html: string): boolean => serialize(parseFragment(html)) === html

const word = fc.constantFrom("alpha", "beta", "gamma", "&amp;", "&lt;tag&gt;", "日本語。", "delta. ")
const inline = fc.array(word, { minLength: 1, maxLength: 8 }).map((words) => words.join(" ").trim())
const link = inline.map((text) => `<a href="https://example.com/?a=1&amp;b=%3E">${text}</a>`)
const paragraph = fc.oneof(inline, link).map((text) => `<p>${text}</p>`)
const list = fc
  .array(inline, { minLength: 1, maxLength: 3 })
  .map((items) => `<ul>${items.map((one) => `<li>${one}</li>`).join("")}</ul>`)
const html = fc.array(fc.oneof(paragraph, list), { minLength: 1, maxLength: 12 }).map((found) => found.join("\n"))

describe("cutHtmlBefore", () => {
  it("gives balanced pieces of whole blocks, all of them", () => {
    fc.assert(
      fc.property(html, fc.integer({ min: 300, max: 900 }), (whole, maxLength) => {
        const found = pieces(whole, maxLength)
        for (const piece of found) {
          assert.isAtMost(Array.from(piece).length, maxLength)
          assert.isTrue(isBalanced(piece), piece)
        }
        assert.strictEqual(found.join("\n"), whole)
      })
    )
  })

  it("cuts a block that is too long inside, but never inside a tag or a character reference", () => {
    const long = `<p>${"word &amp; word ".repeat(60)}<a href="https://example.com/a?b=1&amp;c=2">link</a> end</p>`
    for (let maxLength = 100; maxLength < 160; maxLength++) {
      for (const piece of pieces(long, maxLength)) {
        assert.notMatch(piece, /&[a-z]*$/)
        assert.notMatch(piece, /<[^>]*$/)
      }
    }
  })

  it("prefers list items and rows to the middle of a text", () => {
    const items = Array.from({ length: 30 }, (_, index) => `<li>Item number ${index}</li>`).join("")
    for (const piece of pieces(`<ul>${items}</ul>`, 120)) assert.match(piece, /<\/(?:li|ul)>$/)
  })

  it("makes progress whatever the input", () => {
    fc.assert(
      fc.property(
        fc.string({ maxLength: 400, unit: "binary" }),
        fc.integer({ min: 1, max: 120 }),
        (whole, maxLength) => {
          assert.isAtMost(pieces(whole, maxLength).length, whole.length + 1)
        }
      )
    )
  })
})
