import { describe, expect, it } from "@effect/vitest"
import { toTree } from "../../../../src/services/extractor/render/Html.ts"
import { readDocument } from "../../../../src/services/extractor/scoring/MainText.ts"
import { extractPage, render as renderTree } from "../../../../src/services/extractor/Page.ts"
import { structureOf } from "../../../../src/services/extractor/render/Structure.ts"
import { address, render } from "../Rendered.ts"

const prose = "Seen by everybody: this is a paragraph of a certain length, with some commas, and an end."

describe("tables", () => {
  const table = (rows: string) => `<table><tr><th>Name<th>2019<th>2020<th>2021${rows}</table>`

  it("empty cells, cells with an image and cells without a word stay where they are", () => {
    const piece = table("<tr><td>Alpha<td><td>5<td>6<tr><td>Beta<td>—<td><img src=tick.png><td>8<tr><td>Gamma<td>9")
    expect(render(piece)).toBe("Name | 2019 | 2020 | 2021\nAlpha |  | 5 | 6\nBeta | — |  | 8\nGamma | 9")
    expect(render(piece, "markdown")).toBe(
      "| Name | 2019 | 2020 | 2021 |\n| - | - | - | - |\n| Alpha | | 5 | 6 |\n" +
        "| Beta | — | ![](https://harbour.example/stories/tick.png) | 8 |\n| Gamma | 9 | | |"
    )
    expect(render(piece, "html")).toContain("<tr><td>Alpha</td><td></td><td>5</td><td>6</td></tr>")
  })

  it("a row is chosen whole", () => {
    const rows = "<tr><td>The northern pier of the harbour<td>—<td>open to everybody in summer".repeat(3)
    const page = `<article><p>${prose}</p><table><tr><th>Place<th>Fee<th>Opening${rows}</table><p>${prose}</p></article>`
    expect(extractPage(page, address, "text").content).toContain("harbour | — | open")
  })

  it("cells that span rows or columns keep the others in their columns", () => {
    const piece = table(
      "<tr><td rowspan=2>Alpha<td colspan=2>1<td>2<tr><td>3<td>4<td>5<tr><td colspan=100>Notes<tr><td>Beta<td>6<td>7<td>8"
    )
    expect(render(piece)).toBe("Name | 2019 | 2020 | 2021\nAlpha | 1 |  | 2\n| 3 | 4 | 5\nNotes\nBeta | 6 | 7 | 8")
    expect(render(piece, "markdown")).toContain("| Alpha | 1 | | 2 |\n| | 3 | 4 | 5 |\n| Notes | | | |\n| Beta")
    expect(render(piece, "html")).toContain("<tr><td></td><td>3</td><td>4</td><td>5</td></tr>")
  })

  it("a cell is one line, whatever is in it", () => {
    const piece = table(
      "<tr><td><p>one one</p><p>two two</p><td><ul><li>a</li><li>b</li></ul><td><pre>c\nd</pre><td>e<br>f"
    )
    expect(render(piece)).toContain("\none one two two | a b | c d | e f")
    expect(render(piece, "markdown")).toContain("\n| one one two two | a b | c d | e f |")
    expect(render(piece, "html")).toContain("<td>one one<br>two two</td><td>a<br>b</td><td>c d</td><td>e<br>f</td>")
  })

  it("what is too ragged for a table becomes paragraphs", () => {
    const wide = `<table><tr>${"<th>head".repeat(300)}</tr>${`<tr><td>${prose}</td></tr>`.repeat(300)}</table>`
    expect(render(wide)).toContain(`${prose}\n\n${prose}`)
    expect(render(wide, "markdown")).not.toContain("|")
    expect(render(wide, "html")).not.toContain("<td>")
  })
})

describe("line breaks", () => {
  const verses =
    "<p>Roses are red,<br>violets are blue.<br> <br>A second<br>\nverse.</p><div>1 Pier Road<br>Harbour</div>"

  it("one ends a line, two end a paragraph", () => {
    expect(render(verses)).toBe("Roses are red,\nviolets are blue.\n\nA second\nverse.\n\n1 Pier Road\nHarbour")
    expect(render(verses, "markdown")).toBe(
      "Roses are red,\\\nviolets are blue.\n\nA second\\\nverse.\n\n1 Pier Road\\\nHarbour"
    )
    expect(render(verses, "html")).toBe(
      "<p>Roses are red,<br>violets are blue.</p>\n<p>A second<br>verse.</p>\n<p>1 Pier Road<br>Harbour</p>"
    )
  })

  it("in code they are line ends", () => {
    const code = "<pre>first<br>second<br><br>third</pre>"
    expect(render(code)).toBe("first\nsecond\n\nthird")
    expect(render(code, "markdown")).toBe("```\nfirst\nsecond\n\nthird\n```")
  })
})

