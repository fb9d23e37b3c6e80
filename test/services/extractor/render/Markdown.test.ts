import { describe, expect, it } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import type { ElementContent } from "hast"
import MarkdownIt from "markdown-it"
import { element } from "../../../../src/services/extractor/dom/Elements.ts"
import { escapedText, toMarkdownText } from "../../../../src/services/extractor/render/Markdown.ts"
import { extractText } from "../../../../src/services/extractor/formats/TextDocument.ts"
import { isSlow } from "../../../support/Cases.ts"

const reader = new MarkdownIt({ html: true })
reader.validateLink = () => true

/** Whatever a renderer that lets everything through would make of Markdown but text and links of the web. */
const active = (markdown: string): ReadonlyArray<string> =>
  reader
    .parse(markdown, {})
    .flatMap((token) => [token, ...(token.children ?? [])])
    .filter((token) =>
      token.type.startsWith("html")
        ? true
        : [token.attrGet("href"), token.attrGet("src")].some((url) => url !== null && !/^https?:\/\//.test(String(url)))
    )
    .map(({ content, type }) => `${type} ${content}`)

/** What a reader sees of Markdown, white space left out. */
const seen = (markdown: string): string =>
  reader
    .parse(markdown, {})
    .flatMap((token) => (token.type === "fence" || token.type === "code_block" ? [token] : (token.children ?? [])))
    .map(({ content }) => content)
    .join("")
    .replace(/\s/g, "")

const pieces = (some: ReadonlyArray<string>, count = 14) =>
  fc.array(fc.constantFrom(...some), { maxLength: count }).map((parts) => parts.join(""))

const sources = pieces([
  ..."<>`~[]()!*_\\|&:#\"'/ \n-+=.1a".split(""),
  ...["img src=x onerror=alert(1)", "<b>", "</b>", "<script>", "</script>", "<!--", "-->", "<div>", '<a href="', '">'],
  ...[
    "javascript:alert(1)",
    "data:text/html,x",
    "http://a.example/b_c",
    "](",
    "]: ",
    "[a]",
    "```",
    "~~~",
    "    ",
    "\n\n"
  ],
  ...["> ", "- ", "1. ", "|-|-|\n", "| a | b |\n", "&lt;", "&#60;", "<iframe src=", "<svg/onload=x>", "\t", "<?", "]]>"]
])

const marks = ["`", "*", "_", "~", "[", "]", "(", ")", "!", "<", ">", "&", "|", "#", "\\", ":", "-", "+", "=", "."]
const texts = pieces([...marks, "a", "b1", "1.", " ", "é", "“", "&amp;", "amp;", "a_b", "**", "--", "```", "[a](b)"], 8)

const inline = fc.letrec<{ readonly node: ElementContent }>((tie) => ({
  node: fc.oneof(
    { maxDepth: 3 },
    texts.map((value): ElementContent => ({ type: "text", value })),
    fc
      .tuple(fc.constantFrom("strong", "em", "del"), fc.array(tie("node"), { maxLength: 3 }))
      .map(([name, children]) => element(name, {}, children)),
    texts.map((code) => element("code", {}, [code])),
    texts.map((label) => element("a", { href: "https://a.example/b_(c)" }, [label]))
  )
})).node

const textOf = (node: ElementContent): string =>
  node.type === "text" ? node.value : node.type === "element" ? node.children.map(textOf).join("") : ""

describe("Markdown", () => {
  it("of whatever source has no HTML and no link to elsewhere than the web", () => {
    fc.assert(
      fc.property(sources, (source) => {
        const { content } = extractText(source, "markdown", "https://harbour.example/", "markdown")
        expect(active(content)).toEqual([])
      }),
      { numRuns: isSlow ? 3_000 : 100 }
    )
  })

  it("of plain text says the same as the text, and has no markup", () => {
    fc.assert(
      fc.property(sources, (source) => {
        const markdown = escapedText(source)
        expect(active(markdown)).toEqual([])
        expect(seen(markdown)).toBe(source.replace(/\s/g, ""))
      }),
      { numRuns: isSlow ? 3_000 : 100 }
    )
  })

  it("says all that the page says, however its markup is put together", () => {
    fc.assert(
      fc.property(fc.array(inline, { maxLength: 5 }), (children) => {
        const markdown = toMarkdownText({ type: "root", children: [element("p", {}, children)] })
        expect(active(markdown)).toEqual([])
        expect(seen(markdown)).toBe(children.map(textOf).join("").replace(/\s/g, ""))
      }),
      { numRuns: isSlow ? 3_000 : 100 }
    )
  })

  const paragraph = (...children: ReadonlyArray<ElementContent | string>) =>
    toMarkdownText({ type: "root", children: [element("p", {}, children)] })

  it("keeps an underscore of a word in emphasis behind another", () => {
    const emphasis = [element("em", {}, [element("del", {}, ["`"])]), element("em", {}, ["a_b"])]
    const markdown = paragraph(element("strong", {}, emphasis))
    expect(seen(markdown)).toBe("`a_b")
  })

  it.each([
    "See https://example.com/a_b?c=d&e=f, www.example.org and shop@pell.example.",
    "snake_case, 2 * 3, AT&T, ~5 km, a < b, [1], [x] and #hashtag: a|b (or so).",
    "It ends - with 1.5 and 2) + this = that!"
  ])("leaves as it is: %s", (text) => {
    expect(paragraph(text)).toBe(text)
  })

  it("gives addresses as they are, as far as these are addresses then", () => {
    const link = (href: string) => paragraph(element("a", { href, title: "&amp;" }, ["x"]))
    expect(link("https://a.example/a_b?c=d&org=(e)*")).toBe('[x](https://a.example/a_b?c=d&org=%28e%29* "\\&amp;")')
    expect(reader.render(link("https://a.example/?a&copy;b"))).toContain('href="https://a.example/?a&amp;copy;b"')
  })

  it("takes white space and punctuation out of emphasis rather than to write references", () => {
    expect(paragraph(element("strong", {}, ["The end."]), "Next")).toBe("**The end**.Next")
    expect(paragraph("On ", element("em", {}, ["Sunday "]), "evening")).toBe("On *Sunday* evening")
    expect(paragraph(element("em", {}, [" tina wrote:"]), "Which")).toBe("*tina wrote*:Which")
    expect(paragraph(element("strong", {}, [element("code", {}, ["Foo"])]), "s")).toBe("`Foo`s")
    expect(paragraph(element("code", {}, ["a"]), element("code", {}, ["b"]))).toBe("`ab`")
  })
})
