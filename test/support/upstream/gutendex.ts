import { itemsOf, numberOf, type Site, types } from "./Site.ts"

const pageSize = 32

/** 32 books a page; a page past the end is a 404. */
export const gutendex: Site = {
  hosts: ["gutendex.com"],
  blockStatus: 403,
  services: [
    {
      kind: "books",
      paths: ["/books/", "/books"],
      type: types.json,
      generate: ({ url }, catalogue) => {
        const page = numberOf(url.searchParams, "page", 1)
        const from = (page - 1) * pageSize
        if (from > 0 && from >= catalogue.total) {
          return { status: 404, type: types.json, body: JSON.stringify({ detail: "Invalid page." }) }
        }
        const beside = (other: number) => {
          const params = new URLSearchParams(url.searchParams)
          params.set("page", String(other))
          return `https://gutendex.com/books/?${params}`
        }
        const results = itemsOf(url.searchParams.get("search") ?? "", catalogue, from, from + pageSize).map(
          ({ number, title }) => ({
            id: number,
            title,
            authors: [{ name: "Writer, A.", birth_year: 1800, death_year: 1880 }],
            editors: [],
            translators: [],
            subjects: ["Testing -- Fiction"],
            bookshelves: [],
            languages: ["en"],
            copyright: false,
            media_type: "Text",
            formats: { "image/jpeg": `https://www.gutenberg.org/cache/epub/${number}/pg${number}.cover.medium.jpg` },
            download_count: 1000 - number
          })
        )
        return JSON.stringify({
          count: catalogue.total,
          next: from + pageSize < catalogue.total ? beside(page + 1) : null,
          previous: page > 1 ? beside(page - 1) : null,
          results
        })
      }
    }
  ]
}
