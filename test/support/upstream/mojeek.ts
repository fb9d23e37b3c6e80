import { escape, itemsOf, numberOf, type Site, types } from "./Site.ts"

const frame = (inner: string) => `<!DOCTYPE html>
<html lang="en"><head><title>Mojeek Search</title></head><body><div class="container">
<form action="/search" method="get"><input name="q"></form><div class="results">${inner}</div></div></body></html>`

/** Ten results a page; `s` is the number of the first, and is not sent for page one. */
export const mojeek: Site = {
  hosts: ["www.mojeek.com"],
  blockStatus: 403,
  services: [
    {
      kind: "text",
      paths: ["/search"],
      type: types.html,
      generate: ({ url }, catalogue) => {
        const query = url.searchParams.get("q") ?? ""
        const first = numberOf(url.searchParams, "s", 1)
        if (url.searchParams.get("s") === "1") return null
        const results = itemsOf(query, catalogue, first - 1, first + 9).map(
          ({ text, title, url: link }, index) => `<!--rs--><li class="r${index + 1}">
<a title="${link}" href="${link}" class="ob"><p class="i"><span class="url">${link}</span></p></a>
<h2><a class="title" title="${link}" href="${link}">${escape(title)}</a></h2>
<p class="s">${escape(text)}</p></li><!--re-->`
        )
        const pages = Array.from({ length: Math.ceil(catalogue.total / 10) }, (_, index) => {
          const start = index * 10 + 1
          const shown = `<span>${index + 1}</span>`
          const href = `/search?q=${encodeURIComponent(query)}&amp;s=${start}`
          return start === first ? `<li>${shown}</li>` : `<li><a href="${href}">${shown}</a></li>`
        })
        const next =
          first + 10 <= catalogue.total
            ? `<li><a href="/search?q=${encodeURIComponent(query)}&amp;s=${first + 10}">Next</a></li>`
            : "<li>Next</li>"
        return frame(`<ul class="results-standard"><!--ls-->${results.join("")}<!--le--></ul>
<div class="pagination"><ul><li>Prev</li>${pages.slice(0, 10).join("")}${next}</ul></div>`)
      }
    }
  ]
}
