import { type SearchKind } from "../../../src/domain/SearchKind.ts"
import { hoursAgo, itemsOf, numberOf, type Service, type Site, types } from "./Site.ts"

/** `rows` items of page `page` of a sort of thing. */
const service = (kind: SearchKind, mediatype: string): Service => ({
  kind,
  paths: ["/advancedsearch.php"],
  when: ({ url }) => url.searchParams.get("q")?.includes(`mediatype:(${mediatype})`) === true,
  type: types.json,
  generate: ({ url }, catalogue) => {
    const rows = numberOf(url.searchParams, "rows", 50)
    const start = (numberOf(url.searchParams, "page", 1) - 1) * rows
    const query = /^\(([^)]*)\)/.exec(url.searchParams.get("q") ?? "")?.[1] ?? ""
    const docs = itemsOf(query, catalogue, start, start + rows).map(({ number, text, title }) => ({
      identifier: `${catalogue.name}-${mediatype}-${number}`,
      title,
      creator: "A. Maker",
      description: text,
      publicdate: hoursAgo(number).toISOString(),
      year: 1900 + (number % 100),
      downloads: 1000 - number
    }))
    return JSON.stringify({ responseHeader: { status: 0 }, response: { numFound: catalogue.total, start, docs } })
  }
})

export const archive: Site = {
  hosts: ["archive.org"],
  blockStatus: 403,
  services: [service("videos", "movies"), service("books", "texts")]
}
