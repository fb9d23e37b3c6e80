import { type Asked, hoursAgo, itemsOf, numberOf, type Service, type Site, types } from "./Site.ts"

const isNews = ({ url }: Asked): boolean => url.searchParams.get("tags") === "story"

const generate: Service["generate"] = ({ url }, catalogue) => {
  const page = numberOf(url.searchParams, "page", 0)
  const size = numberOf(url.searchParams, "hitsPerPage", 20)
  const items = itemsOf(url.searchParams.get("query") ?? "", catalogue, page * size, (page + 1) * size)
  const hits = items.map(({ number, title, url: link }) => ({
    objectID: String(number),
    title,
    url: link,
    author: "maker",
    points: 1000 - number,
    num_comments: number,
    created_at: hoursAgo(number).toISOString(),
    created_at_i: Math.floor(hoursAgo(number).getTime() / 1000),
    _tags: ["story", "author_maker", `story_${number}`]
  }))
  const nbPages = Math.ceil(catalogue.total / size)
  return JSON.stringify({ hits, nbHits: catalogue.total, nbPages, page, hitsPerPage: size })
}

const shared = { paths: ["/api/v1/search", "/api/v1/search_by_date"], type: types.json, generate }

/** `hitsPerPage` stories (20 unless told) of page `page`, counted from 0; as text, polls are asked for too. */
export const hackernews: Site = {
  hosts: ["hn.algolia.com"],
  blockStatus: 403,
  services: [
    { kind: "text", when: (asked) => !isNews(asked), ...shared },
    { kind: "news", when: isNews, ...shared }
  ]
}
