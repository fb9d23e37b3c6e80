import { itemsOf, numberOf, type Site } from "./Site.ts"

const found = (search: ReadonlyArray<unknown>, total: number, next: number | null) =>
  JSON.stringify({
    batchcomplete: true,
    ...(next === null ? {} : { continue: { sroffset: next, continue: "-||" } }),
    query: { searchinfo: { totalhits: total }, search }
  })

/** `srlimit` results (10 unless told) from `sroffset`. */
export const wikipedia: Site = {
  hosts: ["*.wikipedia.org"],
  blockStatus: 403,
  services: [
    {
      kind: "text",
      paths: ["/w/api.php"],
      type: "application/json; charset=utf-8",
      generate: ({ url }, catalogue) => {
        const query = url.searchParams.get("srsearch") ?? ""
        const from = numberOf(url.searchParams, "sroffset", 0)
        const until = from + numberOf(url.searchParams, "srlimit", 10)
        const search = itemsOf(query, catalogue, from, until).map(({ number, text, title }) => ({
          ns: 0,
          title,
          pageid: number,
          size: 4000,
          wordcount: 600,
          snippet: text,
          timestamp: "2026-10-01T15:56:11Z"
        }))
        return found(search, catalogue.total, until < catalogue.total ? until : null)
      }
    }
  ]
}
