import { describe, expect, it } from "@effect/vitest"
import { bing } from "../../src/services/Engines/bing.ts"
import { dailymotion } from "../../src/services/Engines/dailymotion.ts"
import { duckduckgo } from "../../src/services/Engines/duckduckgo.ts"
import { googlenews } from "../../src/services/Engines/googlenews.ts"
import { gutendex } from "../../src/services/Engines/gutendex.ts"
import { hackernews } from "../../src/services/Engines/hackernews.ts"
import { mojeek } from "../../src/services/Engines/mojeek.ts"
import { openlibrary } from "../../src/services/Engines/openlibrary.ts"
import { openverse } from "../../src/services/Engines/openverse.ts"
import { sepiasearch } from "../../src/services/Engines/sepiasearch.ts"
import { wikipedia } from "../../src/services/Engines/wikipedia.ts"
import { fixture, itemsOf, outcomeOf, query, read } from "./Asking.ts"

/** What the captured pages show, read off them by eye. */
describe("duckduckgo", () => {
  const source = duckduckgo.sources.text

  it("unwraps its links and leaves the advertisement out", () => {
    const items = itemsOf(read(source, fixture("duckduckgo/text.html")))
    expect(items.length).toBe(10)
    expect(items[0]).toEqual({
      title: "The 7 Best Mechanical Keyboards of 2026 - RTINGS.com",
      url: "https://www.rtings.com/keyboard/reviews/best/mechanical",
      href: "https://www.rtings.com/keyboard/reviews/best/mechanical",
      body: "The best mechanical keyboard we've tested is the Keychron Q5 Max. This wireless keyboard has premium-feeling construction, a heavyweight aluminum case, and top-of-the-line typing quality right out of the box."
    })
    expect(items.filter((item) => item.url.includes("duckduckgo.com"))).toEqual([])
    expect(items.map((item) => item.url)[1]).toBe("https://www.pcmag.com/picks/the-best-mechanical-keyboards")
  })

  it("reads the page as a browser wrote it out, and the lite page", () => {
    const rendered = itemsOf(read(source, fixture("duckduckgo/text.rendered.html")))
    expect(rendered.length).toBe(9)
    expect(rendered[0]?.title).toBe("Caffeine and Sleep Problems")
    const lite = itemsOf(
      read(source, fixture("duckduckgo/text.lite.html"), { url: "https://lite.duckduckgo.com/lite/" })
    )
    expect(lite.length).toBe(10)
    expect(lite[1]).toMatchObject({
      title: "Rust (programming language) - Wikipedia",
      url: "https://en.wikipedia.org/wiki/Rust_(programming_language)"
    })
    expect(lite[0]?.body).toMatch(/^Rust is a fast, reliable, and productive programming language that can run/)
  })

  const page = (results: string) => `<html><body><div id="links" class="results">${results}</div></body></html>`
  const result = (href: string, title = "Title") =>
    `<div class="result web-result"><h2 class="result__title"><a class="result__a" href="${href}">${title}</a></h2><a class="result__snippet" href="${href}">A <b>bold</b> text</a></div>`

  it("takes direct links as they are", () => {
    const items = itemsOf(read(source, page(result("https://example.org/a?b=c&amp;d=%2F"))))
    expect(items[0]).toMatchObject({ url: "https://example.org/a?b=c&d=%2F", body: "A bold text" })
  })

  it("decodes a wrapped link once", () => {
    const items = itemsOf(
      read(source, page(result("//duckduckgo.com/l/?uddg=https%3A%2F%2Fexample.org%2F%3Fq%3Da%252Bb&amp;rut=1")))
    )
    expect(items[0]?.url).toBe("https://example.org/?q=a%2Bb")
  })

  it("drops advertisements however they are dressed", () => {
    const advertisement = "https://duckduckgo.com/y.js?ad_provider=x"
    const dressed = [
      result(advertisement),
      result(`//duckduckgo.com/l/?uddg=${encodeURIComponent(advertisement)}`),
      result("https://shop.example/").replace("web-result", "web-result result--ad"),
      result("https://shop.example/").replace("<h2", '<span class="badge--ad">Ad</span><h2')
    ]
    for (const one of dressed) {
      const items = itemsOf(read(source, page(one + result("https://example.org/"))))
      expect(items.map((item) => item.url)).toEqual(["https://example.org/"])
    }
    const row = (classes: string, href: string) =>
      `<tr class="${classes}"><td>1.</td><td><a class="result-link" href="${href}">T</a></td></tr><tr class="${classes}"><td></td><td class="result-snippet">S</td></tr>`
    const lite = `<html><body><table>${row("result-sponsored", "https://shop.example/")}${row("", "https://example.org/")}</table></body></html>`
    expect(itemsOf(read(source, lite))).toMatchObject([{ url: "https://example.org/", body: "S" }])
  })

  it("takes a bang's redirect for nothing found, the home page for a block", () => {
    expect(outcomeOf(read(source, "", { status: 303, headers: { location: "https://example.org/" } }))).toBe("empty")
    for (const status of [301, 302, 418]) expect(outcomeOf(read(source, "", { status }))).toBe("blocked")
  })

  it("reads results under 202 as well", () => {
    expect(outcomeOf(read(source, fixture("duckduckgo/text.html"), { status: 202 }))).toBe("ok")
  })

  it("takes a whole page without results for an empty one", () => {
    expect(outcomeOf(read(source, page("")))).toBe("empty")
    expect(outcomeOf(read(source, page(result("javascript:alert(1)"))))).toBe("layout_changed")
  })
})

