import { type SearchKind } from "../../../src/domain/SearchKind.ts"
import { hoursAgo, type Item, itemsOf, numberOf, type Service, type Site, types } from "./Site.ts"

const common = ({ text, title, url }: Item) => ({
  title,
  url,
  description: text,
  meta_url: { scheme: "https", hostname: new URL(url).hostname, path: "" },
  thumbnail: { src: `${url}.thumb.jpg`, original: `${url}.jpg` }
})

const pictured = (item: Item) => ({
  ...common(item),
  type: "image_result",
  source: new URL(item.url).hostname,
  properties: { url: `${item.url}.jpg`, width: 1024, height: 768 }
})

const dated = (item: Item) => ({ ...common(item), page_age: hoursAgo(item.number).toISOString().slice(0, 19) })

const filmed = (item: Item) => ({
  ...dated(item),
  type: "video_result",
  video: { duration: "04:05", views: 1000, creator: "A. Maker", publisher: "YouTube" }
})

const service = (
  kind: SearchKind,
  path: string,
  largest: number,
  answer: (items: ReadonlyArray<Item>, more: boolean) => object
): Service => ({
  kind,
  paths: [`/res/v1/${path}/search`],
  type: types.json,
  generate: ({ url }, catalogue) => {
    const count = Math.min(numberOf(url.searchParams, "count", 20), largest)
    const from = numberOf(url.searchParams, "offset", 0) * count
    const query = url.searchParams.get("q") ?? ""
    const items = itemsOf(query, catalogue, from, from + count)
    return JSON.stringify({ query: { original: query }, ...answer(items, from + count < catalogue.total) })
  }
})

/** `count` results of page `offset`, counted from 0. */
export const braveapi: Site = {
  hosts: ["api.search.brave.com"],
  blockStatus: 403,
  needsKey: true,
  services: [
    service("text", "web", 20, (items, more) => ({
      type: "search",
      query: { original: "", more_results_available: more },
      ...(items.length === 0 ? {} : { web: { type: "search", results: items.map(common) } })
    })),
    service("images", "images", 200, (items) => ({ type: "images", results: items.map(pictured) })),
    service("videos", "videos", 50, (items) => ({ type: "videos", results: items.map(filmed) })),
    service("news", "news", 50, (items) => ({ type: "news", results: items.map(dated) }))
  ]
}
