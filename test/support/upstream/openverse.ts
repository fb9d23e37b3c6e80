import { itemsOf, numberOf, type Site, types } from "./Site.ts"

const largestPage = 20

/** `page_size` pictures (20 at most without a key) of page `page`. */
export const openverse: Site = {
  hosts: ["api.openverse.org"],
  blockStatus: 403,
  services: [
    {
      kind: "images",
      paths: ["/v1/images/"],
      type: types.json,
      generate: ({ url }, catalogue) => {
        const size = numberOf(url.searchParams, "page_size", largestPage)
        const page = numberOf(url.searchParams, "page", 1)
        if (size > largestPage) {
          const detail = { page_size: ["Page size must be at most 20 for anonymous requests."] }
          return { status: 401, type: types.json, body: JSON.stringify({ detail }) }
        }
        const results = itemsOf(url.searchParams.get("q") ?? "", catalogue, (page - 1) * size, page * size).map(
          ({ number, title, url: link }) => ({
            id: `00000000-0000-4000-8000-${String(number).padStart(12, "0")}`,
            title,
            foreign_landing_url: link,
            url: `${link}.jpg`,
            thumbnail: `https://api.openverse.org/v1/images/${number}/thumb/`,
            creator: "A. Painter",
            license: "by",
            license_version: "4.0",
            provider: "flickr",
            source: "flickr",
            width: 1024,
            height: 768
          })
        )
        const pages = Math.ceil(catalogue.total / size)
        return JSON.stringify({ result_count: catalogue.total, page_count: pages, page_size: size, page, results })
      }
    }
  ]
}
