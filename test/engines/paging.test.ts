import { describe, expect, it } from "@effect/vitest"
import { bing } from "../../src/services/engine/catalogue/bing.ts"
import { dailymotion } from "../../src/services/engine/catalogue/dailymotion.ts"
import { duckduckgo } from "../../src/services/engine/catalogue/duckduckgo.ts"
import { type Cursor } from "../../src/services/engine/Engine.ts"
import { googlenews } from "../../src/services/engine/catalogue/googlenews.ts"
import { gutendex } from "../../src/services/engine/catalogue/gutendex.ts"
import { hackernews } from "../../src/services/engine/catalogue/hackernews.ts"
import { mojeek } from "../../src/services/engine/catalogue/mojeek.ts"
import { openlibrary } from "../../src/services/engine/catalogue/openlibrary.ts"
import { openverse } from "../../src/services/engine/catalogue/openverse.ts"
import { sepiasearch } from "../../src/services/engine/catalogue/sepiasearch.ts"
import { wikipedia } from "../../src/services/engine/catalogue/wikipedia.ts"
import { fixture, nextOf, outcomeOf, query, read, sent } from "./Asking.ts"

const page = (number: number): Cursor => ({ page: number, form: null })

describe("duckduckgo", () => {
  const source = duckduckgo.sources.text

  it("echoes the hidden inputs of the form that is called Next", () => {
    const next = nextOf(read(source, fixture("duckduckgo/text.html")))
    expect(next?.page).toBe(2)
    const request = source.request(query(), next ?? page(2))
    expect(sent(request)).toEqual({
      q: "best mechanical keyboard 2026",
      s: "10",
      nextParams: "",
      v: "l",
      o: "json",
      dc: "12",
      api: "d.js",
      vqd: "4-217665891996054270333081117858000708203",
      kl: "wt-wt"
    })
    expect(request.cookies).toMatchObject({ kp: "-1" })
    const lite = nextOf(read(source, fixture("duckduckgo/text.lite.html")))
    expect(lite?.form).toContainEqual(["vqd", "4-228146944907429031912155131235649544909"])
  })

  it("prefers Next to Previous, and ends without it", () => {
    const form = (label: string, s: number) =>
      `<div class="nav-link"><form action="/html/" method="post"><input type="submit" value="${label}"><input type="hidden" name="s" value="${s}"></form></div>`
    const whole = fixture("duckduckgo/text.html")
    const at = whole.indexOf('<div class="nav-link">')
    const head = whole.slice(0, at)
    const both = read(source, head + form("Previous", 0) + form("Next", 25), {}, query(), page(2))
    expect(nextOf(both)).toEqual({ page: 3, form: [["s", "25"]] })
    expect(nextOf(read(source, head + form("Previous", 0), {}, query(), page(2)))).toBeNull()
  })

  it("has one page in Chinese", () => {
    expect(nextOf(read(source, fixture("duckduckgo/text.html"), {}, query({ region: "cn-zh" })))).toBeNull()
  })
})

it("mojeek never numbers page 1 and follows the page's own links", () => {
  const source = mojeek.sources.text
  expect(sent(source.request(query(), page(1)))).not.toHaveProperty("s")
  const next = nextOf(read(source, fixture("mojeek/text.html")))
  expect(next).toEqual(page(2))
  expect(sent(source.request(query(), page(2)))["s"]).toBe("11")
  expect(sent(source.request(query(), page(3)))["s"]).toBe("21")
  expect(nextOf(read(source, fixture("mojeek/text.html"), {}, query(), page(5)))).toBeNull()
})

it("wikipedia counts by twenty while there is more", () => {
  const source = wikipedia.sources.text
  expect(nextOf(read(source, fixture("wikipedia/text.json")))).toEqual(page(2))
  expect(sent(source.request(query(), page(3)))["sroffset"]).toBe("40")
  const last = JSON.stringify({ batchcomplete: true, query: { search: [{ title: "Red panda" }] } })
  expect(nextOf(read(source, last))).toBeNull()
})

