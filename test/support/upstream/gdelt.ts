import { hoursAgo, itemsOf, numberOf, type Site, types } from "./Site.ts"

/** `maxrecords` articles (75 unless told, 250 at most), no further pages; none at all is `{}`. */
export const gdelt: Site = {
  hosts: ["api.gdeltproject.org"],
  blockStatus: 403,
  services: [
    {
      kind: "news",
      paths: ["/api/v2/doc/doc"],
      type: types.json,
      generate: ({ url }, catalogue) => {
        const [query = ""] = (url.searchParams.get("query") ?? "").split(" sourcecountry:")
        const most = Math.min(numberOf(url.searchParams, "maxrecords", 75), 250)
        const articles = itemsOf(query, catalogue, 0, most).map(({ number, title, url: link }) => ({
          url: link,
          title,
          seendate: hoursAgo(number)
            .toISOString()
            .replace(/[-:]|\.\d+/g, ""),
          socialimage: `https://img.example/${number}.jpg`,
          domain: "paper.example",
          language: "English",
          sourcecountry: "United States"
        }))
        return JSON.stringify(articles.length === 0 ? {} : { articles })
      }
    }
  ]
}
