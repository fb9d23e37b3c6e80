import { describe, expect, it } from "@effect/vitest"
import { type ContentFormat } from "../../../src/domain/Content.ts"
import { extractPage } from "../../../src/services/Extractor/Page.ts"

const formats: ReadonlyArray<ContentFormat> = ["text", "markdown", "html"]
const lengths = (page: string) =>
  formats.map((format) => extractPage(page, "https://harbour.example/", format).content.length)

// Each of these took from three seconds up to half a minute, beyond the time that a test is given.
describe("pages that are small to send and were slow to read", () => {
  it("white space without an end in a listing", () => {
    for (const length of lengths(`<pre>a${" ".repeat(200_000)}x</pre>`)) expect(length).toBeGreaterThan(200_000)
    expect(extractPage("<pre>  \n \n  a\n b  \n</pre>", "https://harbour.example/", "text").content).toBe("a\n b")
  })

  it("inline markup in inline markup", () => {
    for (const length of lengths("<i class=a>x".repeat(70_000))) expect(length).toBeLessThan(500_000)
  })
})
