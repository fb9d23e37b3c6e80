import { type Asked, type Catalogue, escape, hoursAgo, itemsOf, numberOf, type Site, types } from "./Site.ts"

/** The items of a page that `first` numbers. Behind the last one, the last one comes again. */
const pageOf = ({ url }: Asked, catalogue: Catalogue, size: number) => {
  const query = url.searchParams.get("q") ?? ""
  const last = Math.max(0, Math.ceil(catalogue.total / size) - 1) * size + 1
  const first = Math.min(numberOf(url.searchParams, "first", 1), last)
  return { query, first, items: itemsOf(query, catalogue, first - 1, first - 1 + size) }
}

const wrapped = (link: string): string =>
  `https://www.bing.com/ck/a?!&amp;&amp;p=1&amp;ptn=3&amp;u=a1${Buffer.from(link).toString("base64url")}&amp;ntb=1`

/** Images: `count` tiles (35 unless told) from number `first`. Text and news come by ten, videos by forty. */
export const bing: Site = {
  hosts: ["www.bing.com"],
  blockStatus: 200,
  services: [
    {
      kind: "text",
      paths: ["/search"],
      type: types.html,
      generate: (asked, catalogue) => {
        const { first, items, query } = pageOf(asked, catalogue, 10)
        const results = items.map(
          ({ text, title, url }) => `<li class="b_algo"><h2><a href="${wrapped(url)}">${escape(title)}</a></h2>
<div class="b_caption"><p class="b_lineclamp2"><span class="news_dt">Jul 16, 2025</span> · ${escape(text)}</p></div></li>`
        )
        const next = `/search?q=${encodeURIComponent(query)}&amp;first=${first + 10}&amp;FORM=PORE`
        const pager =
          first + 10 <= catalogue.total ? `<a class="sb_pagN" title="Next page" href="${next}">Next</a>` : ""
        return `<html><head><title>${escape(query)} - Search</title></head><body><ol id="b_results">${results.join("")}
<li class="b_pag"><nav><a class="sb_pagS">1</a>${pager}</nav></li></ol></body></html>`
      }
    },
    {
      kind: "news",
      paths: ["/news/infinitescrollajax", "/news/search"],
      type: types.html,
      generate: (asked, catalogue) =>
        pageOf(asked, catalogue, 10)
          .items.map(
            ({ number, text, title, url }) => `<div class="news-card newsitem cardcommon" url="${url}"
data-title="${escape(title)}" data-author="The Paper"><a class="title" href="${url}">${escape(title)}</a>
<div class="snippet">${escape(text)}</div><div class="source"><span aria-label="${hoursAgo(number).toISOString()}">1h</span></div></div>`
          )
          .join("")
    },
    {
      kind: "videos",
      paths: ["/videos/search"],
      type: types.html,
      generate: (asked, catalogue) => {
        const tiles = pageOf(asked, catalogue, 40).items.map(({ number, title, url }) => {
          const data = escape(JSON.stringify({ murl: url, vt: title, du: "04:36" }))
          return `<div id="mc_vtvc_video_${number}" mmeta="${data}"><div class="vrhdata" vrhm="${data}"></div></div>`
        })
        return `<html><body><div data-svcptid="VideoResults">${tiles.join("")}</div></body></html>`
      }
    },
    {
      kind: "images",
      paths: ["/images/async", "/images/search"],
      type: types.html,
      generate: ({ url }, catalogue) => {
        const query = url.searchParams.get("q") ?? ""
        const first = numberOf(url.searchParams, "first", 1)
        const count = numberOf(url.searchParams, "count", 35)
        const tiles = itemsOf(query, catalogue, first - 1, first - 1 + count).map(
          ({ number, text, title, url: link }) => {
            const m = {
              cid: `c${number}`,
              purl: link,
              murl: `${link}.jpg`,
              turl: `https://ts1.mm.bing.net/th?id=OIP.${number}&pid=15.1`,
              md5: String(number).padStart(32, "0"),
              mid: String(number).padStart(40, "0"),
              desc: text,
              t: title
            }
            return `<li data-idx="${number}"><div class="iuscp isv"><div class="imgpt">
<a class="iusc" href="/images/search?view=detailV2&amp;mediaurl=x&amp;exph=600&amp;expw=800" m="${escape(JSON.stringify(m))}">
<div class="img_cont hoff"><img class="mimg" src="${escape(m.turl)}" alt="${escape(title)}"></div></a>
<div class="img_info hon"><span class="nowrap">800×600 · jpeg</span></div></div>
<div class="infopt"><div class="infnmpt"><ul><li><a title="${escape(title)}" href="${link}">${escape(title)}</a></li></ul>
<div class="lnkw"><a title="${catalogue.name}.example" href="${link}">${catalogue.name}.example</a></div></div></div>
</div></li>`
          }
        )
        const next = `/images/async?q=${encodeURIComponent(query)}&amp;first=${first + count}&amp;count=${count}`
        return `<div class="dgControl hover" data-nexturl="${first + count <= catalogue.total ? next : ""}">
<ul class="dgControl_list" data-row="0">${tiles.join("")}</ul></div>`
      }
    }
  ]
}
