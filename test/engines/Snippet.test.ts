import { describe, expect, it } from "@effect/vitest"
import { first, htmlPage } from "../../src/services/engine/toolkit/HtmlPage.ts"
import { passageOf, withoutDate } from "../../src/services/engine/toolkit/Snippet.ts"
import { now } from "./Asking.ts"

describe("a date in front of a snippet", () => {
  it("goes, in whatever language and behind whatever separator", () => {
    const dated = [
      "5 days ago · Text",
      "Jul 16, 2025 · Text",
      "2 Sep 2014 ... Text",
      "20.08.2025 — Text",
      "02.08.2025 ... Text",
      "Dec 13, 2024 - Text",
      "vor 5 Tagen · Text",
      "il y a 3 jours … Text",
      "hace 2 días ... Text",
      "3 dni temu · Text",
      "5 дней назад — Text",
      "20. Aug. 2025 · Text",
      "12 de agosto de 2025 · Text",
      "2025年8月2日 · Text",
      "3 日前 ... Text"
    ]
    for (const snippet of dated) expect([snippet, withoutDate(snippet, now)]).toEqual([snippet, "Text"])
  })

  it("is told from the passage's own beginning", () => {
    const undated = [
      "Windows 11 · tips",
      "10 Filme 2024 – die besten",
      "Since 2014 ... it grew",
      "In 5 days ... done",
      "text"
    ]
    for (const snippet of undated) expect(withoutDate(snippet, now)).toBe(snippet)
  })

  it("and what else is no passage goes from any depth", () => {
    const passage = (html: string) => {
      const page = htmlPage(html)
      const snippet = page && first(page, "p")
      return snippet && passageOf(snippet, ["date", "more"], now)
    }
    expect(
      passage(`<p><span><span class="x date y">gestern</span> · </span>A <b>text</b> <a class="more">More</a></p>`)
    ).toBe("A text")
    expect(passage(`<p>- a list of dashes</p>`)).toBe("- a list of dashes")
  })
})
