import { describe, expect, it } from "@effect/vitest"
import { serper } from "../../src/services/engine/catalogue/serper.ts"
import { fixture, itemsOf, nextOf, outcomeOf, query, read, sent } from "./Asking.ts"

const { images, news, text, videos } = serper.sources
const first = { page: 1, form: null }

describe("serper asks", () => {
  it("for ten at a time in Google's locale, the key left to the runtime", () => {
    expect(text.request(query({ region: "br-pt", timelimit: "m" }), { page: 2, form: null })).toEqual({
      method: "POST",
      url: "https://google.serper.dev/search",
      json: { q: "red panda", gl: "br", hl: "pt-br", num: 10, page: 2, tbs: "qdr:m" },
      secrets: [{ as: "header", name: "X-API-KEY", variable: "SERPER_API_KEY" }],
      persona: "program",
      follow: false
    })
    expect(text.request(query({ region: "wt-wt" }), first).json).toEqual({ q: "red panda", hl: "en", num: 10, page: 1 })
    expect(news.request(query(), first)).toMatchObject({ url: "https://google.serper.dev/news" })
  })

  it("for pictures and videos with Google's own filters", () => {
    const pictures = (given: Parameters<typeof query>[0]) => sent(images.request(query(given), first))["tbs"]
    expect(pictures({ size: "Medium", color: "Red", type_image: "photo", layout: "Tall", timelimit: "w" })).toBe(
      "qdr:w,isz:m,ic:specific,isc:red,itp:photo,iar:t"
    )
    expect(pictures({ color: "Monochrome" })).toBe("ic:gray")
    expect(pictures({ color: "Red", type_image: "transparent" })).toBe("ic:trans")
    expect(pictures({})).toBeUndefined()
    expect(images.lacks(query({ color: "Red", type_image: "transparent", size: "Wallpaper" }))).toEqual([
      "size",
      "color"
    ])
    expect(images.lacks(query({ size: "Large" }))).toEqual([])
    expect(sent(videos.request(query({ duration: "long", resolution: "high" }), first))["tbs"]).toBe("dur:l,hq:h")
    expect(videos.lacks(query({ resolution: "standard" }))).toEqual(["resolution"])
  })
})

describe("serper reads", () => {
  it("results, without what else stands on Google's page", () => {
    const items = itemsOf(read(text, fixture("serper/text.json")))
    expect(items.map(({ body, title }) => [title, body])).toEqual([
      ["Red panda - Wikipedia", "The red panda, also known as the lesser panda, is a small mammal ..."],
      ["Red Panda | WWF", "Red pandas are an endangered species."],
      ["Zoo", null]
    ])
  })

  it("pictures", () => {
    expect(itemsOf(read(images, fixture("serper/images.json")))).toEqual([
      {
        title: "Red panda - Wikipedia",
        url: "https://en.wikipedia.org/wiki/Red_panda",
        image: "https://upload.wikimedia.org/wikipedia/commons/e/e6/Red_Panda.jpg",
        thumbnail: "https://encrypted-tbn0.gstatic.com/images?q=tbn:4&s",
        width: 4288,
        height: 2848,
        source: "Wikipedia"
      },
      expect.objectContaining({ title: "cubs.png", source: "zoo.example", thumbnail: null })
    ])
  })

  it("news and videos", () => {
    const items = itemsOf(read(news, fixture("serper/news.json")))
    expect(items[0]).toMatchObject({ date: "2026-07-26T10:00:00.000Z", source: "The Daily" })
    expect(items[1]).toMatchObject({ date: "2026-07-03T00:00:00.000Z", source: "news.example", image: null })
    const [film, bare] = itemsOf(read(videos, fixture("serper/videos.json")))
    expect(film).toMatchObject({
      duration: "10:38",
      published: "2025-03-04T00:00:00.000Z",
      provider: "YouTube",
      uploader: "Zoo Channel",
      images: { medium: "https://encrypted-tbn0.gstatic.com/images?q=tbn:6" }
    })
    expect(bare).toMatchObject({ duration: null, published: null, uploader: null })
  })

  it("a short page as the last", () => {
    const page = (length: number) =>
      JSON.stringify({
        searchParameters: { q: "x" },
        organic: Array.from({ length }, (_, index) => ({ title: "T", link: `https://a.example/${index}` }))
      })
    expect(nextOf(read(text, page(9)))).toEqual({ page: 2, form: null })
    expect(nextOf(read(text, page(5)))).toBeNull()
    expect(nextOf(read(text, page(10), {}, query(), { page: 10, form: null }))).toBeNull()
  })

  it("used up credits, and a wrong key", () => {
    const error = (status: number, message: string) =>
      outcomeOf(read(text, JSON.stringify({ message, statusCode: status }), { status }))
    expect(error(400, "Not enough credits")).toBe("rate_limited")
    expect(error(400, "Missing query")).toBe("http_status")
    expect(error(403, "Unauthorized.")).toBe("blocked")
    expect(error(429, "Too many requests")).toBe("rate_limited")
    expect(outcomeOf(read(text, fixture("serper/news.json")))).toBe("layout_changed")
  })
})
