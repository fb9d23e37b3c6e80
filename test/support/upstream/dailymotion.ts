import { hoursAgo, itemsOf, numberOf, type Site, types } from "./Site.ts"

/** `limit` videos (10 unless told) of page `page`. */
export const dailymotion: Site = {
  hosts: ["api.dailymotion.com"],
  blockStatus: 403,
  services: [
    {
      kind: "videos",
      paths: ["/videos"],
      type: types.json,
      generate: ({ url }, catalogue) => {
        const limit = numberOf(url.searchParams, "limit", 10)
        const page = numberOf(url.searchParams, "page", 1)
        const items = itemsOf(url.searchParams.get("search") ?? "", catalogue, (page - 1) * limit, page * limit)
        const list = items.map(({ number, text, title, url: link }) => ({
          id: `x${number}`,
          title,
          url: link,
          description: text,
          duration: 60 + number,
          created_time: Math.floor(hoursAgo(number).getTime() / 1000),
          thumbnail_360_url: `https://s1.dmcdn.net/v/${number}/x360`,
          thumbnail_720_url: `https://s1.dmcdn.net/v/${number}/x720`,
          embed_url: `https://www.dailymotion.com/embed/video/x${number}`,
          views_total: 1000 - number,
          "owner.screenname": "A. Maker"
        }))
        const has_more = page * limit < catalogue.total
        return JSON.stringify({ page, limit, explicit: false, total: catalogue.total, has_more, list })
      }
    }
  ]
}