describe("mojeek", () => {
  it("reads ten results, with and without a snippet", () => {
    const items = itemsOf(read(mojeek.sources.text, fixture("mojeek/text.html")))
    expect(items.length).toBe(10)
    expect(items[0]).toEqual({
      title: "The Modern JavaScript Tutorial",
      url: "https://javascript.info/",
      href: "https://javascript.info/",
      body: "The Modern JavaScript Tutorial ... Main course contains 2 parts which cover JavaScript as a programming language and working with a browser."
    })
    expect(items.filter((item) => item.body === null).length).toBe(1)
  })
})

describe("wikipedia", () => {
  it("makes the page's address of its title", () => {
    const items = itemsOf(read(wikipedia.sources.text, fixture("wikipedia/text.json")))
    expect(items).toEqual([
      {
        title: "Caffeine-induced sleep disorder",
        url: "https://en.wikipedia.org/wiki/Caffeine-induced_sleep_disorder",
        href: "https://en.wikipedia.org/wiki/Caffeine-induced_sleep_disorder",
        body: "Caffeine-induced sleep disorder was a psychiatric disorder identified as resulting from overconsumption of the stimulant caffeine. Caffeine is one of"
      }
    ])
    const titles = ["Who's Afraid?", "AC/DC", "C (programming language)", "100% & more #1", "Zürich"]
    const body = JSON.stringify({ query: { search: titles.map((title) => ({ title })) } })
    expect(itemsOf(read(wikipedia.sources.text, body, {}, query({ region: "de-de" }))).map((item) => item.url)).toEqual(
      [
        "https://de.wikipedia.org/wiki/Who's_Afraid%3F",
        "https://de.wikipedia.org/wiki/AC/DC",
        "https://de.wikipedia.org/wiki/C_(programming_language)",
        "https://de.wikipedia.org/wiki/100%25_%26_more_%231",
        "https://de.wikipedia.org/wiki/Z%C3%BCrich"
      ]
    )
  })

  it("knows its own rate limit", () => {
    expect(outcomeOf(read(wikipedia.sources.text, '{"error":{"code":"ratelimited"}}'))).toBe("rate_limited")
  })
})

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
        thumbnail: null,
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

describe("googlenews", () => {
  it("cuts the source from the title and repeats nothing in the body", () => {
    const items = itemsOf(read(googlenews.sources.news, fixture("googlenews/news.xml")))
    expect(items.length).toBe(100)
    expect(items[0]).toEqual({
      title: "Caffeine reversed memory problems caused by sleep deprivation",
      url: "https://news.google.com/rss/articles/CBMib0FVX3lxTFBNOWNTSjE2QWQ2X3pnN0VMUjVId3NQNXJYb0JHLXptSVlyOUlfVjBoX3I4ZmZwU3VrNnhlRUU2blhmbC1hNDI0aENCV0owRHc2S3MxVzJNMFV3ZXJLOVBjQTBBUTdIN2tFS0lZbkNQUQ?oc=5",
      date: "2026-05-30T07:00:00.000Z",
      body: null,
      image: null,
      source: "ScienceDaily"
    })
    expect(items.filter((item) => item.date === null || item.source === null)).toEqual([])
    expect(items.at(-1)).toMatchObject({
      title: "Nutrition Tips - the relationship between caffeine & sleep",
      source: "army.mil",
      date: "2021-06-30T07:00:00.000Z"
    })
  })

  const feed = (item: string) =>
    `<?xml version="1.0"?><rss version="2.0"><channel><title>t</title>${item}</channel></rss>`

  it("keeps a passage that stands outside of the links", () => {
    const body = feed(
      "<item><title>A &amp;amp; B - C - D</title><link>https://news.google.com/rss/articles/1</link><pubDate>x</pubDate><description>&lt;a href='#'&gt;A&lt;/a&gt;&amp;nbsp;&lt;p&gt;The &lt;b&gt;passage&lt;/b&gt;&lt;/p&gt;</description></item>"
    )
    expect(itemsOf(read(googlenews.sources.news, body))).toMatchObject([
      { title: "A & B - C - D", body: "The passage", source: null, date: null }
    ])
  })

  it("takes the consent page for a block", () => {
    const url = "https://consent.google.com/m?continue=https://news.google.com/rss/search"
    expect(outcomeOf(read(googlenews.sources.news, "<html><title>Before you continue</title></html>", { url }))).toBe(
      "blocked"
    )
  })
})

