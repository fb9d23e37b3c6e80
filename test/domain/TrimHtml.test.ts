import { describe, expect, it } from "@effect/vitest"
import * as FastCheck from "effect/FastCheck"
import { parseFragment, serialize } from "parse5"
import { trimHtml } from "../../src/domain/TrimHtml.ts"

const length = (text: string) => [...text].length
const slice = (text: string, from: number, to?: number) => [...text].slice(from, to).join("")
const isBalanced = (html: string) => {
  const stack: Array<string> = []
  for (const [, slash, name = ""] of html.matchAll(/<(\/?)([a-z0-9]+)[^>]*>/g)) {
    if (name === "br" || name === "img") continue
    if (slash === "") stack.push(name)
    else if (stack.pop() !== name) return false
  }
  return stack.length === 0
}

const text = FastCheck.array(
  FastCheck.constantFrom("word", "Sentence. ", " ", "日本語", "&amp;", "&#x3C;", "👩‍👩‍👧", "é", "longerword"),
  {
    minLength: 1,
    maxLength: 30
  }
).map((parts) => parts.join(""))
const inline = FastCheck.oneof(
  text,
  text.map((inner) => `<a href="https://example.com/${"x".repeat(inner.length)}">${inner}</a>`),
  text.map((inner) => `<strong><em>${inner}</em></strong>`),
  FastCheck.constant('<img src="https://example.com/a.png" alt="a > b">')
)
const block = FastCheck.array(inline, { minLength: 1, maxLength: 4 }).chain((parts) =>
  FastCheck.constantFrom(
    `<p>${parts.join("")}</p>`,
    `<h2>${parts.join("")}</h2>`,
    `<ul>${parts.map((part) => `<li>${part}</li>`).join("")}</ul>`,
    `<blockquote><p>${parts.join("</p><p>")}</p></blockquote>`,
    `<table><tbody>${parts.map((part) => `<tr><td>${part}</td><td>x</td></tr>`).join("")}</tbody></table>`
  )
)
const documents = FastCheck.array(block, { minLength: 1, maxLength: 8 }).map((blocks) => blocks.join("\n"))

describe("trimHtml", () => {
  it.prop(
    "pieces are balanced, short enough and go on",
    [documents, FastCheck.integer({ min: 100, max: 300 })],
    (given) => {
      const [whole, max] = given
      expect(isBalanced(whole)).toBe(true)
      let seen = ""
      let read = ""
      for (let offset: number | null = 0; offset !== null;) {
        const piece = trimHtml(whole, offset, max)
        expect(piece.nextOffset ?? Infinity).toBeGreaterThan(offset)
        expect(piece.returnedLength).toBe(length(piece.content))
        expect(piece.returnedLength).toBeLessThanOrEqual(max)
        expect(isBalanced(piece.content)).toBe(true)
        expect(serialize(parseFragment(piece.content)).length).toBeGreaterThan(0)
        seen += slice(whole, offset, piece.nextOffset ?? undefined)
        read += piece.content
        offset = piece.nextOffset
      }
      expect(seen).toBe(whole)
      const plain = (html: string) => html.replace(/<[^>]*>/g, "").replace(/\s/g, "")
      expect(plain(read)).toBe(plain(whole))
    }
  )

  it.prop(
    "goes on whatever the input",
    [FastCheck.string({ unit: "binary", maxLength: 400 }), FastCheck.integer({ min: 1, max: 120 })],
    (given) => {
      const [whole, max] = given
      for (let offset: number | null = 0, reads = 0; offset !== null; reads++) {
        const piece = trimHtml(whole, offset, max)
        expect(piece.returnedLength).toBeLessThanOrEqual(max)
        expect(reads).toBeLessThanOrEqual(whole.length)
        offset = piece.nextOffset
      }
    }
  )

  it("cuts between top-level blocks when one fits", () => {
    const whole = `<p>One.</p>\n<ul><li>Two</li><li>Three</li></ul>\n<p>Four</p>`
    expect(trimHtml(whole, 0, 30)).toMatchObject({ content: "<p>One.</p>", nextOffset: 12 })
    expect(trimHtml(whole, 12, 40)).toMatchObject({ content: "<ul><li>Two</li><li>Three</li></ul>", nextOffset: 48 })
    expect(trimHtml(whole, 48, 40)).toMatchObject({ content: "<p>Four</p>", nextOffset: null })
    expect(trimHtml(whole, 500, 40)).toMatchObject({ content: "", nextOffset: null })
  })

  it("else between the blocks of one, closed and opened again", () => {
    const whole = `<ul><li>Alpha beta</li><li>Gamma delta</li></ul>`
    const first = trimHtml(whole, 0, 40)
    expect(first.content).toBe("<ul><li>Alpha beta</li></ul>")
    expect(trimHtml(whole, first.nextOffset ?? 0, 40).content).toBe("<ul><li>Gamma delta</li></ul>")
  })

  it("else inside the text", () => {
    const whole = `<p>Alpha beta. Gamma <strong>delta epsilon zeta eta theta</strong></p>`
    const first = trimHtml(whole, 0, 30)
    expect(first.content).toBe("<p>Alpha beta. Gamma</p>")
    expect(trimHtml(whole, first.nextOffset ?? 0, 40).content).toBe("<p><strong>delta epsilon</strong></p>")
  })

  it("and never at the end tags of what the piece before has closed", () => {
    const whole = `<ul><li>Alpha beta</li><li><em>Gamma delta </em></li></ul>\n<p>Epsilon</p>`
    const last = trimHtml(whole, trimHtml(whole, 0, 40).nextOffset ?? 0, 40)
    expect(last.content).toBe("<ul><li><em>Gamma delta </em></li></ul>")
    expect(trimHtml(whole, last.nextOffset ?? 0, 40)).toMatchObject({ content: "<p>Epsilon</p>", nextOffset: null })
    const alone = `<p><a href="https://example.com/">Alpha beta gamma </a></p>`
    expect(trimHtml(alone, 0, alone.length - 1)).toMatchObject({
      content: `<p><a href="https://example.com/">Alpha beta gamma</a></p>`,
      nextOffset: null
    })
  })

  it("passes over a tag that is longer than a piece", () => {
    const whole = `<p><a href="https://example.com/${"x".repeat(400)}">text of the link</a></p>`
    const contents: Array<string> = []
    for (let offset: number | null = 0; offset !== null;) {
      const piece = trimHtml(whole, offset, 100)
      contents.push(piece.content)
      offset = piece.nextOffset
    }
    expect(contents).toEqual(["<p>text of the link</p>"])
  })
})
