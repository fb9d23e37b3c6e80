import { describe, expect, it } from "@effect/vitest"
import { googlebooks } from "../../src/services/engine/catalogue/googlebooks.ts"
import { fixture, itemsOf, nextOf, outcomeOf, query, read, sent } from "./Asking.ts"

const source = googlebooks.sources.books

const page = (number: number) => ({ page: number, form: null })

describe("googlebooks", () => {
  it("asks for forty books at a time, with a key where there is one", () => {
    const request = source.request(query({ region: "de-de" }), page(3))
    expect(sent(request)).toEqual({
      q: "red panda",
      startIndex: "80",
      maxResults: "40",
      printType: "books",
      orderBy: "relevance"
    })
    expect(request.secrets).toEqual([{ as: "param", name: "key", variable: "GOOGLE_API_KEY" }])
    expect(googlebooks.keys).toEqual({ variables: ["GOOGLE_API_KEY"], required: false })
  })

  it("reads books", () => {
    expect(itemsOf(read(source, fixture("googlebooks/books.json")))).toEqual([
      {
        title: "A Brief History of Time: From the Big Bang to Black Holes",
        url: "https://books.google.com/books?id=hVj4CwAAQBAJ",
        author: "Stephen Hawking",
        publisher: "Bantam",
        info: "en; 212 pages; 1998-09-01; Science, Cosmology",
        thumbnail: "https://books.google.com/books/content?id=hVj4CwAAQBAJ&printsec=frontcover&img=1&zoom=1",
        year: 1998,
        language: "en",
        isbn: "9780553380163"
      },
      {
        title: "Dune",
        url: "https://books.google.com/books?id=3PuGDwAAQBAJ",
        author: "Frank Herbert",
        publisher: "Ace Books",
        info: "en; 1965",
        thumbnail: null,
        year: 1965,
        language: "en",
        isbn: "0441172717"
      }
    ])
  })

  it("reads volumes one by one, whatever is missing in them", () => {
    const volumes = [
      { volumeInfo: { title: "No id", infoLink: "http://books.google.com/books?id=x&dq=y", imageLinks: "none" } },
      { id: "abc", volumeInfo: { subtitle: "Only a subtitle", publishedDate: "June 2001", authors: "A. Writer" } },
      { id: "abc" },
      null,
      {
        id: "def",
        volumeInfo: { title: "Other numbers", industryIdentifiers: [{ type: "OTHER", identifier: "UOM:1" }] }
      }
    ]
    const body = JSON.stringify({ kind: "books#volumes", totalItems: 5, items: volumes })
    expect(itemsOf(read(source, body))).toMatchObject([
      { title: "No id", url: "https://books.google.com/books?id=x&dq=y", thumbnail: null },
      { title: "Only a subtitle", author: null, year: null },
      { title: "Other numbers", isbn: null }
    ])
  })

  it("goes on while pages are full, whatever the total says", () => {
    const volume = { id: "abc", volumeInfo: { title: "T" } }
    const body = (length: number) =>
      JSON.stringify({ kind: "books#volumes", totalItems: 3, items: Array.from({ length }, () => volume) })
    expect(nextOf(read(source, body(40)))).toEqual(page(2))
    expect(nextOf(read(source, body(39)))).toBeNull()
    expect(nextOf(read(source, body(40), {}, query(), page(25)))).toBeNull()
    const beyond = JSON.stringify({ kind: "books#volumes", totalItems: 400 })
    expect(outcomeOf(read(source, beyond, {}, query(), page(9)))).toBe("empty")
    expect(outcomeOf(read(source, beyond))).toBe("empty")
  })

  it("reads trimmed answers, and takes nothing else for an empty one", () => {
    const items = [{ id: "abc", volumeInfo: { title: "T", pageCount: "212" } }]
    expect(itemsOf(read(source, JSON.stringify({ items })))).toMatchObject([{ title: "T", info: "212 pages" }])
    expect(outcomeOf(read(source, '{"totalItems":0}'))).toBe("empty")
    const odd = [{}, { items: [] }, { kind: "x", totalItems: 0 }, { kind: "books#volumes", totalItems: 3, items: [] }]
    for (const body of odd) expect(outcomeOf(read(source, JSON.stringify(body)))).toBe("layout_changed")
  })

  it("tells no access from too much of it", () => {
    const error = (status: number, members: object) =>
      outcomeOf(read(source, JSON.stringify({ error: { code: status, ...members } }), { status }))
    expect(outcomeOf(read(source, fixture("googlebooks/books.block.json"), { status: 429 }))).toBe("blocked")
    const spent = fixture("googlebooks/books.block.json").replace(
      '"quota_limit_value": "0"',
      '"quota_limit_value": "1000"'
    )
    expect(outcomeOf(read(source, spent, { status: 429 }))).toBe("rate_limited")
    expect(error(403, { errors: [{ reason: "dailyLimitExceeded" }] })).toBe("rate_limited")
    expect(error(403, { errors: [{ reason: "forbidden" }] })).toBe("blocked")
    expect(error(400, { details: [{ reason: "API_KEY_INVALID" }] })).toBe("blocked")
    expect(error(400, { errors: [{ reason: "invalidParameter" }] })).toBe("http_status")
    expect(error(503, { errors: [{ reason: "backendError" }] })).toBe("http_status")
  })
})
