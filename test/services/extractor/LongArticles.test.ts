import { describe, expect, it } from "@effect/vitest"
import { sample } from "../../support/Cases.ts"
import { extractPage } from "../../../src/services/extractor/Page.ts"

const words =
  `lighthouse keeper wrote weather every large books ships passed summer winter nobody months rock built hand years
  families island harbour stone tower lamp glass storm water boats village road garden bread letters`.split(/\s+/)

/** Paragraph number `index`, unlike any other: three to five sentences of 8 to 15 words. */
const paragraph = (index: number): string =>
  Array.from({ length: 3 + (index % 3) }, (_, line) => {
    const said = Array.from(
      { length: 6 + ((index * 7 + line * 3) % 8) },
      (_, at) => words[(index * 13 + line * 5 + at * (1 + (index % 5))) % words.length]
    )
    return `In ${index * 5 + line} the ${said.join(" ")}.`
  }).join(" ")

/** Paragraphs of one wording, of some 50 words, that differ by a number. */
const equalParagraph = (index: number): string =>
  `Paragraph number ${index} says that the lighthouse on the outermost rock was built by hand over many years. The ` +
  "keepers lived there with their families, and wrote down the weather of every day in large books. Ships passed in " +
  "summer, and in winter nobody came for months at a time."

const paragraphsOf = (length: number, of: (index: number) => string) => Array.from({ length }, (_, index) => of(index))

const elements = (texts: ReadonlyArray<string>) => texts.map((text) => `<p>${text}</p>`)
const withHeadings = (paragraphs: ReadonlyArray<string>) =>
  paragraphs.map((text, index) => (index % 10 === 0 ? `<h2>Chapter ${index / 10 + 1}</h2>${text}` : text))

const navigation = `<header><nav><ul><li><a href="/">Home</a></li><li><a href="/news">News</a></li></ul></nav></header>`
const comments = Array.from(
  { length: 30 },
  (_, index) =>
    `<div class="comment"><span class="author">Reader ${index}</span><p>Thanks UNWANTED for this, I had never heard
    of number ${index} before and I will read it again tomorrow with my children.</p></div>`
).join("\n")
const related = Array.from(
  { length: 8 },
  (_, index) =>
    `<div class="card"><a href="/${index}"><h3>Another UNWANTED article ${index}</h3></a><p>One more UNWANTED story of
    the harbour and its people that you will like, number ${index} of the series.</p></div>`
).join("\n")
const tail = `<section class="comments"><h2>Comments</h2>${comments}</section>
<aside class="related"><h2>Related articles</h2>${related}</aside>
<footer><p>Copyright UNWANTED 2024 the Long Reads Company, all rights reserved in every country of the world.</p>
<ul><li><a href="/imprint">Imprint</a></li><li><a href="/privacy">Privacy</a></li></ul></footer>`

const pageOf = (main: string, before = "", after = "") =>
  `<!doctype html><html lang="en"><head><title>Long</title></head><body>${before}${main}${after}</body></html>`

const textOf = (html: string) => {
  const { content, truncatedInput } = extractPage(html, "https://made.example/long", "text")
  expect(truncatedInput).toBe(false)
  return content
}

/** Those of the texts that a page does not give, by their numbers. */
const missing = (content: string, texts: ReadonlyArray<string>) => {
  const lines = new Set(content.split("\n"))
  return texts.flatMap((text, index) => (lines.has(text) ? [] : [index]))
}

const lengths = sample([100, 300, 200, 600, 1_200, 3_000], 2)
const wordings = { distinct: paragraph, equal: equalParagraph }

describe("an article of any length is given whole", () => {
  for (const container of ["article", "main", "div"])
    for (const [wording, of] of Object.entries(wordings))
      it.each(lengths)(`${container}, ${wording} paragraphs: %i`, (length) => {
        const texts = paragraphsOf(length, of)
        const main = `<${container}><h1>Long</h1>\n${elements(texts).join("\n")}\n</${container}>`
        expect(missing(textOf(pageOf(main)), texts)).toEqual([])
      })

  it.each(lengths)(
    "with chapters, and comments, related articles and a footer after it that stay out: %i",
    (length) => {
      const texts = paragraphsOf(length, paragraph)
      for (const container of ["article", "div"]) {
        const main = `<${container}><h1>Long</h1>\n${withHeadings(elements(texts)).join("\n")}\n</${container}>`
        const content = textOf(pageOf(main, navigation, tail))
        expect(missing(content, texts)).toEqual([])
        expect(content.match(/Chapter \d+/g)).toHaveLength(length / 10)
        expect(content).not.toContain("UNWANTED")
      }
    }
  )

  it.each(lengths)("in sections, and with short lines of dialogue: %i", (length) => {
    const texts = paragraphsOf(length, (index) =>
      index % 3 === 1 ? `“Not number ${index},” he said.` : paragraph(index)
    )
    const sections = Array.from(
      { length: length / 10 },
      (_, index) => `<section>${elements(texts.slice(index * 10, index * 10 + 10)).join("\n")}</section>`
    )
    const content = textOf(pageOf(`<article><h1>Long</h1>${sections.join("\n")}</article>`, navigation, tail))
    expect(missing(content, texts)).toEqual([])
    expect(content).not.toContain("UNWANTED")
  })

  it.each(lengths)("parted by line breaks: %i", (length) => {
    const texts = paragraphsOf(length, paragraph)
    const content = textOf(pageOf(`<div><h1>Long</h1>${texts.join("<br><br>\n")}</div>`, navigation, tail))
    expect(missing(content, texts)).toEqual([])
    expect(content).not.toContain("UNWANTED")
  })

  it.each([30, 100])("without the two hundred long comments below it: %i", (length) => {
    const texts = paragraphsOf(length, paragraph)
    const below = paragraphsOf(200, (index) => `${paragraph(index + 5_000)} UNWANTED`)
    const items = below.map((text, index) => `<li class="comment"><cite>Reader ${index}</cite><p>${text}</p></li>`)
    const main = `<main><article><h1>Long</h1>\n${elements(texts).join("\n")}\n</article>
      <section id="comments"><h2>Comments</h2><ol class="comment-list">${items.join("\n")}</ol></section></main>`
    const content = textOf(pageOf(main, navigation, ""))
    expect(missing(content, texts)).toEqual([])
    expect(content).not.toContain("UNWANTED")
  })
})
