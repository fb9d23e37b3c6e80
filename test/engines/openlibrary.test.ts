import { expect, it } from "@effect/vitest"
import { openlibrary } from "../../src/services/engine/catalogue/openlibrary.ts"
import { itemsOf, nextOf, outcomeOf, read } from "./Asking.ts"

const source = openlibrary.sources.books

it("openlibrary's works are read whatever the shape of their members", () => {
  const docs = [
    { key: "OL27448W", title: "Old", isbn: ["0261103253", "9780261103252"], cover_i: "55", first_publish_year: "1954" },
    { title: "Trimmed", isbn: ["9780261103252"], author_name: ["J. R. R. Tolkien", null], cover_i: -1 },
    { title: "Nowhere" },
    { key: "/works/OL1W", title: null },
    { key: "/works/OL2W", title: "Odd", author_name: "A. Writer", language: null, publisher: {}, ebook_access: 3 }
  ]
  expect(itemsOf(read(source, JSON.stringify({ numFound: "5", docs })))).toMatchObject([
    {
      title: "Old",
      url: "https://openlibrary.org/works/OL27448W",
      isbn: "9780261103252",
      year: 1954,
      thumbnail: "https://covers.openlibrary.org/b/id/55-M.jpg"
    },
    {
      title: "Trimmed",
      url: "https://openlibrary.org/isbn/9780261103252",
      author: "J. R. R. Tolkien",
      thumbnail: null
    },
    { title: "Odd", url: "https://openlibrary.org/works/OL2W", author: null, info: null }
  ])
})

it("openlibrary ends where its count does", () => {
  const docs = [{ key: "/works/OL1W", title: "T" }]
  expect(nextOf(read(source, JSON.stringify({ docs })))).toBeNull()
  expect(nextOf(read(source, JSON.stringify({ numFound: "51", docs })))).toEqual({ page: 2, form: null })
  expect(outcomeOf(read(source, '{"numFound":0,"docs":[]}'))).toBe("empty")
  expect(outcomeOf(read(source, '{"docs":[]}'))).toBe("layout_changed")
})
