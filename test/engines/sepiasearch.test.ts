import { describe, expect, it } from "@effect/vitest"
import { sepiasearch } from "../../src/services/engine/catalogue/sepiasearch.ts"
import { itemsOf, outcomeOf, query, read } from "./Asking.ts"

const source = sepiasearch.sources.videos

const answered = (data: ReadonlyArray<unknown>, given: Parameters<typeof query>[0] = {}) =>
  read(source, JSON.stringify({ total: data.length, data }), {}, query(given))

describe("sepiasearch", () => {
  const video = { name: "V", url: "https://tube.example/videos/watch/1" }

  it("shows videos for adults only where that was asked for", () => {
    const data = [video, { ...video, name: "Adult", nsfw: true }]
    expect(itemsOf(answered(data)).map(({ title }) => title)).toEqual(["V"])
    expect(itemsOf(answered(data, { safesearch: "off" })).map(({ title }) => title)).toEqual(["V", "Adult"])
  })

  it("takes paths for those of the video's server", () => {
    const [item] = itemsOf(
      answered([
        {
          ...video,
          thumbnailPath: "/static/thumbnails/1.jpg",
          previewPath: "/static/previews/1.jpg",
          embedPath: "/videos/embed/1"
        }
      ])
    )
    expect(item).toMatchObject({
      embed_url: "https://tube.example/videos/embed/1",
      images: {
        large: "https://tube.example/static/previews/1.jpg",
        medium: "https://tube.example/static/thumbnails/1.jpg"
      }
    })
  })

  it("makes do with gaps, live videos and other types", () => {
    const data = [
      { ...video, duration: 0, isLive: true, views: "12", publishedAt: null, account: null, channel: "none" },
      {
        ...video,
        name: "Two",
        duration: "61",
        description: "A &amp; **b**",
        channel: { displayName: "Ch", host: "h" }
      },
      { name: "No address" },
      { ...video, name: null },
      []
    ]
    expect(itemsOf(answered(data))).toMatchObject([
      { duration: null, statistics: { viewCount: 12 }, published: null, uploader: null, publisher: null },
      { duration: "1:01", description: "A & **b**", uploader: "Ch", publisher: "h" }
    ])
    expect(outcomeOf(answered([]))).toBe("empty")
    expect(outcomeOf(read(source, '{"data":[]}'))).toBe("layout_changed")
  })
})
