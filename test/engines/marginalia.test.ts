import { expect, it } from "@effect/vitest"
import { type Cursor, firstPage } from "../../src/services/engine/Engine.ts"
import { marginalia } from "../../src/services/engine/catalogue/marginalia.ts"
import { fixture, itemsOf, nextOf, outcomeOf, query, read, sent } from "./Asking.ts"

const source = marginalia.sources.text

it("marginalia is asked with everybody's key, or with one's own", () => {
  const request = source.request(query(), firstPage)
  expect(request).toMatchObject({
    url: "https://api2.marginalia-search.com/search",
    persona: "program",
    headers: { "API-Key": "public" },
    secrets: [{ as: "header", name: "API-Key", variable: "MARGINALIA_API_KEY" }]
  })
  expect(sent(request)).toEqual({ query: "red panda", count: "100", nsfw: "1", page: "1" })
  expect(sent(source.request(query({ safesearch: "on" }), { page: 2, form: null }))).toMatchObject({
    nsfw: "2",
    page: "2"
  })
  expect(sent(source.request(query({ safesearch: "off" }), firstPage))).toMatchObject({ nsfw: "0" })
})

it("marginalia's older API has the query in its path", () => {
  const request = source.request(query({ text: "c++/zig? ü" }), source.fallback)
  expect(request.url).toBe("https://api.marginalia.nu/public/search/c%2B%2B%2Fzig%3F%20%C3%BC")
  expect(sent(request)).toEqual({ count: "100", nsfw: "1" })
  expect(nextOf(read(source, fixture("marginalia/text.json"), {}, query(), source.fallback))).toBeNull()
})

it("marginalia's results are read", () => {
  expect(itemsOf(read(source, fixture("marginalia/text.json")))).toMatchObject([
    {
      title: "Notes on the Red Panda",
      url: "https://ailurus.example.org/notes/red-panda.html",
      body: "I keep a list of what is known about Ailurus fulgens & its habits, from zoo diaries and field notes."
    },
    { title: "pandas.txt", url: "http://www.example.net/~bob/pandas.txt", body: null },
    { title: 'Why a browser is called "firefox"', url: "https://fox.example.com/firefox", body: null }
  ])
})

it("marginalia is paged while it counts pages", () => {
  const next = (given: object, cursor: Cursor = firstPage) => {
    const results = [{ title: "T", url: "https://a.example/" }]
    return nextOf(read(source, JSON.stringify({ query: "x", results, ...given }), {}, query(), cursor))
  }
  expect(next({ page: 1, pages: 2 })).toEqual({ page: 2, form: null })
  expect(next({ page: 2, pages: 2 }, { page: 2, form: null })).toBeNull()
  // A server that does not know `page` would give the first one again.
  expect(next({ page: 1, pages: 9 }, { page: 2, form: null })).toBeNull()
  expect(next({})).toBeNull()
})

it("marginalia's used-up limit is told from other errors", () => {
  expect(outcomeOf(read(source, "", { status: 503 }))).toBe("rate_limited")
  expect(outcomeOf(read(source, "<h1>Maintenance</h1>", { status: 503 }))).toBe("http_status")
  expect(outcomeOf(read(source, "", { status: 401 }))).toBe("http_status")
  expect(outcomeOf(read(source, '{"results":[]}'))).toBe("layout_changed")
})
