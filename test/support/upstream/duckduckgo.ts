import { type SearchKind } from "../../../src/domain/SearchKind.ts"
import { escape, hoursAgo, type Item, itemsOf, numberOf, type Service, type Site, types } from "./Site.ts"

const frame = (inner: string) => `<!DOCTYPE html>
<html><head><title>DuckDuckGo</title></head><body>
<form action="/html/" method="post"><input name="q"><select name="kl"></select><select name="df"></select></form>
<div id="links" class="results">${inner}</div></body></html>`

const token = (query: string) =>
  `4-${Buffer.from(query).toString("hex").replace(/\D/g, "7").padEnd(38, "1").slice(0, 38)}`

const hidden = (name: string, value: string) => `<input type="hidden" name="${name}" value="${escape(value)}" />`

const wrapped = (link: string) => `//duckduckgo.com/l/?uddg=${encodeURIComponent(link)}&amp;rut=${"0a".repeat(32)}`

const result = ({ text, title, url }: Item) => `<div class="result results_links results_links_deep web-result ">
<div class="links_main links_deep result__body"><h2 class="result__title">
<a rel="nofollow" class="result__a" href="${wrapped(url)}">${escape(title)}</a></h2>
<div class="result__extras"><a class="result__url" href="${wrapped(url)}">${escape(url)}</a></div>
<a class="result__snippet" href="${wrapped(url)}">${escape(text)}</a></div></div>`

const liteFrame = (inner: string, form: string) => `<!DOCTYPE html>
<html><head><title>DuckDuckGo</title></head><body>
<form action="/lite/" method="post"><input class="query" name="q" value="x"></form>
<table>${inner}</table>${form}</body></html>`

const liteResult = ({ number, text, title, url }: Item) => `<tr><td valign="top">${number}.&nbsp;</td>
<td><a rel="nofollow" href="${wrapped(url)}" class='result-link'>${escape(title)}</a></td></tr>
<tr><td></td><td class='result-snippet'>${escape(text)}</td></tr>
<tr><td></td><td><span class='link-text'>${escape(url)}</span></td></tr>`

/** Ten results on the first page, fifteen on each later one; a later one needs the token of the page before. */
const text: Service = {
  kind: "text",
  paths: ["/html/", "/html", "/lite/"],
  type: types.html,
  generate: ({ form, url }, catalogue) => {
    const isLite = url.pathname === "/lite/"
    const params = new URLSearchParams([...url.searchParams, ...form])
    const query = params.get("q") ?? ""
    const from = numberOf(params, "s", 0)
    if (from > 0 && params.get("vqd") !== token(query)) return null
    const until = from === 0 ? 10 : from + 15
    const results = itemsOf(query, catalogue, from, until).map(isLite ? liteResult : result)
    const inputs = [
      hidden("q", query),
      hidden("s", String(until)),
      hidden("nextParams", ""),
      hidden("v", "l"),
      hidden("o", "json"),
      hidden("dc", String(until + 1)),
      hidden("api", "d.js"),
      hidden("vqd", token(query)),
      hidden("kl", params.get("kl") ?? "wt-wt")
    ].join("")
    const hasMore = until < catalogue.total
    if (isLite) {
      const next = `<form class="next_form" action="/lite/" method="post"><input type="submit" value="Next Page &gt;">${inputs}</form>`
      return liteFrame(results.join(""), hasMore ? next : "")
    }
    const next = `<div class="nav-link"><form action="/html/" method="post">
<input type="submit" class='btn btn--alt' value="Next" />${inputs}</form></div>`
    return frame(results.join("") + (hasMore ? next : ""))
  }
}

/** What the site's script for a kind answers, a page of `size`; without a token it turns the program away. */
const script = (
  kind: SearchKind,
  path: string,
  size: number,
  member: (item: Item) => Readonly<Record<string, unknown>>
): Service => ({
  kind,
  paths: ["/", path],
  when: ({ url }) => url.pathname === path || url.searchParams.get("ia") === kind,
  type: types.json,
  isStep: ({ url }) => url.pathname === "/",
  generate: ({ url }, catalogue) => {
    const query = url.searchParams.get("q") ?? ""
    const from = numberOf(url.searchParams, "s", 0)
    if (!url.searchParams.has("vqd")) return null
    const results = itemsOf(query, catalogue, from, from + size).map(member)
    const next = `${path.slice(1)}?q=${encodeURIComponent(query)}&o=json&s=${from + size}&u=bing&l=us-en`
    return JSON.stringify({ ads: null, next: from + size < catalogue.total ? next : undefined, query, results })
  }
})

export const duckduckgo: Site = {
  hosts: ["html.duckduckgo.com", "lite.duckduckgo.com", "duckduckgo.com"],
  blockStatus: 202,
  services: [
    text,
    script("images", "/i.js", 100, ({ title, url }) => ({
      title,
      url,
      image: `${url}.jpg`,
      thumbnail: `${url}.small.jpg`,
      width: 800,
      height: 600,
      source: "Bing"
    })),
    script("videos", "/v.js", 60, ({ number, text: description, title, url }) => ({
      content: url,
      title,
      description,
      duration: "4:36",
      embed_url: `${url}/embed`,
      images: { large: `${url}.jpg`, medium: `${url}.jpg`, small: `${url}.jpg`, motion: "" },
      provider: "Bing",
      published: hoursAgo(number).toISOString().replace("Z", "0000"),
      publisher: "YouTube",
      statistics: { viewCount: 1000 - number },
      uploader: "A. Maker"
    })),
    script("news", "/news.js", 30, ({ number, text: excerpt, title, url }) => ({
      date: Math.floor(hoursAgo(number).getTime() / 1000),
      title,
      excerpt,
      url,
      relative_time: `${number} hours ago`,
      source: "The Example Times",
      syndicate: "Bing"
    }))
  ]
}
