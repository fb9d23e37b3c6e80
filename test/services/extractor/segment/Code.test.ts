import { describe, expect, it } from "@effect/vitest"
import { type ContentFormat } from "../../../../src/domain/Content.ts"
import { extractPage } from "../../../../src/services/extractor/Page.ts"

const prose =
  "<p>Seen by everybody: this is a paragraph of a certain length, with some commas in it, and a second part that goes on.</p>"
const address = "https://harbour.example/manual/"

const linesOf = ["apiVersion: v1", "kind: Service", "spec:", "  ports:", "  - port: 80"]
const code = linesOf.join("\n")
const around = (listing: string) => `<article><h1>Ports</h1>${prose}${prose}${listing}${prose}${prose}</article>`
const render = (listing: string, format: ContentFormat = "markdown") =>
  extractPage(around(listing), address, format).content

describe("a listing is one block", () => {
  const layouts = {
    "lines that are boxes": (line: string) => `<span style="display:flex"><span>${line}\n</span></span>`,
    "lines that are blocks": (line: string) => `<div class=line>${line}</div>`,
    "lines that are rows": (line: string) => `<table><tr><td>${line}</td></tr></table>`,
    "lines that end with breaks": (line: string) => `${line}<br>`,
    "lines with numbers": (line: string) => `<span class=lineno>12</span>${line}\n`,
    "lines with numbers that nobody copies": (line: string) => `<span style="user-select:none"> 7 </span>${line}\n`,
    "lines with numbers in cells": (line: string) =>
      `<table><tr><td class="hljs-ln-numbers" data-line-number=1></td><td>${line}</td></tr></table>`
  }
  for (const [name, layOut] of Object.entries(layouts))
    it(name, () => {
      const listing = `<pre><code class=language-yaml>${linesOf.map(layOut).join("")}</code></pre>`
      expect(render(listing)).toContain(`\n\n\`\`\`yaml\n${code}\n\`\`\`\n\n`)
      expect(render(listing, "text")).toContain(`\n\n${code}\n\n`)
    })

  it("without its numbers, where a table holds both", () => {
    const numbers = linesOf.map((_, index) => index + 1).join("\n")
    const tables = [
      `<div class=highlight><pre><table class=rouge-table><tr><td class=rouge-gutter><pre>${numbers}</pre><td class=rouge-code><pre>${code}</pre></table></pre></div>`,
      `<figure class=highlight><table><tr><td class=gutter><pre>${numbers}</pre><td class=code><pre>${code}</pre></table></figure>`,
      `<table class=highlighttable><tr><td class=linenos><div class=linenodiv><pre>${numbers}</pre></div><td class=code><pre>${code}</pre></table>`,
      `<table><tr><td><pre>${numbers}</pre><td><div><pre>${code}</pre></div></table>`
    ]
    for (const table of tables) {
      expect(render(table)).toContain(`\n\n\`\`\`\n${code}\n\`\`\`\n\n`)
      expect(render(table)).not.toContain("|")
    }
  })

  it("the language of a table of code is that of what is around it", () => {
    const table = `<div class="language-ruby highlighter-rouge"><div class=highlight><pre class=highlight><code><table><tr><td class=gutter><pre>1</pre><td class=code><pre>puts 1 + 41</pre></table></code></pre></div></div>`
    expect(render(table)).toContain("```ruby\nputs 1 + 41\n```")
    const figure = `<figure class="highlight js"><table><tr><td class=gutter><pre>1</pre><td class=code><pre>call(1, 41)</pre></table></figure>`
    expect(render(figure)).toContain("```js\ncall(1, 41)\n```")
  })

  it("but for a page that is laid out in one", () => {
    const page = `<pre><h1>Ports</h1>${prose}${prose}<nav><a href=/a>One</a> <a href=/b>Two</a></nav></pre>`
    const { content } = extractPage(page, address, "text")
    expect(content).toContain("Seen by everybody")
    expect(content).not.toContain("Two")
  })

  it("numbers that count nothing stay", () => {
    expect(render("<pre>1\n2\n3 and more</pre>", "text")).toContain("1\n2\n3 and more")
    expect(render("<table><tr><th>Year<th>Boats<tr><td>2019<td>12<tr><td>2020<td>14</table>", "text")).toContain(
      "2019 | 12"
    )
  })
})
