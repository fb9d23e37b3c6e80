import { type Asked, type Catalogue, escape, hoursAgo, type Item, itemsOf, numberOf, type Site, types } from "./Site.ts"

const isNews = ({ host }: Asked): boolean => host === "news.search.yahoo.com"

/** A page whose first number is `b`, with the pager of the real one. */
const pageOf = ({ host, url }: Asked, catalogue: Catalogue, size: number, shown: (item: Item) => string): string => {
  const query = url.searchParams.get("p") ?? ""
  const first = numberOf(url.searchParams, "b", 1)
  const items = itemsOf(query, catalogue, first - 1, first - 1 + size)
  const next = `https://${host}/search?p=${encodeURIComponent(query)}&amp;b=${first + size}&amp;pz=${size}&amp;bct=0&amp;xargs=0`
  const pager = first + size <= catalogue.total ? `<a class="next" href="${next}">Next</a>` : ""
  return `<html><head><title>${escape(query)} - Yahoo Search Results</title></head><body><div id="web">
<ol class="reg searchCenterMiddle">${items.map(shown).join("")}</ol></div><ol class="reg searchBottom">
<li><div class="compPagination"><strong>1</strong><a href="https://${host}/search?b=1">1</a>${pager}</div></li></ol></body></html>`
}

const wrapped = (link: string): string =>
  `https://r.search.yahoo.com/_ylt=x/RV=2/RE=1/RO=10/RU=${encodeURIComponent(link)}/RK=2/RS=y-`

/** Text by seven, news by ten; `b` is the number of the first. */
export const yahoo: Site = {
  hosts: ["search.yahoo.com", "*.search.yahoo.com"],
  blockStatus: 200,
  services: [
    {
      kind: "text",
      paths: ["/search"],
      when: (asked) => !isNews(asked),
      type: types.html,
      generate: (asked, catalogue) =>
        pageOf(
          asked,
          catalogue,
          7,
          ({ text, title, url }) => `<li><div class="dd algo algo-sr relsrch"><div class="compTitle">
<a href="${wrapped(url)}"><h3 class="title"><span>${escape(title)}</span></h3></a></div>
<div class="compText aAbs"><p><span class="fc-smoke">Sep 20, 2026 · </span>${escape(text)}</p></div></div></li>`
        )
    },
    {
      kind: "news",
      paths: ["/search"],
      when: isNews,
      type: types.html,
      generate: (asked, catalogue) =>
        pageOf(
          asked,
          catalogue,
          10,
          ({ number, text, title, url }) => `<li><ul class="compArticleList"><li><h4 class="s-title">
<a href="${wrapped(url)}">${escape(title)}</a></h4><span class="s-source">The Paper</span>
<span class="s-time">${hoursAgo(number).toISOString()} · </span><p class="s-desc">${escape(text)}</p></li></ul></li>`
        )
    }
  ]
}
