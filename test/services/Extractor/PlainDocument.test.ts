import { describe, expect, it } from "@effect/vitest"
import { extractText } from "../../../src/services/Extractor/PlainDocument.ts"

const address = "https://harbour.example/docs/readme.md"
const markdown = (source: string) => extractText(source, "markdown", address, "markdown").content
const plain = (source: string) => extractText(source, "plain", address, "markdown").content

describe("Markdown as Markdown", () => {
  it.each([
    ["# A\n\n*b* and `<code>`", "# A\n\n*b* and `<code>`"],
    ['[a](../b.md) ![c](d.png "t")', '[a](https://harbour.example/b.md) ![c](https://harbour.example/docs/d.png "t")'],
    ["[a](javascript:alert(1)) [b](<data:text/html,x>)", "[a]() [b]()"],
    ["[a](b_(c).md)", "[a](https://harbour.example/docs/b_%28c%29.md)"],
    ['[a]: /b "t"\n[c]: javascript:x', '[a]: https://harbour.example/b "t"'],
    ["<https://a.example/> <ines@a.example> <javascript:x>", "<https://a.example/> ines@a.example"],
    ["One <script>alert(1)</script> <img src=x onerror=y> a < b", "One alert(1)  a < b"],
    ["One <script\nsrc=x> two", "One \\<script\nsrc=x> two"],
    ["One <!-- hidden\n\nstill --> two", "One \n\n two"],
    ["```html\n<script>\n[a](b)\n```\n<b>c</b>", "```html\n<script>\n[a](b)\n```\nc"],
    ["    ```\n<script>x", "```\nx"],
    ["- a\n  ```\n<b>c</b>", "- a\n  ```\nc"],
    ["[a](\njavascript:x)", "[a]\\(\njavascript:x)"],
    ["[a]:\njavascript:x", "[a]\\:\njavascript:x"],
    ["[a\nb]: javascript:x", "[a\nb]\\: javascript:x"],
    ["> - [a]: javascript:x", ""],
    ["a ` b\nc ` <b> `", "a ` b\nc `  `"],
    ["| a | b |\n| - | - |\n| [c](d) | e |", "| a | b |\n| - | - |\n| [c](https://harbour.example/docs/d) | e |"]
  ])("%j", (source, expected) => {
    expect(markdown(source)).toBe(expected)
  })

  it("in linear time", () => {
    for (const piece of ["[", "](", "`", "` `` ``` ", "<a ", "<!--", "> ", "1. ", "\\", "<", "[a](("])
      expect(typeof markdown(piece.repeat(100_000))).toBe("string")
  })
})

describe("plain text as Markdown", () => {
  it("is escaped, its lines and paragraphs stay", () => {
    expect(plain("# One *two*\n  <script>\n\n[a](javascript:x)\n1. b")).toBe(
      "\\# One \\*two\\*\n\\<script>\n\n\\[a]\\(javascript:x)\n1\\. b"
    )
  })
})
