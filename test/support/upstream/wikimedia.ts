import { itemsOf, numberOf, type Site, types } from "./Site.ts"

/** `gsrlimit` files from `gsroffset`; without hits there is no `query`. */
export const wikimedia: Site = {
  hosts: ["commons.wikimedia.org"],
  blockStatus: 403,
  services: [
    {
      kind: "images",
      paths: ["/w/api.php"],
      type: types.json,
      generate: ({ url }, catalogue) => {
        const start = numberOf(url.searchParams, "gsroffset", 0)
        const end = start + numberOf(url.searchParams, "gsrlimit", 10)
        const query = (url.searchParams.get("gsrsearch") ?? "").replace(/^(?:\S+:\S+ )+/, "")
        const pages = itemsOf(query, catalogue, start, end).map(({ number, title }) => ({
          pageid: number,
          ns: 6,
          title: `File:${title}.jpg`,
          index: number - start,
          imageinfo: [
            {
              url: `https://upload.wikimedia.org/wikipedia/commons/a/a0/${catalogue.name}${number}.jpg`,
              thumburl: `https://upload.wikimedia.org/wikipedia/commons/thumb/a/a0/${number}.jpg/330px-${number}.jpg`,
              descriptionurl: `https://commons.wikimedia.org/wiki/File:${encodeURIComponent(title)}.jpg`,
              width: 1200,
              height: 800,
              mime: "image/jpeg"
            }
          ]
        }))
        const more = end < catalogue.total ? { continue: { gsroffset: end, continue: "gsroffset||" } } : {}
        return JSON.stringify({ batchcomplete: true, ...more, ...(pages.length === 0 ? {} : { query: { pages } }) })
      }
    }
  ]
}