it("bing counts by thirty-five while the grid names what follows", () => {
  const source = bing.sources.images
  expect(nextOf(read(source, fixture("bing/images.html")))).toEqual(page(2))
  expect(sent(source.request(query(), page(2)))["first"]).toBe("36")
  const ended = fixture("bing/images.html").replace(/data-nextUrl="[^"]*"/, 'data-nextUrl=""')
  expect(nextOf(read(source, ended))).toBeNull()
  const beyond = '<div class="dg_b"><div class="dgControl dtl" data-nexturl=""></div></div>'
  expect(outcomeOf(read(source, beyond, {}, query(), page(3)))).toBe("empty")
  expect(outcomeOf(read(source, beyond))).toBe("layout_changed")
})

const list = (length: number, item: object) => Array.from({ length }, () => item)

it("openverse stops where anonymous clients are stopped", () => {
  const source = openverse.sources.images
  const body = JSON.stringify({
    result_count: 10_000,
    page_count: 500,
    results: list(20, { title: "T", url: "https://a.example/1.jpg", foreign_landing_url: "https://a.example/" })
  })
  expect(nextOf(read(source, body))).toEqual(page(2))
  expect(nextOf(read(source, body, {}, query(), page(12)))).toBeNull()
  expect(nextOf(read(source, fixture("openverse/images.json")))).toBeNull()
})

it("dailymotion stops at a thousand", () => {
  const source = dailymotion.sources.videos
  expect(nextOf(read(source, fixture("dailymotion/videos.json")))).toEqual(page(2))
  expect(nextOf(read(source, fixture("dailymotion/videos.json"), {}, query(), page(20)))).toBeNull()
  expect(sent(source.request(query(), page(2)))).toMatchObject({ page: "2", limit: "50" })
})

it("sepiasearch goes on to its total", () => {
  const source = sepiasearch.sources.videos
  expect(nextOf(read(source, fixture("sepiasearch/videos.json"), {}, query(), page(2)))).toEqual(page(3))
  expect(nextOf(read(source, fixture("sepiasearch/videos.json"), {}, query(), page(3)))).toBeNull()
  expect(sent(source.request(query(), page(3)))["start"]).toBe("100")
})

it("googlenews has one page", () => {
  expect(nextOf(read(googlenews.sources.news, fixture("googlenews/news.xml")))).toBeNull()
})

it("hackernews stops at its pages and at a thousand", () => {
  const source = hackernews.sources.news
  expect(nextOf(read(source, fixture("hackernews/news.json")))).toEqual(page(2))
  expect(nextOf(read(source, fixture("hackernews/news.json"), {}, query(), page(4)))).toBeNull()
  expect(sent(source.request(query(), page(2)))["page"]).toBe("1")
})

it("openlibrary counts by fifty", () => {
  const source = openlibrary.sources.books
  expect(nextOf(read(source, fixture("openlibrary/books.json")))).toEqual(page(2))
  expect(nextOf(read(source, fixture("openlibrary/books.json"), {}, query(), page(6)))).toBeNull()
})

it("gutendex follows next, and its 404 is the end", () => {
  const source = gutendex.sources.books
  const more = fixture("gutendex/books.json").replace(
    '"next": null',
    '"next": "https://gutendex.com/books/?page=2&search=x"'
  )
  expect(nextOf(read(source, more))).toEqual(page(2))
  expect(nextOf(read(source, fixture("gutendex/books.json")))).toBeNull()
  expect(sent(source.request(query(), page(2)))).toEqual({ search: "red panda", page: "2" })
  const beyond = '{"detail":"Invalid page."}'
  expect(outcomeOf(read(source, beyond, { status: 404 }, query(), page(9)))).toBe("empty")
  expect(outcomeOf(read(source, beyond, { status: 404 }))).toBe("http_status")
})
