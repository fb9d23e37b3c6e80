import { itemsOf, numberOf, type Site } from "./Site.ts"

/** `per_page` repositories (30 unless told) of page `page`, counted from 1. */
export const github: Site = {
  hosts: ["api.github.com"],
  blockStatus: 403,
  services: [
    {
      kind: "text",
      paths: ["/search/repositories"],
      type: "application/json; charset=utf-8",
      generate: ({ url }, catalogue) => {
        const page = numberOf(url.searchParams, "page", 1)
        const size = numberOf(url.searchParams, "per_page", 30)
        const query = url.searchParams.get("q") ?? ""
        const items = itemsOf(query, catalogue, (page - 1) * size, page * size).map(
          ({ number, text, title, url: link }) => ({
            id: number,
            full_name: title,
            html_url: link,
            description: text,
            stargazers_count: 1000 - number
          })
        )
        return JSON.stringify({ total_count: catalogue.total, incomplete_results: false, items })
      }
    }
  ]
}
