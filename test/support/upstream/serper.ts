import { type SearchKind } from "../../../src/domain/SearchKind.ts"
import { membersOf } from "./JsonBody.ts"
import { type Item, itemsOf, numberOf, type Site, types } from "./Site.ts"

const result = ({ number, text, title, url }: Item) => ({ title, link: url, snippet: text, position: number })

const picture = (item: Item) => ({
  ...result(item),
  imageUrl: `${item.url}.jpg`,
  imageWidth: 1024,
  imageHeight: 768,
  thumbnailUrl: `${item.url}.thumb.jpg`,
  source: "A Gallery"
})

const dated = (item: Item) => ({ ...result(item), date: `${item.number} hours ago`, source: "The Daily" })

const filmed = (item: Item) => ({ ...dated(item), duration: "4:05", channel: "A. Maker", imageUrl: `${item.url}.jpg` })

const service = (
  kind: SearchKind,
  path: string,
  name: string,
  of: (item: Item) => object
): Site["services"][number] => ({
  kind,
  paths: [path],
  type: types.json,
  generate: ({ body }, catalogue) => {
    const asked = membersOf(body)
    const q = asked.get("q") ?? ""
    const size = numberOf(asked, "num", 10)
    const page = numberOf(asked, "page", 1)
    const items = itemsOf(q, catalogue, (page - 1) * size, page * size).map(of)
    return JSON.stringify({ searchParameters: { q, page, num: size }, [name]: items, credits: 1 })
  }
})

/** `num` results of page `page`. */
export const serper: Site = {
  hosts: ["google.serper.dev"],
  blockStatus: 403,
  needsKey: true,
  services: [
    service("text", "/search", "organic", result),
    service("images", "/images", "images", picture),
    service("news", "/news", "news", dated),
    service("videos", "/videos", "videos", filmed)
  ]
}
