import { describe, expect, it, vi } from "@effect/vitest"
import { type ContentFormat } from "../../../src/domain/Content.ts"
import { extractPage } from "../../../src/services/extractor/Page.ts"

const formats: ReadonlyArray<ContentFormat> = ["text", "markdown", "html"]

/** A look at the clock comes after so many nodes or steps; budgets bound both. */
const mostLooks = 10_000

/** How long each format's text is. Counts the looks at the clock, which tell of the steps taken; no time ends any. */
const lengths = (page: string) =>
  formats.map((format) => {
    const counted = { looks: 0 }
    const limits = () => () => {
      counted.looks++
      return false
    }
    const { content } = extractPage(page, "https://harbour.example/", format, limits)
    expect(counted.looks, `looks at the clock for ${format}`).toBeLessThan(mostLooks)
    return content.length
  })

// How long they take is for `npm run bench:hostile`: a slow machine must not fail here.
vi.setConfig({ testTimeout: 240_000 })

describe("pages that are small to send and were slow to read", () => {
  it("white space without an end in a listing", () => {
    for (const length of lengths(`<pre>a${" ".repeat(200_000)}x</pre>`)) expect(length).toBeGreaterThan(200_000)
    expect(extractPage("<pre>  \n \n  a\n b  \n</pre>", "https://harbour.example/", "text").content).toBe("a\n b")
  })

  it("inline markup in inline markup", () => {
    for (const length of lengths("<i class=a>x".repeat(70_000))) expect(length).toBeLessThan(500_000)
  })

  it("tables that are wide in one row only", () => {
    const wide = `<table><tr>${"<th>h".repeat(2_500)}</tr>${"<tr><td>one cell</td></tr>".repeat(2_500)}</table>`
    const spanning = `<table>${"<tr><td colspan=1000 rowspan=1000>a<td colspan=1000>b".repeat(2_500)}</table>`
    for (const page of [wide, spanning]) for (const length of lengths(page)) expect(length).toBeLessThan(200_000)
  })

  it("links behind a base, or to an address, without an end", () => {
    const base = `<base href="https://harbour.example/${"x/".repeat(5_000)}">${'<a href="b">word</a> and '.repeat(9_000)}`
    const link = `<p>Some text <a href="/${"(".repeat(1_000_000)}">of it</a>`
    for (const page of [base, link]) for (const length of lengths(page)) expect(length).toBeLessThan(1_000_000)
  })

  it("images without an end", () => {
    const page = `<p>Some text.</p>${"<img src=a.png alt=b>".repeat(100_000)}<p>The end of it.</p>`
    for (const format of ["markdown", "html"] as const)
      expect(extractPage(page, "https://harbour.example/", format)).toMatchObject({ truncatedInput: true })
  })
})
