import {
  type Catalogue,
  escape,
  hoursAgo,
  type Item,
  itemsOf,
  numberOf,
  type Service,
  type Site,
  types
} from "./Site.ts"

/** JSON is a literal too; `devalue` writes no `<`. */
const literal = (value: unknown): string => JSON.stringify(value).replaceAll("<", "\\u003C")

const frame = (inner: string, data: unknown) => `<!doctype html>
<html lang="en-us"><head><title>search - Brave Search</title></head><body><main>${inner}</main><script>
Promise.all([import("https://cdn.search.brave.com/start.js")]).then(([kit, app]) => {
  kit.start(app, element, {
    node_ids: [0, 30],
    data: [{type:"data",data:{isMobile:false,premiumCookieValue:void 0},uses:{}},{type:"data",data:${literal(data)},uses:{}}],
    form: null,
    error: null
  });
});</script></body></html>`

const picture = (number: number) => `https://imgs.search.brave.com/${number}/rs:fit:200:200:1:0`

const tile = (
  { text, title, url }: Item,
  index: number
) => `<!--[--><div class="snippet svelte-x" data-pos="${index}" data-type="web">
<div class="result-content"><a href="${url}"><cite class="snippet-url">${url}</cite>
<div class="title search-snippet-title" title="${escape(title)}">${escape(title)}</div></a>
<div class="generic-snippet"><div class="content"><span class="t-secondary">July 2, 2025 -</span> ${escape(text)}</div></div></div></div>`

interface Paging {
  readonly query: string
  /** From 1. */
  readonly page: number
  readonly hasMore: boolean
}

const service = (
  kind: Service["kind"],
  path: string,
  size: number,
  write: (items: ReadonlyArray<Item>, paging: Paging, catalogue: Catalogue) => string
): Service => ({
  kind,
  paths: [path],
  type: types.html,
  generate: ({ url }, catalogue) => {
    const query = url.searchParams.get("q") ?? ""
    const page = numberOf(url.searchParams, "offset", 0) + 1
    if (page > 10) return null
    const items = itemsOf(query, catalogue, (page - 1) * size, page * size)
    return write(items, { query, page, hasMore: page * size < catalogue.total }, catalogue)
  }
})

const about = ({ hasMore, query }: Paging) => ({ original: query, more_results_available: hasMore })

/** Twenty web results or videos a page, counted by `offset`; pictures and news have one page. */
export const brave: Site = {
  hosts: ["search.brave.com"],
  blockStatus: 429,
  services: [
    service("text", "/search", 20, (items, paging) => {
      const next = `<div id="pagination"><a href="/search?q=${encodeURIComponent(paging.query)}&amp;offset=${paging.page}&amp;spellcheck=0">Next</a></div>`
      const found = items.map(({ text: description, title, url }) => ({ title, url, description }))
      const response = { type: "search", query: about(paging), web: { type: "search", results: found } }
      return frame(`<div id="results">${items.map(tile).join("")}${paging.hasMore ? next : ""}</div>`, {
        body: { response },
        noResults: items.length === 0
      })
    }),
    service("images", "/images", 200, (items, { page, query }, { name }) =>
      frame("", {
        body: {
          response: {
            type: "images",
            query: { original: query, more_results_available: null },
            results: (page === 1 ? items : []).map(({ number, title, url }) => ({
              title,
              url,
              source: `www.${name}.example`,
              thumbnail: { src: picture(number), width: 500, height: 281 },
              properties: { url: `${url}.jpg`, width: 1280, height: 720 }
            }))
          }
        }
      })
    ),
    service("videos", "/videos", 20, (items, paging) =>
      frame("", {
        body: {
          response: {
            type: "videos",
            query: about(paging),
            results: items.map(({ number, text: description, title, url }) => ({
              title: `${title} - YouTube`,
              url,
              description,
              age: "3 days ago",
              page_age: hoursAgo(number).toISOString().slice(0, 19),
              video: { duration: "04:36", views: null, creator: "A creator", publisher: "YouTube" },
              thumbnail: { src: picture(number), original: `${url}.jpg` }
            }))
          }
        }
      })
    ),
    service("news", "/news", 30, (items, { page, query }, { name }) =>
      frame("", {
        response: {
          type: "news",
          query: { original: query, more_results_available: false },
          news: {
            results: (page === 1 ? items : []).map(({ number, text: description, title, url }) => ({
              title,
              url,
              description,
              age: `${number} hours ago`,
              thumbnail: { src: picture(number) },
              profile: { name },
              meta_url: { hostname: `www.${name}.example` }
            }))
          }
        }
      })
    )
  ]
}
