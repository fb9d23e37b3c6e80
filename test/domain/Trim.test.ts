import { describe, expect, it } from "@effect/vitest"
import * as FastCheck from "effect/FastCheck"
import { trim, type Trimmed } from "../../src/domain/Trim.ts"

const length = (text: string) => [...text].length
const slice = (text: string, from: number, to?: number) => [...text].slice(from, to).join("")

/** Every piece of a text, read on and on by `nextOffset`. */
const pieces = (whole: string, maxLength: number): ReadonlyArray<Trimmed & { readonly offset: number }> => {
  const all: Array<Trimmed & { readonly offset: number }> = []
  for (let offset: number | null = 0; offset !== null;) {
    const piece = trim(whole, offset, maxLength)
    expect(piece.nextOffset ?? Infinity).toBeGreaterThan(offset)
    all.push({ ...piece, offset })
    offset = piece.nextOffset
  }
  return all
}

const scripts = [
  ..."abcdefghij ABC. 12! ?,;:-()\"'",
  ...["\n", "\n\n", "\r\n", "\r\n\r\n", "\t", "  ", "\u00a0", "\u2028", "\u3000"],
  ...["word", "Sentence ends here. ", "Mr. ", "don't", "https://example.com/a?b=c", "state-of-the-art"],
  ...[
    "привет",
    "Это предложение. ",
    "日本語の文章です。",
    "这是中文",
    "한국어",
    "ภาษาไทยไม่มีช่องว่าง",
    "हिन्दी में",
    "नमस्ते। "
  ],
  ...["العربية", "שלום", "ελληνικά", "தமிழ்", "አማርኛ።", "ខ្មែរ", "မြန်မာ", "বাংলা"],
  ...["👩‍👩‍👧‍👦", "🇩🇪", "🇫🇷", "👍🏽", "❤️", "🏴󠁧󠁢󠁥󠁮󠁧󠁿", "𝒳", "𠀀", "é", "a\u0308\u0301", "\u0301", "\u200d", "\u0600", "각"]
]

const texts = FastCheck.array(
  FastCheck.oneof(
    { weight: 12, arbitrary: FastCheck.constantFrom(...scripts) },
    { weight: 1, arbitrary: FastCheck.string({ unit: "binary" }) }
  ),
  { maxLength: 120 }
).map((parts) => parts.join("").trim())

const graphemes = new Intl.Segmenter("und", { granularity: "grapheme" })
const boundaries = (text: string) => {
  const found = new Set([length(text)])
  let position = 0
  for (const { segment } of graphemes.segment(text)) {
    found.add(position)
    position += length(segment)
  }
  return found
}

describe("trim", () => {
  it.prop("pieces put together are the whole", [texts, FastCheck.integer({ min: 1, max: 90 })], ([whole, max]) => {
    const read = pieces(whole, max)
    expect(read.map((piece) => slice(whole, piece.offset, piece.nextOffset ?? undefined)).join("")).toBe(whole)
    for (const piece of read) {
      expect(piece.contentLength).toBe(length(whole))
      expect(piece.returnedLength).toBe(length(piece.content))
      expect(piece.returnedLength).toBeLessThanOrEqual(max)
      expect(piece.content).toBe(piece.content.trimEnd())
      expect(slice(whole, piece.offset, piece.offset + piece.returnedLength)).toBe(piece.content)
      if (piece.nextOffset !== null) expect(slice(whole, piece.nextOffset, piece.nextOffset + 1)).toMatch(/\S/u)
    }
  })

  it.prop("no grapheme cluster is cut", [texts, FastCheck.integer({ min: 40, max: 90 })], ([whole, max]) => {
    const allowed = boundaries(whole)
    const longest = Math.max(0, ...[...graphemes.segment(whole)].map(({ segment }) => length(segment)))
    FastCheck.pre(longest <= max)
    for (const { offset, returnedLength } of pieces(whole, max)) {
      expect(allowed).toContain(offset)
      if (returnedLength > 0) expect(allowed).toContain(offset + returnedLength)
    }
  })

  it.prop("any offset will do", [texts, FastCheck.nat(400), FastCheck.integer({ min: 1, max: 90 })], (given) => {
    const [whole, offset, max] = given
    const piece = trim(whole, offset, max)
    expect(slice(whole, offset).startsWith(piece.content)).toBe(true)
    if (offset >= length(whole)) expect(piece).toMatchObject({ content: "", returnedLength: 0, nextOffset: null })
  })

  const cut = (whole: string, max: number) => trim(whole, 0, max).content

  it("ends at the last paragraph end that fits", () => {
    expect(cut("One. Two.\n\nThree. Four.\n\nFive. Six.", 30)).toBe("One. Two.\n\nThree. Four.")
    expect(cut("One. Two.\n\nThree.", 9)).toBe("One. Two.")
    expect(cut("One. Two.\r\n\r\nThree.", 12)).toBe("One. Two.")
  })

  it("else at the last sentence end", () => {
    expect(cut("First sentence. Second one! Third goes on and on", 40)).toBe("First sentence. Second one!")
    expect(cut("First sentence. Second one! Third", 27)).toBe("First sentence. Second one!")
    expect(cut("これは文です。次の文です。もう一つ続きます", 15)).toBe("これは文です。次の文です。")
    expect(cut("- one item\n- another item\n- a third", 28)).toBe("- one item\n- another item")
    expect(cut("Version 3.5 is out now", 11)).toBe("Version 3.5")
  })

  it("else at the last word end", () => {
    expect(cut("alpha beta gamma delta", 13)).toBe("alpha beta")
    expect(cut("alpha beta, gamma", 11)).toBe("alpha beta,")
    expect(cut("alpha beta gamma", 10)).toBe("alpha beta")
    expect(cut("ภาษาไทยไม่มีช่องว่างระหว่างคำ", 9)).toBe("ภาษาไทย")
  })

  it("else between two grapheme clusters", () => {
    expect(cut("abcdefghij", 4)).toBe("abcd")
    expect(cut("👩‍👩‍👧‍👦👩‍👩‍👧‍👦", 10)).toBe("👩‍👩‍👧‍👦")
    expect(cut("e\u0301".repeat(5), 5)).toBe("e\u0301e\u0301")
  })

  it("cuts a cluster that is longer than the room at the limit", () => {
    const flood = `a${"\u0301".repeat(250)} and then words`
    expect(pieces(flood, 100).map((piece) => piece.returnedLength)).toEqual([100, 100, 66])
  })

  it("returns the whole when it fits, and counts code points", () => {
    expect(trim("𠀀𠀀𠀀", 0, 3)).toEqual({ content: "𠀀𠀀𠀀", contentLength: 3, returnedLength: 3, nextOffset: null })
    expect(trim("𠀀𠀀𠀀 𠀀", 0, 3)).toEqual({ content: "𠀀𠀀𠀀", contentLength: 5, returnedLength: 3, nextOffset: 4 })
    expect(trim("", 0, 100)).toEqual({ content: "", contentLength: 0, returnedLength: 0, nextOffset: null })
    expect(trim("abc", 3, 100).nextOffset).toBe(null)
  })

  it("reads a text of ten million letters without a space", () => {
    expect(trim("x".repeat(1e7), 5_000_000, 20_000)).toMatchObject({ returnedLength: 20_000, nextOffset: 5_020_000 })
  })
})
