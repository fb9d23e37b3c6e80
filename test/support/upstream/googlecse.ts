import { type Item, itemsOf, numberOf, type Site, types } from "./Site.ts"

const result = ({ text, title, url }: Item) => ({
  kind: "customsearch#result",
  title,
  link: url,
  displayLink: new URL(url).hostname,
  snippet: text
})

const picture = ({ title, url }: Item) => ({
  kind: "customsearch#result",
  title,
  link: `${url}.jpg`,
  displayLink: new URL(url).hostname,
  image: { contextLink: url, thumbnailLink: `${url}.thumb.jpg`, width: 1024, height: 768 }
})

const isImages = ({ url }: { readonly url: URL }) => url.searchParams.get("searchType") === "image"

const service = (kind: "text" | "images", of: (item: Item) => object): Site["services"][number] => ({
  kind,
  paths: ["/customsearch/v1"],
  when: (asked) => isImages(asked) === (kind === "images"),
  type: types.json,
  generate: ({ url: { searchParams } }, catalogue) => {
    const from = numberOf(searchParams, "start", 1) - 1
    const until = from + Math.min(numberOf(searchParams, "num", 10), 10)
    const items = itemsOf(searchParams.get("q") ?? "", catalogue, from, until).map(of)
    return JSON.stringify({
      kind: "customsearch#search",
      queries: until < catalogue.total ? { nextPage: [{ startIndex: until + 1 }] } : {},
      searchInformation: { totalResults: String(catalogue.total) },
      ...(items.length === 0 ? {} : { items })
    })
  }
})

/** `num` results (10 at most) from `start`, counted from 1. */
export const googlecse: Site = {
  hosts: ["customsearch.googleapis.com"],
  blockStatus: 403,
  needsKey: true,
  services: [service("text", result), service("images", picture)]
}
