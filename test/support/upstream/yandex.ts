import { escape, itemsOf, numberOf, type Site, types } from "./Site.ts"

/** The frame of the site search: ten results a page; `p` counts from 0 and is not sent for the first. */
export const yandex: Site = {
  hosts: ["yandex.com"],
  blockStatus: 200,
  services: [
    {
      kind: "text",
      paths: ["/search/site/", "/search/"],
      type: types.html,
      generate: ({ url }, catalogue) => {
        const query = url.searchParams.get("text") ?? ""
        const page = numberOf(url.searchParams, "p", 0)
        const results = itemsOf(query, catalogue, page * 10, page * 10 + 10).map(
          ({ text, title, url: link }) => `<li class="serp-item b-serp-item"><h3 class="b-serp-item__title">
<a class="b-serp-item__title-link" href="${link}"><span>${escape(title)}</span></a></h3>
<div class="b-serp-item__content"><div class="b-serp-item__text">${escape(text)}</div></div></li>`
        )
        const pages = Array.from({ length: Math.ceil(catalogue.total / 10) }, (_, index) =>
          index === page
            ? `<b>${index + 1}</b>`
            : `<a class="b-pager__page" href="?text=x&amp;p=${index}">${index + 1}</a>`
        )
        return `<!DOCTYPE html><html lang="en"><head><title>${escape(query)} — Yandex</title></head>
<body class="b-page"><ol class="b-serp-list">${results.join("")}</ol>
<div class="b-pager">${pages.join("")}</div></body></html>`
      }
    }
  ]
}
