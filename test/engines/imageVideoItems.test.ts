import { describe, expect, it } from "@effect/vitest"
import { bing } from "../../src/services/engine/catalogue/bing.ts"
import { dailymotion } from "../../src/services/engine/catalogue/dailymotion.ts"
import { openverse } from "../../src/services/engine/catalogue/openverse.ts"
import { sepiasearch } from "../../src/services/engine/catalogue/sepiasearch.ts"
import { fixture, itemsOf, outcomeOf, read } from "./Asking.ts"

/** What the captured pages show, read off them by eye. */
describe("bing", () => {
  const source = bing.sources.images

  it("reads every tile once", () => {
    const items = itemsOf(read(source, fixture("bing/images.html")))
    expect(items.length).toBe(42)
    expect(new Set(items.map((item) => item.image)).size).toBe(42)
    expect(items[0]).toEqual({
      title: "Golang Gopher Logo PNG (Transparent) SVG AI – Free Download",
      url: "https://vectorseek.com/vector_logo/golang-gopher-logo-vector/",
      image: "https://vectorseek.com/wp-content/uploads/2023/03/Golang-Gopher-Logo-Vector.jpg",
      thumbnail: "https://ts4.mm.bing.net/th?id=OIP.LQQi0et0FFshviPhL18q9QHaHa&pid=15.1",
      width: 1000,
      height: 1000,
      source: "vectorseek.com"
    })
    expect(items[1]?.title).toBe('"Gopher - Golang Mascot in a black hoodie" Photographic Print for Sale ...')
  })

  it("makes do with tiles that lack members", () => {
    const tile = (data: object, rest = "", href = "") =>
      `<li><div class="iuscp"><a class="iusc" href="${href}" m="${JSON.stringify(data).replaceAll('"', "&quot;")}"></a>${rest}</div></li>`
    const body = [
      tile(
        { murl: "https://a.example/1.jpg", purl: "https://a.example/", t: "A \ue000red\ue001 panda" },
        "",
        "/images/search?expw=640&exph=480"
      ),
      tile(
        { murl: "https://b.example/img/red%20panda.png", t: 7 },
        '<div class="lnkw"><a href="https://b.example/page">b.example</a></div>'
      ),
      tile({ purl: "https://c.example/", desc: "No file at all" }),
      tile({ purl: "javascript:1", murl: "https://d.example/2.jpg", t: "Bad page" }),
      tile(
        { murl: "https://e.example/3.jpg", purl: "https://e.example/", turl: "/th?id=1" },
        '<div class="infnmpt"><a title="From the caption">x</a></div><span class="nowrap">1 x 2</span>'
      ),
      '<a class="iusc" m="{broken">'
    ].join("")
    expect(itemsOf(read(source, body))).toEqual([
      {
        title: "A red panda",
        url: "https://a.example/",
        image: "https://a.example/1.jpg",
        thumbnail: null,
        width: 640,
        height: 480,
        source: null
      },
      {
        title: "red panda.png",
        url: "https://b.example/page",
        image: "https://b.example/img/red%20panda.png",
        thumbnail: null,
        width: null,
        height: null,
        source: "b.example"
      },
      {
        title: "Bad page",
        url: "https://d.example/2.jpg",
        image: "https://d.example/2.jpg",
        thumbnail: null,
        width: null,
        height: null,
        source: null
      },
      {
        title: "From the caption",
        url: "https://e.example/",
        image: "https://e.example/3.jpg",
        thumbnail: "https://www.bing.com/th?id=1",
        width: null,
        height: null,
        source: null
      }
    ])
  })
})

describe("openverse", () => {
  it("names untitled pictures by their file", () => {
    const items = itemsOf(read(openverse.sources.images, fixture("openverse/images.json")))
    expect(items.length).toBe(4)
    expect(items[0]).toEqual({
      title: "Red Panda",
      url: "https://www.flickr.com/photos/8f3f5a1e/1",
      image: "https://live.staticflickr.com/65535/8f3f5a1e_b.jpg",
      thumbnail: "https://api.openverse.org/v1/images/8f3f5a1e-1111-4a51-9d09-0d6c6ad0a001/thumb/",
      width: 1024,
      height: 683,
      source: "flickr"
    })
    expect(items[2]?.title).toBe("Red_Panda_(987654).jpg")
    expect(items[3]).toMatchObject({ width: null, height: null, thumbnail: null })
  })

  it("takes 401 for its anonymous limit", () => {
    expect(outcomeOf(read(openverse.sources.images, '{"detail":"no"}', { status: 401 }))).toBe("rate_limited")
  })
})

describe("dailymotion", () => {
  it("reads lengths, dates and views", () => {
    const items = itemsOf(read(dailymotion.sources.videos, fixture("dailymotion/videos.json")))
    expect(items.length).toBe(3)
    expect(items[0]).toEqual({
      title: "How bridges are built",
      url: "https://www.dailymotion.com/video/x8abcd1",
      content: "https://www.dailymotion.com/video/x8abcd1",
      description: "Cables & concrete: a short tour. Subscribe!",
      duration: "4:36",
      embed_url: "https://geo.dailymotion.com/player.html?video=x8abcd1",
      embed_html:
        '<iframe src="https://geo.dailymotion.com/player.html?video=x8abcd1" width="1280" height="720" frameborder="0" allowfullscreen></iframe>',
      images: {
        large: "https://s2.dmcdn.net/v/x8abcd1/x720",
        medium: "https://s2.dmcdn.net/v/x8abcd1/x360",
        small: "https://s2.dmcdn.net/v/x8abcd1/x120",
        motion: null
      },
      provider: "Dailymotion",
      published: "2023-01-01T00:00:00.000Z",
      publisher: "Dailymotion",
      uploader: "Example Engineering",
      statistics: { viewCount: 1862 }
    })
    expect(items[1]).toMatchObject({ duration: "1:02:05", description: null })
    expect(items[2]).toMatchObject({
      embed_url: null,
      embed_html: null,
      uploader: null,
      statistics: { viewCount: null }
    })
  })
})

describe("sepiasearch", () => {
  it("reads instance, account and date", () => {
    const items = itemsOf(read(sepiasearch.sources.videos, fixture("sepiasearch/videos.json")))
    expect(items.length).toBe(2)
    expect(items[0]).toMatchObject({
      title: "How bridges are built",
      url: "https://tube.example.org/videos/watch/9c9de5e8-0a1e-484a-b099-e80766180a6d",
      description: "From *stone* to steel. More at https://example.org/bridges",
      duration: "9:56",
      published: "2024-05-11T08:12:13.456Z",
      publisher: "tube.example.org",
      uploader: "Bridge Builder",
      provider: "PeerTube",
      statistics: { viewCount: 1234 }
    })
    expect(items[1]).toMatchObject({ title: "Beam & truss bridges", statistics: { viewCount: 0 } })
  })
})
