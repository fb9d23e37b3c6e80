import { escape, itemsOf, numberOf, type Site, types } from "./Site.ts"

const frame = (inner: string) => `<!DOCTYPE html>
<html><head><title>DuckDuckGo</title></head><body>
<form action="/html/" method="post"><input name="q"><select name="kl"></select><select name="df"></select></form>
<div id="links" class="results">${inner}</div></body></html>`

const token = (query: string) =>
  `4-${Buffer.from(query).toString("hex").replace(/\D/g, "7").padEnd(38, "1").slice(0, 38)}`

const hidden = (name: string, value: string) => `<input type="hidden" name="${name}" value="${escape(value)}" />`

/** Ten results on the first page, fifteen on each later one; a later one needs the token of the page before. */
export const duckduckgo: Site = {
  hosts: ["html.duckduckgo.com"],
  blockStatus: 202,
  services: [
    {
      kind: "text",
      paths: ["/html/", "/html"],
      type: types.html,
      generate: ({ form, url }, catalogue) => {
        const params = new URLSearchParams([...url.searchParams, ...form])
        const query = params.get("q") ?? ""
        const from = numberOf(params, "s", 0)
        if (from > 0 && params.get("vqd") !== token(query)) return null
        const until = from === 0 ? 10 : from + 15
        const results = itemsOf(query, catalogue, from, until).map(({ text, title, url: link }) => {
          const href = `//duckduckgo.com/l/?uddg=${encodeURIComponent(link)}&amp;rut=${"0a".repeat(32)}`
          return `<div class="result results_links results_links_deep web-result ">
<div class="links_main links_deep result__body"><h2 class="result__title">
<a rel="nofollow" class="result__a" href="${href}">${escape(title)}</a></h2>
<div class="result__extras"><a class="result__url" href="${href}">${escape(link)}</a></div>
<a class="result__snippet" href="${href}">${escape(text)}</a></div></div>`
        })
        const next = `<div class="nav-link"><form action="/html/" method="post">
<input type="submit" class='btn btn--alt' value="Next" />${[
          hidden("q", query),
          hidden("s", String(until)),
          hidden("nextParams", ""),
          hidden("v", "l"),
          hidden("o", "json"),
          hidden("dc", String(until + 1)),
          hidden("api", "d.js"),
          hidden("vqd", token(query)),
          hidden("kl", params.get("kl") ?? "wt-wt")
        ].join("")}</form></div>`
        return frame(results.join("") + (until < catalogue.total ? next : ""))
      }
    }
  ]
}