describe("lists", () => {
  it("paragraphs and code in an item are parted by blank lines, items are not", () => {
    const list = `<ul><li><p>First paragraph of the item.</p><p>Second paragraph.</p></li><li>Another item<pre>code
 here</pre>after the code<ul><li>inner item</li></ul>after the list</li><li>two<br>lines</li></ul>`
    expect(render(list)).toBe(
      "- First paragraph of the item.\n\n  Second paragraph.\n- Another item\n\ncode\n here\n\n  after the code\n" +
        "  - inner item\n\n  after the list\n- two\n  lines"
    )
  })

  it("ordered lists are numbered as a browser numbers them", () => {
    const list =
      "<ol start=5><li>five<li>six<li value=9>nine<li>ten<ol><li>inner</ol></ol><ol reversed><li>two<li>one</ol>"
    expect(render(list)).toBe("5. five\n6. six\n9. nine\n10. ten\n  1. inner\n\n2. two\n1. one")
    expect(render(list, "markdown")).toMatch(
      /^5\. five\n6\. six\n\n9\) nine\n10\) ten\n {4}1\. inner\n\n2\. two\n\n1\) one$/
    )
    expect(render(list, "html")).toContain(
      '<ol start="5"><li>five</li><li>six</li></ol>\n<ol start="9"><li>nine</li><li>ten<ol>'
    )
  })

  it("of definitions: a term is not chosen without what it means", () => {
    const list = `<dl><dt>Term one</dt><dd>${prose}</dd><dt>Term two</dt><dd>Def two</dd></dl>`
    const { content } = extractPage(
      `<article><h1>Terms</h1><p>${prose}</p>${list}<p>${prose}</p></article>`,
      address,
      "text"
    )
    expect(content).toContain(`Term one\n${prose}\nTerm two\nDef two\n\n`)
    expect(render("<dl><dt>Term<dd><p>One.</p><p>Two.</p><dt>Other<dd>Three.</dl>")).toBe(
      "Term\nOne.\n\nTwo.\nOther\nThree."
    )
  })
})

describe("inline elements", () => {
  it("that their style makes blocks of stand for themselves, links too", () => {
    const spans = `<div><span style="display:block">One</span><span style="display: block">two</span>
      <a href="/b" style="display:block">three</a>four <b style="display:inline-block">five</b></div>`
    expect(render(spans)).toBe("One\n\ntwo\n\nthree\n\nfour five")
    expect(render(spans, "markdown")).toBe("One\n\ntwo\n\n[three](https://harbour.example/b)\n\nfour **five**")
  })
})

describe("links", () => {
  it("are seen from the base of the document, not from one in an image or a template", () => {
    const piece = `<p>${prose} <a href="b">More of it</a></p>`
    const evil = `<svg><base href="https://evil.example/"></svg><template><base href="https://evil.example/"></template>`
    const found = (head: string) =>
      extractPage(`<head>${head}</head><body>${evil}${piece}</body>`, address, "markdown").content
    expect(found("")).toContain("(https://harbour.example/stories/b)")
    expect(found('<base target=_blank><base href="/files/">')).toContain("(https://harbour.example/files/b)")
  })
})

describe("what could run", () => {
  const hostile = `<p onclick="x()" id=a class=b style="color:red">One <a href="javascript:alert(1)">two</a>
    <a href=" java\nscript:alert(1)">three</a> <a href="data:text/html,<script>x()</script>">four</a>
    <a href="vbscript:x">five</a> <a href="b" title='"><script>x()</script>' target=_blank onmouseover=x()>six</a></p>
    <script>alert(1)</script><style>p{}</style><iframe src="https://evil.example/">x</iframe><object data=x></object>
    <form action="https://evil.example/"><input name=q autofocus onfocus=x()></form><svg onload=x()><script>x()</script></svg>
    <p>Seven <img src="javascript:x" onerror=x()> <img src="c.png" alt='"><script>' srcset="x" onerror=x()></p>
    <pre><code class="language-js onload" onclick=x()>&lt;script&gt;eight()&lt;/script&gt;</code></pre>`

  it("is in no HTML, not as an element, nor as an attribute, nor behind a link", () => {
    expect(render(hostile, "html")).toBe(
      '<p>One two three four five <a href="https://harbour.example/stories/b" title="&#x22;><script>x()</script>">six</a>' +
        '</p>\n<p>Seven <img src="https://harbour.example/stories/c.png" alt="&#x22;><script>"></p>\n' +
        '<pre><code class="language-js">&#x3C;script>eight()&#x3C;/script></code></pre>'
    )
  })

  it("is in no Markdown either", () => {
    expect(render(hostile, "markdown")).toBe(
      'One two three four five [six](https://harbour.example/stories/b "\\"><script>x()</script>")\n\n' +
        'Seven ![">\\<script>](https://harbour.example/stories/c.png)\n\n```js\n<script>eight()</script>\n```'
    )
  })

  it("is taken out of whatever was put together", () => {
    const { page } = readDocument(`<body><p>${prose}</p><blockquote>${prose}</blockquote></body>`, address)
    const structure = structureOf(page)
    const tags = structure.tags.map((tag) => (tag === "p" ? "script" : tag === "blockquote" ? "iframe" : tag))
    const selection = { page, chosen: page.blocks.map(() => true) }
    const { tree } = toTree(selection, { ...structure, tags }, address)
    expect(renderTree(tree, "html")).toBe(`<p>${prose}</p>\n<p>${prose}</p>`)
  })
})
