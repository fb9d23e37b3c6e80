import { escape, hoursAgo, itemsOf, type Site, types } from "./Site.ts"

const feed = (query: string, items: string) =>
  `<?xml version="1.0" encoding="UTF-8" standalone="yes"?><rss version="2.0" xmlns:media="http://search.yahoo.com/mrss/">
<channel><generator>NFE/5.0</generator><title>"${escape(query)}" - Google News</title>
<link>https://news.google.com/search?q=${encodeURIComponent(query)}&amp;hl=en-US&amp;gl=US&amp;ceid=US:en</link>
<language>en-US</language><description>Google News</description>${items}</channel></rss>`

const longestFeed = 100

/** No paging: a hundred articles at most. */
export const googlenews: Site = {
  hosts: ["news.google.com"],
  blockStatus: 503,
  services: [
    {
      kind: "news",
      paths: ["/rss/search"],
      type: types.xml,
      generate: ({ url }, catalogue) => {
        const query = url.searchParams.get("q") ?? ""
        const items = itemsOf(query, catalogue, 0, longestFeed).map(
          ({ number, title, url: link }) => `<item><title>${escape(title)} - The Paper</title><link>${link}</link>
<guid isPermaLink="false">${number}</guid><pubDate>${hoursAgo(number).toUTCString()}</pubDate>
<description>${escape(`<a href="${link}" target="_blank">${escape(title)}</a>&nbsp;&nbsp;<font color="#6f6f6f">The Paper</font>`)}</description>
<source url="https://paper.example">The Paper</source></item>`
        )
        return feed(query, items.join(""))
      }
    }
  ]
}
