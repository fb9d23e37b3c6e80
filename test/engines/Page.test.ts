import { describe, expect, it } from "@effect/vitest"
import {
  all,
  decodeEntities,
  first,
  htmlPage,
  isComplete,
  textOf,
  textOfHtml,
  xmlPage
} from "../../src/services/engine/toolkit/HtmlPage.ts"

describe("Page", () => {
  it("puts a space where a block or a line break was, none inside a word", () => {
    expect(textOfHtml("in<b>side</b><br>next<p>block</p>last")?.replace(/\s+/g, " ")).toBe("inside next block last")
    expect(textOfHtml("a<script>1</script><style>2</style><!-- 3 -->b")).toBe("ab")
    expect(textOfHtml("plain")).toBe("plain")
    expect(textOfHtml(null)).toBeNull()
  })

  it("decodes what was left over without taking brackets for markup", () => {
    expect(decodeEntities("A &amp; B &lt;i&gt; <b> &#x27;")).toBe("A & B <i> <b> '")
  })

  it("refuses trees deeper or larger than any page", () => {
    expect(htmlPage("<div>".repeat(200))).not.toBeNull()
    expect(htmlPage("<div>".repeat(5_000))).toBeNull()
    expect(htmlPage("<br>".repeat(100_000))).toBeNull()
    expect(xmlPage("<a>".repeat(5_000))).toBeNull()
  })

  it("finds no more than 500 elements", () => {
    const page = htmlPage("<i></i>".repeat(600))
    expect(page === null ? 0 : all(page, "i").length).toBe(500)
  })

  it("finds none that stand deep within each other, and all beside them", () => {
    const page = htmlPage(`${"<div>".repeat(200)}${"</div>".repeat(200)}<p><div></div></p>`)
    expect(page === null ? 0 : all(page, "div").length).toBe(7)
  })

  it("reads XML in either letter case", () => {
    const page = xmlPage("<rss><pubDate>now</pubDate><link>https://a.example/</link></rss>")
    expect(page === null ? null : textOf(first(page, "pubdate")).trim()).toBe("now")
    expect(page === null ? null : textOf(first(page, "link")).trim()).toBe("https://a.example/")
  })

  it("knows a cut page", () => {
    expect(isComplete("<html><body></body></html>\n")).toBe(true)
    expect(isComplete("<html><body><p>")).toBe(false)
  })
})
