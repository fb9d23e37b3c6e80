import { itemsOf, type Site, types } from "./Site.ts"

/** All at once; the query's words are bold pieces of titles. */
export const mwmbl: Site = {
  hosts: ["api.mwmbl.org"],
  blockStatus: 403,
  services: [
    {
      kind: "text",
      paths: ["/api/v1/search/"],
      type: types.json,
      generate: ({ url }, catalogue) => {
        const query = url.searchParams.get("s") ?? ""
        const results = itemsOf(query, catalogue, 0, catalogue.total).map(({ text, title, url: link }) => ({
          title: [
            { value: "", is_bold: false },
            { value: query, is_bold: true },
            { value: title.slice(query.length), is_bold: false }
          ],
          extract: [{ value: text, is_bold: false }],
          url: link,
          source: "mwmbl"
        }))
        return JSON.stringify(results)
      }
    }
  ]
}
