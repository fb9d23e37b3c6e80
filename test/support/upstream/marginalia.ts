import { itemsOf, numberOf, type Site, types } from "./Site.ts"

/** `count` results (20 unless told) of page `page`, counted from 1; the older API has its query in the path. */
export const marginalia: Site = {
  hosts: ["api2.marginalia-search.com", "api.marginalia.nu"],
  blockStatus: 403,
  services: [
    {
      kind: "text",
      paths: ["/search", "/public/search/*"],
      type: types.json,
      generate: ({ url }, catalogue) => {
        const query = url.searchParams.get("query") ?? decodeURIComponent(url.pathname.split("/").at(-1) ?? "")
        const size = numberOf(url.searchParams, "count", 20)
        const page = numberOf(url.searchParams, "page", 1)
        const results = itemsOf(query, catalogue, (page - 1) * size, page * size).map(({ text, title, url: link }) => ({
          url: link,
          title,
          description: text,
          quality: 3.5,
          format: "html",
          resultsFromDomain: 1,
          details: []
        }))
        const pages = Math.ceil(catalogue.total / size)
        return JSON.stringify({ license: "CC-BY-NC-SA 4.0", query, results, page, pages })
      }
    }
  ]
}
