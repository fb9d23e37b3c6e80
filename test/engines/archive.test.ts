import { describe, expect, it } from "@effect/vitest"
import { archive } from "../../src/services/engine/catalogue/archive.ts"
import { firstPage } from "../../src/services/engine/Engine.ts"
import { fixture, itemsOf, nextOf, outcomeOf, query, read, sent } from "./Asking.ts"

const { books, videos } = archive.sources

type Given = Parameters<typeof query>[0]

const asked = (given: Given = {}, page = 1) => sent(videos.request(query(given), { page, form: null }))

describe("archive", () => {
  it("asks for films or for books", () => {
    expect(asked({}, 3)).toMatchObject({
      q: "(red panda) AND mediatype:(movies)",
      rows: "50",
      page: "3",
      output: "json"
    })
    expect(asked()["fl[]"]).toMatch(/^identifier title creator .*downloads$/)
    expect(sent(books.request(query(), firstPage))["q"]).toBe("(red panda) AND mediatype:(texts)")
  })

  it("narrows by the day of arrival and by licence", () => {
    expect(asked({ timelimit: "w" })["q"]).toBe(
      "(red panda) AND mediatype:(movies) AND publicdate:[2026-07-19 TO 2026-07-26]"
    )
    expect(asked({ license_videos: "creativeCommon" })["q"]).toMatch(/ AND licenseurl:\*creativecommons\*$/)
    expect(videos.lacks(query({ license_videos: "youtube" }))).toEqual(["license_videos"])
    expect(videos.lacks(query({ license_videos: "creativeCommon" }))).toEqual([])
  })

  it("lets no sign of Lucene's through but quotations in pairs", () => {
    const words = (text: string) => asked({ text })["q"]?.replace(/^\((.*)\) AND mediatype.*$/, "$1")
    expect(words("AC/DC (live): what's on?")).toBe("AC DC live what's on")
    expect(words('"red panda" cubs')).toBe('"red panda" cubs')
    expect(words('6" pipe')).toBe("6 pipe")
    expect(words("cats AND dogs OR NOT title:x^2")).toBe("cats and dogs or not title x 2")
    expect(words(") OR mediatype:(software")).toBe("or mediatype software")
    expect(words("?!")).toBe('""')
  })

  it("reads videos", () => {
    const items = itemsOf(read(videos, fixture("archive/videos.json")))
    expect(items.length).toBe(3)
    expect(items[0]).toMatchObject({
      title: "The Red Panda at Home",
      url: "https://archive.org/details/red-panda-1962",
      description: "Two red pandas play in the snow & eat bamboo.",
      duration: "12:34",
      embed_url: "https://archive.org/embed/red-panda-1962",
      images: { medium: "https://archive.org/services/img/red-panda-1962" },
      published: "2014-05-02T11:20:33.000Z",
      uploader: "Zoo Film Unit",
      statistics: { viewCount: 8123 }
    })
    expect(items[1]).toMatchObject({
      title: "Panda news",
      description: "First line. Second line.",
      duration: null,
      uploader: "A. Maker, B. Maker"
    })
    expect(items[2]).toMatchObject({ title: "Only a title", uploader: null, statistics: { viewCount: null } })
  })

  it("reads books", () => {
    expect(itemsOf(read(books, fixture("archive/books.json")))).toEqual([
      {
        title: "On the mammals of Nepal",
        url: "https://archive.org/details/mammalsofnepal00hodg",
        author: "Brian Houghton Hodgson, John Edward Gray",
        publisher: "London : Taylor",
        info: "eng, lat; 212 page images; 1841",
        thumbnail: "https://archive.org/services/img/mammalsofnepal00hodg",
        year: 1841,
        language: "eng, lat",
        isbn: null
      },
      {
        title: "Red panda: biology and conservation",
        url: "https://archive.org/details/redpandabiology",
        author: "Angela R Glatston",
        publisher: "Elsevier",
        info: "English; 496 page images; 2011",
        thumbnail: "https://archive.org/services/img/redpandabiology",
        year: 2011,
        language: "English",
        isbn: "9781437778137"
      },
      {
        title: "Das Pandabuch",
        url: "https://archive.org/details/pandabuch",
        author: null,
        publisher: null,
        info: null,
        thumbnail: "https://archive.org/services/img/pandabuch",
        year: null,
        language: null,
        isbn: null
      }
    ])
  })

  it("goes on to its total, and no further than ten thousand", () => {
    const page = (number: number) => ({ page: number, form: null })
    const next = (number: number) => nextOf(read(videos, fixture("archive/videos.json"), {}, query(), page(number)))
    expect(next(2)).toEqual(page(3))
    expect(next(3)).toBeNull()
    const many = fixture("archive/videos.json").replace('"numFound": 120', '"numFound": 1000000')
    expect(nextOf(read(videos, many, {}, query(), page(200)))).toBeNull()
    expect(outcomeOf(read(videos, fixture("archive/videos.empty.json"), {}, query(), page(2)))).toBe("empty")
  })

  it("does not take hits that are counted and not given for none", () => {
    expect(outcomeOf(read(books, JSON.stringify({ response: { numFound: 5, docs: [] } })))).toBe("layout_changed")
    expect(outcomeOf(read(books, JSON.stringify({ error: "[RANGE_ERROR] paging", forensics: {} })))).toBe(
      "layout_changed"
    )
  })
})
