import { describe, expect, it } from "@effect/vitest"
import { firstPage } from "../../src/services/engine/Engine.ts"
import { wikimedia } from "../../src/services/engine/catalogue/wikimedia.ts"
import { fixture, itemsOf, nextOf, outcomeOf, query, read, sent } from "./Asking.ts"

const source = wikimedia.sources.images

type Given = Parameters<typeof query>[0]

describe("wikimedia", () => {
  const search = (given: Given) => sent(source.request(query(given), firstPage))["gsrsearch"]

  it("asks for files with their pictures", () => {
    expect(sent(source.request(query(), { page: 3, form: null }))).toMatchObject({
      generator: "search",
      gsrsearch: "filetype:bitmap|drawing red panda",
      gsrnamespace: "6",
      gsrlimit: "50",
      gsroffset: "100",
      iiurlwidth: "330"
    })
  })

  it("writes its filters as words of the query", () => {
    expect(search({ type_image: "photo" })).toBe("filetype:bitmap filemime:image/jpeg red panda")
    expect(search({ type_image: "clipart" })).toBe("filetype:drawing red panda")
    expect(search({ type_image: "line" })).toBe("filetype:drawing red panda")
    expect(search({ type_image: "gif" })).toBe("filemime:image/gif red panda")
    expect(search({ type_image: "transparent" })).toBe("filemime:image/png red panda")
    expect(search({ size: "Small" })).toBe("filetype:bitmap|drawing fileres:<500 red panda")
    expect(search({ size: "Medium" })).toBe("filetype:bitmap|drawing fileres:>500 fileres:<1200 red panda")
    expect(search({ size: "Large" })).toBe("filetype:bitmap|drawing fileres:>1200 red panda")
    expect(search({ size: "Wallpaper" })).toBe("filetype:bitmap|drawing fileres:>1600 red panda")
    expect(search({ timelimit: "w" })).toBe("filetype:bitmap|drawing creationdate:>=2026-07-19 red panda")
    // An open quotation does not swallow them.
    expect(search({ text: '5" disk' })).toBe('filetype:bitmap|drawing 5" disk')
    const long = search({ text: "panda ".repeat(100), timelimit: "y", size: "Medium" }) ?? ""
    expect(long.length).toBeLessThanOrEqual(300)
    expect(long).toMatch(/ creationdate:>=2025-07-25 panda .* p$/)
  })

  it("puts the hits in order and leaves out what is no picture", () => {
    const items = itemsOf(read(source, fixture("wikimedia/images.json")))
    expect(items.map(({ title }) => title)).toEqual([
      "Red Panda (24986761703)",
      "Ailurus fulgens - Cincinnati Zoo",
      "Red panda range",
      "Kleiner Panda Zoo Köln"
    ])
    expect(items[0]).toEqual({
      title: "Red Panda (24986761703)",
      url: "https://commons.wikimedia.org/wiki/File:Red_Panda_(24986761703).jpg",
      image: "https://upload.wikimedia.org/wikipedia/commons/a/a1/Red_Panda_(24986761703).jpg",
      thumbnail:
        "https://upload.wikimedia.org/wikipedia/commons/thumb/a/a1/Red_Panda_(24986761703).jpg/330px-Red_Panda_(24986761703).jpg",
      width: 4896,
      height: 3264,
      source: "Wikimedia Commons"
    })
    expect(items[1]).toMatchObject({ thumbnail: null, width: null, height: null })
  })

  it("reads pages by number too, goes on while told to, and ends", () => {
    const file = { title: "File:A.b_c.JPG", imageinfo: [{ url: "https://upload.wikimedia.org/a.jpg" }] }
    const older = read(source, JSON.stringify({ batchcomplete: "", query: { pages: { "7": file } } }))
    expect(itemsOf(older)).toMatchObject([{ title: "A.b c", url: "https://upload.wikimedia.org/a.jpg" }])
    expect(nextOf(older)).toBeNull()
    expect(nextOf(read(source, fixture("wikimedia/images.json")))).toEqual({ page: 2, form: null })
    const deepest = { page: 200, form: null }
    expect(nextOf(read(source, fixture("wikimedia/images.json"), {}, query(), deepest))).toBeNull()
  })

  it("tells its errors", () => {
    const error = (code: string) => outcomeOf(read(source, JSON.stringify({ error: { code, info: "x" } })))
    expect(error("ratelimited")).toBe("rate_limited")
    expect(error("maxlag")).toBe("rate_limited")
    expect(error("cirrussearch-too-busy-error")).toBe("rate_limited")
    expect(error("cirrussearch-query-too-long")).toBe("layout_changed")
    expect(outcomeOf(read(source, '{"batchcomplete":true,"query":{"files":[]}}'))).toBe("layout_changed")
    expect(outcomeOf(read(source, JSON.stringify({ warnings: {}, query: null })))).toBe("layout_changed")
  })
})
