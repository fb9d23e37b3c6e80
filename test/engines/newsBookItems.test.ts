import { describe, expect, it } from "@effect/vitest"
import { googlenews } from "../../src/services/engine/catalogue/googlenews.ts"
import { gutendex } from "../../src/services/engine/catalogue/gutendex.ts"
import { hackernews } from "../../src/services/engine/catalogue/hackernews.ts"
import { openlibrary } from "../../src/services/engine/catalogue/openlibrary.ts"
import { fixture, itemsOf, outcomeOf, read } from "./Asking.ts"

/** What the captured pages show, read off them by eye. */
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
