import { itemsOf, numberOf, type Site, types } from "./Site.ts"

/** `limit` works (100 unless told) of page `page`; the key stands for the URL. */
export const openlibrary: Site = {
  hosts: ["openlibrary.org"],
  blockStatus: 403,
  services: [
    {
      kind: "books",
      paths: ["/search.json"],
      type: types.json,
      generate: ({ url }, catalogue) => {
        const limit = numberOf(url.searchParams, "limit", 100)
        const start = (numberOf(url.searchParams, "page", 1) - 1) * limit
        const docs = itemsOf(url.searchParams.get("q") ?? "", catalogue, start, start + limit).map(
          ({ number, title }) => ({
            key: `/works/OL${number}W`,
            title,
            author_name: ["A. Writer"],
            author_key: ["OL1A"],
            first_publish_year: 1900 + (number % 100),
            cover_i: number,
            edition_count: 1,
            language: ["eng"],
            publisher: ["A House"],
            isbn: ["9780000000002"]
          })
        )
        const total = catalogue.total
        return JSON.stringify({ numFound: total, start, numFoundExact: true, num_found: total, docs })
      }
    }
  ]
}
