import { escape, hoursAgo, itemsOf, numberOf, type Site } from "./Site.ts"

/** `pagesize` questions (30 unless told) of page `page`, counted from 1. */
export const stackexchange: Site = {
  hosts: ["api.stackexchange.com"],
  blockStatus: 403,
  services: [
    {
      kind: "text",
      paths: ["/2.3/search/advanced"],
      type: "application/json; charset=utf-8",
      generate: ({ url }, catalogue) => {
        const page = numberOf(url.searchParams, "page", 1)
        const size = numberOf(url.searchParams, "pagesize", 30)
        const query = url.searchParams.get("q") ?? ""
        const items = itemsOf(query, catalogue, (page - 1) * size, page * size).map(
          ({ number, text, title, url: link }) => ({
            tags: ["bridge"],
            score: 1000 - number,
            creation_date: Math.floor(hoursAgo(number).getTime() / 1000),
            question_id: number,
            link,
            title: escape(title),
            body: `<p>${escape(text)}</p>`
          })
        )
        const more = page * size < catalogue.total
        return JSON.stringify({ items, has_more: more, quota_max: 300, quota_remaining: 250 })
      }
    }
  ]
}
