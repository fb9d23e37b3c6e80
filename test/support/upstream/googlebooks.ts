import { itemsOf, numberOf, type Site, types } from "./Site.ts"

/** `maxResults` volumes (10 unless told) from `startIndex`; the end has no `items`. */
export const googlebooks: Site = {
  hosts: ["www.googleapis.com"],
  blockStatus: 429,
  services: [
    {
      kind: "books",
      paths: ["/books/v1/volumes"],
      type: types.json,
      generate: ({ url }, catalogue) => {
        const start = numberOf(url.searchParams, "startIndex", 0)
        const end = start + numberOf(url.searchParams, "maxResults", 10)
        const items = itemsOf(url.searchParams.get("q") ?? "", catalogue, start, end).map(({ number, title }) => ({
          kind: "books#volume",
          id: `${catalogue.name}${number}`,
          volumeInfo: { title, authors: ["A. Writer"], publishedDate: String(1900 + (number % 100)), language: "en" }
        }))
        const found = { kind: "books#volumes", totalItems: catalogue.total }
        return JSON.stringify(items.length === 0 ? found : { ...found, items })
      }
    }
  ]
}
