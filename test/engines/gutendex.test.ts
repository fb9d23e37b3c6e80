import { expect, it } from "@effect/vitest"
import { gutendex } from "../../src/services/engine/catalogue/gutendex.ts"
import { itemsOf, nextOf, outcomeOf, query, read } from "./Asking.ts"

const source = gutendex.sources.books

it("gutendex's books are read one by one, whatever they lack", () => {
  const results = [
    { id: "84", title: "Frankenstein", authors: null, languages: "en", formats: [] },
    { id: null, title: "No number" },
    { id: 5, title: null },
    {
      id: 1524,
      title: "Hamlet",
      authors: [{ name: "Shakespeare, William", birth_year: 1564 }, { name: 7 }, { name: "Anonymous" }],
      languages: ["en", 3],
      formats: { "image/jpeg": "//www.gutenberg.org/cover.jpg", "audio/mpeg": "x", "text/plain; charset=utf-8": "x" }
    },
    "no book"
  ]
  expect(itemsOf(read(source, JSON.stringify({ results })))).toMatchObject([
    { title: "Frankenstein", url: "https://www.gutenberg.org/ebooks/84", author: null, language: null, info: null },
    {
      title: "Hamlet",
      author: "William Shakespeare, Anonymous",
      language: "en",
      info: "en; text, audio",
      thumbnail: "https://www.gutenberg.org/cover.jpg"
    }
  ])
})

it("gutendex's end and errors", () => {
  const page = (number: number) => ({ page: number, form: null })
  expect(nextOf(read(source, '{"next":null,"results":[{"id":1,"title":"T"}]}'))).toBeNull()
  expect(outcomeOf(read(source, '{"count":"0","next":null,"results":[]}'))).toBe("empty")
  expect(outcomeOf(read(source, '{"count":4,"results":[]}'))).toBe("layout_changed")
  expect(outcomeOf(read(source, '{"detail":"Not found."}', { status: 404 }, query(), page(3)))).toBe("http_status")
})