describe("hackernews", () => {
  it("gives a story without a link its discussion", () => {
    const items = itemsOf(read(hackernews.sources.news, fixture("hackernews/news.json")))
    expect(items).toEqual([
      {
        title: "Renewable energy overtakes coal",
        url: "https://www.example.com/energy?id=1&ref=hn",
        date: "2023-11-02T10:20:30.000Z",
        body: null,
        image: null,
        source: "example.com"
      },
      {
        title: "Ask HN: Who works in renewable energy?",
        url: "https://news.ycombinator.com/item?id=38222222",
        date: "2023-11-03T00:00:00.000Z",
        body: "I'm curious. What do you use? See https://example.org/",
        image: null,
        source: "Hacker News"
      },
      {
        title: "Show HN: A <marquee> for energy data",
        url: "https://news.ycombinator.com/item?id=38333333",
        date: "2023-11-04T00:00:00.000Z",
        body: "Tiny & fast",
        image: null,
        source: "Hacker News"
      }
    ])
  })

  it("reads hits of other shapes, one by one", () => {
    const hits = [
      7,
      null,
      {
        objectID: 12,
        title: null,
        story_title: "A comment's story",
        story_url: "https://example.org/",
        comment_text: "Yes<p>No",
        created_at_i: 1700000000
      },
      { objectID: "x/../y", title: "No usable address" },
      { objectID: "13", title: "Odd", points: "many", created_at: 5, _tags: {} }
    ]
    expect(itemsOf(read(hackernews.sources.news, JSON.stringify({ hits })))).toMatchObject([
      { title: "A comment's story", url: "https://example.org/", body: "Yes No", date: "2023-11-14T22:13:20.000Z" },
      { title: "Odd", url: "https://news.ycombinator.com/item?id=13", date: null }
    ])
  })
})

describe("openlibrary", () => {
  it("reads works", () => {
    const items = itemsOf(read(openlibrary.sources.books, fixture("openlibrary/books.json")))
    expect(items.map((item) => item.title)).toEqual(["Dune", "Children of Dune", "God Emperor of Dune"])
    expect(items[0]).toEqual({
      title: "Dune",
      url: "https://openlibrary.org/works/OL893414W",
      author: "Frank Herbert, Френк Герберт",
      publisher: "Ace",
      info: "eng, ukr, por, ger, tur, ...; 605 pages; 1965",
      thumbnail: "https://covers.openlibrary.org/b/id/11481354-M.jpg",
      year: 1965,
      language: "eng, ukr, por, ger, tur, spa, gre, pol, dut, rus, heb, fre",
      isbn: "9780425043769"
    })
  })

  it("survives works that say little", () => {
    const body = JSON.stringify({ numFound: 2, docs: [{ key: "/works/OL1W", title: "Bare" }, { title: "No key" }] })
    expect(itemsOf(read(openlibrary.sources.books, body))).toEqual([
      {
        title: "Bare",
        url: "https://openlibrary.org/works/OL1W",
        author: null,
        publisher: null,
        info: null,
        thumbnail: null,
        year: null,
        language: null,
        isbn: null
      }
    ])
  })
})

describe("gutendex", () => {
  it("turns names round and lists formats", () => {
    const items = itemsOf(read(gutendex.sources.books, fixture("gutendex/books.json")))
    expect(items.length).toBe(3)
    expect(items[0]).toEqual({
      title: "Pride and Prejudice",
      url: "https://www.gutenberg.org/ebooks/1342",
      author: "Jane Austen",
      publisher: null,
      info: "en; EPUB, Kindle, HTML, text",
      thumbnail: "https://www.gutenberg.org/cache/epub/1342/pg1342.cover.medium.jpg",
      year: null,
      language: "en",
      isbn: null
    })
  })

  it("takes the catalogue's marks out of titles", () => {
    const body = JSON.stringify({
      count: 1,
      next: null,
      results: [{ id: 5, title: "Moby Dick :\r\n $b or, the whale", authors: [{ name: "Dumas, Alexandre, père" }] }]
    })
    expect(itemsOf(read(gutendex.sources.books, body))).toMatchObject([
      { title: "Moby Dick: or, the whale", author: "Dumas, Alexandre, père", info: null }
    ])
  })
})
