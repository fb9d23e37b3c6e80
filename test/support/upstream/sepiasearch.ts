import { hoursAgo, itemsOf, numberOf, type Site, types } from "./Site.ts"

/** `count` videos (15 unless told) from `start`. */
export const sepiasearch: Site = {
  hosts: ["sepiasearch.org"],
  blockStatus: 200,
  services: [
    {
      kind: "videos",
      paths: ["/api/v1/search/videos"],
      type: types.json,
      generate: ({ url }, catalogue) => {
        const start = numberOf(url.searchParams, "start", 0)
        const count = numberOf(url.searchParams, "count", 15)
        const items = itemsOf(url.searchParams.get("search") ?? "", catalogue, start, start + count)
        const data = items.map(({ number, text, title, url: link }) => ({
          id: number,
          uuid: `00000000-0000-4000-8000-${String(number).padStart(12, "0")}`,
          name: title,
          url: link,
          description: text,
          duration: 120 + number,
          thumbnailUrl: `${link}/thumbnail.jpg`,
          previewUrl: `${link}/preview.jpg`,
          embedUrl: `${link}/embed`,
          publishedAt: hoursAgo(number).toISOString(),
          views: 500 + number,
          account: { name: "maker", displayName: "A. Maker", host: "videos.example" },
          channel: { name: "channel", displayName: "A Channel", host: "videos.example" }
        }))
        return JSON.stringify({ total: catalogue.total, data })
      }
    }
  ]
}
