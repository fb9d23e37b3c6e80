import { describe, expect, it } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import { type ContentFormat } from "../../../../src/domain/Content.ts"
import { extractText } from "../../../../src/services/extractor/formats/TextDocument.ts"
import { isSlow } from "../../../support/Cases.ts"

const address = "https://harbour.example/docs/readme.md"
const markdown = (source: string) => extractText(source, "markdown", address, "markdown").content
const plain = (source: string) => extractText(source, "plain", address, "markdown").content

describe("Markdown as Markdown", () => {
  it.each([
    ["# A\n\n*b* and `<code>`", "# A\n\n*b* and `<code>`"],
    ['[a](../b.md "t")', '[a](https://harbour.example/b.md "t")'],
    ["![c](d.png)", "![c](https://harbour.example/docs/d.png)"],
    ["A\n\n![c](d.png)", "A\n\n![c](https://harbour.example/docs/d.png)"],
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

  it("is read, however long", () => {
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
      expect(typeof markdown(piece.repeat(isSlow ? 100_000 : 3_000))).toBe("string")
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

describe("a Markdown document that takes too long", () => {
  it("is its source, without comments", () => {
    const timeIsUp = () => () => true
    const source = `# A <b>\n\n<!-- hidden -->${"*b* ".repeat(200)}`
    const read = (format: ContentFormat) => extractText(source, "markdown", address, format, timeIsUp)
    expect(read("text")).toMatchObject({ content: `# A <b>\n\n${"*b* ".repeat(200)}`.trim(), hiddenText: true })
    expect(read("markdown").content).toMatch(/^\\# A \\<b>\n\n\\\*b\\\* /)
  })
})

describe("plain text as Markdown", () => {
  it("is escaped, its lines and paragraphs stay", () => {
    expect(plain("# One *two*\n  <script>\n\n[a](javascript:x)\n1. b")).toBe(
      "\\# One \\*two\\*\n\\<script>\n\n[a]\\(javascript:x)\n1\\. b"
    )
  })
})

describe("JSON", () => {
  const json = (source: string) => extractText(source, "json", address, "text").content

  it("keeps its numbers, names and strings to the letter", () => {
    const members = [
      '"id": 1234567890123456789',
      '"price": 10.00',
      '"exp": 1E400',
      '"z": -0',
      '"a,{": "\\u00e9\\"["',
      '"id": []'
    ]
    expect(json(`{${members.join(",").replaceAll(": ", ":")}}`)).toBe(
      `{\n${members.map((member) => `  ${member}`).join(",\n")}\n}`
    )
  })

  it.prop("is laid out as everybody does", [fc.jsonValue()], ([value]) => {
    expect(json(JSON.stringify(value, null, 1))).toBe(JSON.stringify(value, null, 2).trim())
  })

  it("that is none stays as it is", () => {
    for (const source of ['{"a":1,}', '{"a":1}\n{"b":2}', "[01]"]) expect(json(source)).toBe(source)
  })
})

describe("XHTML", () => {
  const prose = "Seen by everybody: this is a paragraph of a certain length, with some commas, and an end."

  it("has elements that close themselves, and CDATA", () => {
    const source = `<?xml version="1.0"?><!-- <p/> --><html xmlns="http://www.w3.org/1999/xhtml"><head><title/>
      <script src="a.js"/><style type="a>b"/></head><body><div id='a/>'/><p>${prose}<br/>${prose}</p><textarea/>
      <script>//<![CDATA[
      if (a < b) x("<p/>") //]]></script><p><![CDATA[1 < 2 & ${prose}]]></p></body></html>`
    const found = extractText(source, "xhtml", address, "text")
    expect(found.title).toBeNull()
    expect(found.content).toBe(`${prose}\n${prose}\n\n1 < 2 & ${prose}`)
  })

  it("is read on where it is no XML", () => {
    expect(extractText(`<body><p/><p>${prose} a < b <i x="</p>`, "xhtml", address, "text").content).toContain(prose)
  })
})
