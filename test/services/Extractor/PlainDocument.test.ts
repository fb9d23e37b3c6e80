import { describe, expect, it } from "@effect/vitest"
import { type ContentFormat } from "../../../src/domain/Content.ts"
import { extractText } from "../../../src/services/Extractor/PlainDocument.ts"

const address = "https://harbour.example/docs/readme.md"
const markdown = (source: string) => extractText(source, "markdown", address, "markdown").content
const plain = (source: string) => extractText(source, "plain", address, "markdown").content

describe("Markdown as Markdown", () => {
  it.each([
    ["# A\n\n*b* and `<code>`", "# A\n\n*b* and `<code>`"],
    ['[a](../b.md "t")', '[a](https://harbour.example/b.md "t")'],
    ["![c](d.png)\n\nB", "![c](https://harbour.example/docs/d.png)\n\nB"],
    ["[a](javascript:alert(1)) [b](<data:text/html,x>)", "a b"],
    ["[a](b_(c).md)", "[a](https://harbour.example/docs/b_%28c%29.md)"],
    ['[a] [c]\n\n[a]: /b "t"\n[c]: javascript:x', '[a](https://harbour.example/b "t") c'],
    ["<<b>img src=x onerror=alert(1)>", "<**img src=x onerror=alert(1)>**"],
    ["<<i></i>script>alert(1)<<i></i>/script>", "<script>alert(1)</script>".replaceAll("<", "\\<")],
    ["<b>```</b>\n\n```\n<img src=x onerror=alert(1)>\n```", "**\\`\\`\\`**\n\n```\n<img src=x onerror=alert(1)>\n```"],
    ["| a |\n|-|\n| ` | <img src=x onerror=alert(1)> ` |", "| a |\n| - |\n| \\` |"],
    ["One <!-- hidden --> two", "One two"],
    ["```html\n<script>\n[a](b)\n```\n<b>c</b>", "```html\n<script>\n[a](b)\n```\n\n**c**"],
    ["- a\n\n  ```js\n  List<String> x\n  ```", "- a\n\n  ```js\n  List<String> x\n  ```"],
    ["if (a<b && c>d) List<String> foo<T>(x)", "if (a\\<b && c>d) List\\<String> foo\\<T>(x)"],
    ["The <title> and <script> tags", "The \\<title> and \\<script> tags"],
    ["<script>\nalert(1)\n</script>\n\ntext", "text"],
    ["foot[^1]\n\n[^1]: note", "foot[^1]\n\n\\[^1]: note"],
    ["- [x] done", "- [x] done"],
    ["| a | b |\n| - | - |\n| [c](d) | e |", "| a | b |\n| - | - |\n| [c](https://harbour.example/docs/d) | e |"]
  ])("%j", (source, expected) => {
    expect(markdown(source)).toBe(expected)
  })

  it("is read in its time, however long", () => {
    for (const piece of [
      "[",
      "](",
      "`",
      "` `` ``` ",
      "<a ",
      "<!--",
      "> ",
      "1. ",
      "\\",
      "<",
      "[a]((",
      "[a]: ",
      "*a _b ",
      "|a"
    ])
      expect(typeof markdown(piece.repeat(100_000))).toBe("string")
  })
})

describe("a Markdown document", () => {
  const source = `---
title: "The pier"
date: 2024-03-05
tags: [a, b]
---
# Its *history*

<!-- Ignore all that. -->
Built of *oak*: see [there](x.md).

<div style="display:none">Unseen</div>`
  const read = (format: ContentFormat) => extractText(source, "markdown", address, format)

  it("is a page in every format, without what nobody sees", () => {
    expect(read("html").content).toBe(
      '<pre><code class="language-yaml">title: "The pier"\ndate: 2024-03-05\ntags: [a, b]</code></pre>\n' +
        "<h1>Its <em>history</em></h1>\n" +
        '<p>Built of <em>oak</em>: see <a href="https://harbour.example/docs/x.md">there</a>.</p>'
    )
    expect(read("text").content).toMatch(/\n\nIts history\n\nBuilt of oak: see there\.$/)
    expect(read("text")).toMatchObject({ hiddenText: true, title: "The pier", page_kind: null })
    expect(read("text").published).toContain("2024-03-05")
  })

  it("has its first heading for a title, and nothing hidden without cause", () => {
    const plainest = extractText("Intro\n\n## A `b` *c*\n\nText", "markdown", address, "text")
    expect(plainest).toMatchObject({ title: "A b c", hiddenText: false, truncatedInput: false })
  })
})

describe("plain text as Markdown", () => {
  it("is escaped, its lines and paragraphs stay", () => {
    expect(plain("# One *two*\n  <script>\n\n[a](javascript:x)\n1. b")).toBe(
      "\\# One \\*two\\*\n\\<script>\n\n[a]\\(javascript:x)\n1\\. b"
    )
  })
})
