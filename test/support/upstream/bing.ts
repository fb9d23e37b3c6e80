import { escape, itemsOf, numberOf, type Site, types } from "./Site.ts"

/** `count` tiles (35 unless told) from number `first`. */
export const bing: Site = {
  hosts: ["www.bing.com"],
  blockStatus: 200,
  services: [
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
