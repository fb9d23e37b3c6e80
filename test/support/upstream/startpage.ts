import { itemsOf, numberOf, type Site, types } from "./Site.ts"

const token = "UPRAX3NlozEf00"

const home = `<!DOCTYPE html><html lang="en"><head><title>Startpage - Private Search Engine</title></head><body>
<form id="search" action="/sp/search" method="post"><input name="query"><input type="hidden" name="sc" value="${token}"></form></body></html>`

/** Ten results a page; the first one free, later ones for the token. */
export const startpage: Site = {
  hosts: ["www.startpage.com"],
  blockStatus: 200,
  services: [
    {
      kind: "text",
      paths: ["/", "/sp/search"],
      type: types.html,
      generate: ({ form, method, url }, catalogue) => {
        if (url.pathname === "/") return home
        const params = method === "POST" ? form : url.searchParams
        const page = numberOf(params, "page", 1)
        if (page > 18 || (page > 1 && params.get("sc") !== token)) return null
        const items = itemsOf(params.get("query") ?? "", catalogue, (page - 1) * 10, page * 10)
        const results = items.map(({ text, title, url: clickUrl }) => ({
          clickUrl,
          description: `2 Sep 2014 <b>...</b> ${text}`,
          title: `<b>${title}</b>`
        }))
        const pages = Array.from({ length: Math.ceil(catalogue.total / 10) }, (_, index) => ({
          name: String(index + 1),
          nextPrev: false,
          number: index + 1,
          selected: index + 1 === page
        }))
        const render = {
          presenter: {
            pagination: { current: page - 1, pages },
            regions: {
              mainline: [
                { display_type: "ads-google-top", presented_count: 1, results: [{ thash: "DXRi" }] },
                { display_type: "web-google", presented_count: results.length, results }
              ]
            }
          },
          search_sc: token,
          segment: "startpage.udog"
        }
        return `<!DOCTYPE html><html lang="en"><head><title>Startpage Search Results</title></head><body><div id="root"></div>
<script>ReactDOM.hydrateRoot(rootNode, React.createElement(UIStartpage.AppSerpWeb, ${JSON.stringify({ render })}))</script></body></html>`
      }
    }
  ]
}
