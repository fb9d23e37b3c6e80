import { describe, expect, it } from "@effect/vitest"
import { openverse } from "../../src/services/engine/catalogue/openverse.ts"
import { itemsOf, outcomeOf, query, read } from "./Asking.ts"

const source = openverse.sources.images

const answered = (results: ReadonlyArray<unknown>, given: Parameters<typeof query>[0] = {}) =>
  read(source, JSON.stringify({ result_count: results.length, page_count: 1, results }), {}, query(given))

describe("openverse", () => {
  const picture = { title: "A", url: "https://a.example/1.jpg", foreign_landing_url: "https://a.example/" }

  it("shows pictures for adults only where that was asked for", () => {
    const adult = { ...picture, title: "B", mature: true }
    const titles = (safesearch: "on" | "moderate" | "off") =>
      itemsOf(answered([picture, adult], { safesearch })).map(({ title }) => title)
    expect(titles("on")).toEqual(["A"])
    expect(titles("moderate")).toEqual(["A"])
    expect(titles("off")).toEqual(["A", "B"])
  })

  it("makes do with gaps, quoted numbers and entities", () => {
    const odd = [
      { ...picture, title: "Tom &amp; Jerry", foreign_landing_url: "", width: "640", height: null, thumbnail: 5 },
      { url: "//b.example/red%20panda.png", foreign_landing_url: "https://b.example/p", source: null, provider: "met" },
      { title: "No file", foreign_landing_url: "https://c.example/" },
      null
    ]
    expect(itemsOf(answered(odd))).toMatchObject([
      { title: "Tom & Jerry", url: "https://a.example/1.jpg", width: 640, height: null, thumbnail: null },
      { title: "red panda.png", url: "https://b.example/p", image: "https://b.example/red%20panda.png", source: "met" }
    ])
  })

  it("tells the anonymous limit from an empty answer", () => {
    expect(outcomeOf(read(source, "{}", { status: 401 }))).toBe("rate_limited")
    expect(outcomeOf(answered([]))).toBe("empty")
  })
})
