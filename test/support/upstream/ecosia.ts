import { escape, itemsOf, numberOf, type Site, types } from "./Site.ts"

/** Ten results a page; `p` counts from 0 and is not sent for the first. */
export const ecosia: Site = {
  hosts: ["www.ecosia.org"],
  blockStatus: 403,
  services: [
    {
      kind: "text",
      paths: ["/search"],
      type: types.html,
      generate: ({ url }, catalogue) => {
        const query = url.searchParams.get("q") ?? ""
        const page = numberOf(url.searchParams, "p", 0)
        const results = itemsOf(query, catalogue, page * 10, page * 10 + 10).map(
          ({ text, title, url: link }) => `<div data-test-id="mainline-result-web"><article>
<a data-test-id="result-link" href="${link}"><div data-test-id="result-source">${link}</div></a>
<div class="result__title"><a data-test-id="result-link" href="${link}" class="result__link">
<h2 data-test-id="result-title">${escape(title)}</h2></a></div>
<div data-test-id="result-description"><p data-test-id="web-result-description">${escape(text)}</p></div>
</article></div>`
        )
        const href = `/search?q=${encodeURIComponent(query)}&amp;p=${page + 1}`
        const next = page * 10 + 10 < catalogue.total ? `<a data-test-id="next-button" href="${href}">Next</a>` : ""
        return `<!DOCTYPE html><html lang="en"><head><title>${escape(query)} - Ecosia</title></head><body>
<main data-test-id="layout-content"><section data-test-id="mainline">${results.join("")}
<div data-test-id="simplified-pagination">${next}</div></section></main></body></html>`
      }
    }
  ]
}
