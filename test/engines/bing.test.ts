import { describe, expect, it } from "@effect/vitest"
import { regions } from "../../src/domain/Region.ts"
import { bing } from "../../src/services/engine/catalogue/bing.ts"
import { type Cursor, firstPage } from "../../src/services/engine/Engine.ts"
import { fixture, itemsOf, nextOf, now, outcomeOf, query, read, sent } from "./Asking.ts"

const { news, text, videos } = bing.sources

const page = (number: number): Cursor => ({ page: number, form: null })

const wrapped = (link: string) =>
  `https://www.bing.com/ck/a?!&amp;&amp;p=2e&amp;ptn=3&amp;u=a1${Buffer.from(link).toString("base64url")}&amp;ntb=1`

/** Regions and their markets, of the region map; where Bing does not have one, the country's main market. */
const markets = (
  "ar-es es-ar, au-en en-au, at-de de-at, be-fr fr-be, be-nl nl-be, br-pt pt-br, bg-bg bg-bg, ca-en en-ca, " +
  "ca-fr fr-ca, ct-ca es-es, cl-es es-cl, cn-zh zh-cn, co-es es-co, hr-hr hr-hr, cz-cs cs-cz, dk-da da-dk, " +
  "ee-et et-ee, fi-fi fi-fi, fr-fr fr-fr, de-de de-de, gr-el el-gr, hk-tzh en-hk, hu-hu hu-hu, is-is is-is, " +
  "in-en en-in, id-en id-id, ie-en en-ie, il-en he-il, it-it it-it, jp-jp ja-jp, kr-kr ko-kr, lv-lv lv-lv, " +
  "lt-lt lt-lt, my-en ms-my, mx-es es-mx, nl-nl nl-nl, nz-en en-nz, no-no nb-no, pk-en en-pk, pe-es es-pe, " +
  "ph-en en-ph, pl-pl pl-pl, pt-pt pt-pt, ro-ro ro-ro, ru-ru ru-ru, xa-ar ar-sa, sg-en en-sg, sk-sk sk-sk, " +
  "sl-sl sl-si, za-en en-za, es-ca es-es, es-es es-es, se-sv sv-se, ch-de de-ch, ch-fr fr-ch, tw-tzh zh-tw, " +
  "th-en th-th, tr-tr tr-tr, us-es en-us, ua-uk uk-ua, uk-en en-gb, vn-en vi-vn"
).split(", ")

describe("every kind", () => {
  it("names the market of each region in cookies", () => {
    expect(markets.length + 2).toBe(regions.length)
    for (const [region = "", market] of markets.map((line) => line.split(" "))) {
      for (const source of [text, videos, bing.sources.images]) {
        const { cookies, headers } = source.request(query({ region }), firstPage)
        expect([region, cookies._EDGE_CD]).toEqual([region, `m=${market}&u=${market}`])
        expect(cookies._EDGE_S).toMatch(`mkt=${market}&ui=`)
        expect(headers["Accept-Language"]).toBeDefined()
      }
    }
    for (const region of ["us-en", "wt-wt"])
      expect(Object.keys(text.request(query({ region }), firstPage).cookies)).toEqual(["SRCHHPGUSR"])
  })

  it("asks for safe search in a cookie and in a parameter", () => {
    for (const source of [text, news, videos]) {
      const request = source.request(query({ safesearch: "on" }), firstPage)
      expect(request.cookies.SRCHHPGUSR).toBe("ADLT=STRICT")
      expect(sent(request)["adlt"]).toBe("strict")
      expect(source.request(query({ safesearch: "off" }), firstPage).cookies.SRCHHPGUSR).toBe("ADLT=OFF")
    }
  })
})

it("asks for pages as people do, for parts of pages as their scripts do", () => {
  const personas = [text, videos, news, bing.sources.images].map((source) => source.request(query(), firstPage).persona)
  expect(personas).toEqual(["browser", "browser", "script", "script"])
})

describe("text", () => {
  const result = (href: string, title = "T", rest = "") =>
    `<li class="b_algo"><h2><a href="${href}">${title}</a></h2>${rest}</li>`
  const results = (...list: ReadonlyArray<string>) => `<ol id="b_results">${list.join("")}</ol>`

  it("numbers its pages as the page's own links do", () => {
    expect(sent(text.request(query(), firstPage))).toEqual({ q: "red panda", adlt: "moderate" })
    expect(sent(text.request(query(), page(2)))).toMatchObject({ first: "11", FORM: "PORE" })
    expect(sent(text.request(query(), page(3)))).toMatchObject({ first: "21", FORM: "PORE" })
  })

  it("narrows by age", () => {
    const filters = (timelimit: "d" | "w" | "m" | "y") => sent(text.request(query({ timelimit }), firstPage))["filters"]
    expect([filters("d"), filters("w"), filters("m")]).toEqual(['ex1:"ez1"', 'ex1:"ez2"', 'ex1:"ez3"'])
    expect(filters("y")).toBe('ex1:"ez5_20295_20660"')
  })

  it("reads the captured page, links unwrapped and dates cut", () => {
    const items = itemsOf(read(text, fixture("bing/text.html")))
    expect(items.length).toBe(10)
    expect(items[0]).toEqual({
      title: "Caffeine and Sleep Problems",
      url: "https://www.sleepfoundation.org/nutrition/caffeine-and-sleep",
      href: "https://www.sleepfoundation.org/nutrition/caffeine-and-sleep",
      body: "Drinking caffeine too close to bedtime can keep you awake. Learn why this happens and what other effects caffeine …"
    })
    expect(items[4]?.body).toMatch(/^Secondly, we consider evidence/)
    for (const { body, url } of items) {
      expect(url).not.toContain("bing.com")
      expect(body).not.toMatch(/20\d\d ·|^·/)
    }
  })

  it("takes direct links, and leaves out advertisements and what leads back to Bing", () => {
    const body = results(
      result("https://direct.example/a?b=1&amp;c=2", "Direct"),
      result(wrapped("https://münchen.example/ü?q=1"), "Wrapped"),
      result(wrapped("https://www.bing.com/new/termsofuse"), "A page of Bing"),
      result(wrapped("/search?q=more"), "Relative target"),
      result(wrapped("javascript:alert(1)"), "Script"),
      result("https://www.bing.com/ck/a?!&amp;&amp;u=a1%%%&amp;ntb=1", "Broken"),
      result("https://www.bing.com/ck/a?!&amp;&amp;ntb=1", "No target"),
      result("https://www.bing.com/aclick?ld=e8&amp;u=aHR0cHM6Ly9hLmV4YW1wbGU", "Advertisement"),
      result(wrapped("https://www.bing.com/aclick?ld=e8"), "Wrapped advertisement"),
      result("/images/search?q=red+panda", "Images"),
      result("", "Blank"),
      `<li class="b_ad"><ul><li class="b_algo b_ad"><h2><a href="https://ad.example/">Ad</a></h2></li></ul></li>`,
      `<li class="b_ad b_adTop"><ul>${result("https://shop.example/", "Inner advertisement")}</ul></li>`,
      result("https://untitled.example/", "")
    )
    expect(itemsOf(read(text, body)).map(({ title, url }) => [title, url])).toEqual([
      ["Direct", "https://direct.example/a?b=1&c=2"],
      ["Wrapped", "https://xn--mnchen-3ya.example/%C3%BC?q=1"],
      ["A page of Bing", "https://www.bing.com/new/termsofuse"]
    ])
  })

  it("finds snippets where variants have them, without what is beside them", () => {
    const bodies = [
      '<div class="b_caption"><p class="b_lineclamp2"><span class="algoSlug_icon">WEB</span>One</p></div>',
      '<div class="b_caption"><p><span class="news_dt">vor 5 Tagen</span>&nbsp;&#0183;&#32;Two</p></div>',
      '<p class="b_lineclamp4 b_algoSlug">5 days ago · Three <a class="b_algoReadMore" href="#">Read more</a></p>',
      '<div><p class="b_para">Four</p></div>',
      '<div class="b_caption"><p><span><span class="algoSlug_icon">WEB</span></span><span><span class="news_dt">Jul 16, 2025</span>&nbsp;&#0183;</span> Nested</p></div>',
      '<div class="b_lineclamp3">Five</div><div class="b_caption"><div>x</div></div>',
      ""
    ]
    const list = bodies.map((rest, index) => result(`https://a.example/${index}`, "T", rest))
    const items = itemsOf(read(text, results(...list)))
    expect(items.map(({ body }) => body)).toEqual(["One", "Two", "Three", "Four", "Nested", "Five", null])
  })

  it("takes the title of the link, not what else is in the heading", () => {
    const badged = '<li class="b_algo"><h2><a href="https://a.example/">Title</a><span>PDF</span></h2></li>'
    const around = '<li class="b_algo"><a href="https://b.example/"><h2>Around <b>it</b></h2></a></li>'
    expect(itemsOf(read(text, results(badged, around))).map(({ title }) => title)).toEqual(["Title", "Around it"])
  })

  it("goes on while the pager does, and ends where an earlier page comes again", () => {
    const whole = fixture("bing/text.html")
    const second = nextOf(read(text, whole))
    expect(second?.page).toBe(2)
    expect(outcomeOf(read(text, whole, {}, query(), second ?? firstPage))).toBe("empty")
    expect(outcomeOf(read(text, whole, {}, query(), page(2)))).toBe("ok")
    expect(nextOf(read(text, whole, {}, query(), page(3)))).toBeNull()
    expect(nextOf(read(text, results(result("https://a.example/"))))).toBeNull()
    const ten = Array.from({ length: 10 }, (_, index) => result(`https://a.example/${index}`))
    expect(nextOf(read(text, results(...ten)))?.page).toBe(2)
  })

  it("tells a block page, nothing found and a new layout apart", () => {
    expect(
      outcomeOf(read(text, '<main><div class="captcha"><div class="captcha_header">One last step</div></div></main>'))
    ).toBe("blocked")
    expect(outcomeOf(read(text, results('<li class="b_no"><h1>Es gibt keine Ergebnisse</h1></li>')))).toBe("empty")
    expect(outcomeOf(read(text, results(result("/search?q=x"))))).toBe("layout_changed")
    const about = query({ text: "there are no results" })
    expect(outcomeOf(read(text, "<title>there are no results - Search</title><ol></ol>", {}, about))).toBe(
      "layout_changed"
    )
  })

  it("is known to poison", () => expect(text.returnsUnrelatedResults).toBe(true))
})

describe("news", () => {
  const card = (attributes: string, inner = "") => `<div class="news-card newsitem" ${attributes}>${inner}</div>`

  it("asks as the page's own script does", () => {
    const given = { q: "red panda", InfiniteScroll: "1", form: "PTFTNR", adlt: "moderate" }
    expect(sent(news.request(query(), firstPage))).toEqual({ ...given, first: "1", SFX: "0" })
    expect(sent(news.request(query(), page(3)))).toEqual({ ...given, first: "21", SFX: "2" })
    const interval = (timelimit: "d" | "w" | "m" | "y") => sent(news.request(query({ timelimit }), firstPage))["qft"]
    expect([interval("d"), interval("w"), interval("m"), interval("y")]).toEqual([
      'interval="7"',
      'interval="8"',
      'interval="9"',
      undefined
    ])
    expect(news.lacks(query({ timelimit: "y" }))).toEqual(["timelimit"])
    expect(news.lacks(query({ timelimit: "m" }))).toEqual([])
    expect(news.request(query({ region: "cn-zh" }), firstPage).cookies._EDGE_S).toBe("mkt=en-hk&ui=zh")
  })

  it("reads cards with attributes and without", () => {
    expect(itemsOf(read(news, fixture("bing/news.html")))).toEqual([
      {
        title: "Solar tops coal in Europe's grid for the first time",
        url: "https://www.paper.example/energy/solar-tops-coal",
        date: "2026-07-26T07:00:00.000Z",
        body: "Panels gave more power than coal in every month of the year, a think tank says, and storage is growing with them.",
        image: "https://www.bing.com/th?id=OVFT.solar&pid=News&w=234&h=132&c=14&rs=2",
        source: "The Paper"
      },
      {
        title: "Turbines that fold away in a storm",
        url: "https://wind.example/2026/07/turbines",
        date: "2026-07-03T00:00:00.000Z",
        body: "A prototype off Norway lowers its blades when the wind is too strong.",
        image: "https://th.bing.com/th?id=OVFT.wind&pid=News",
        source: "Wind Weekly"
      },
      {
        title: "A grid & its batteries",
        url: "https://register.example/2026/grid?a=1&b=2",
        date: null,
        body: "No source bar on this one.",
        image: null,
        source: "The Register"
      }
    ])
  })

  it("reads dates in the order of the region, the short form deciding", () => {
    const dated = (label: string, short: string, region: string) =>
      itemsOf(
        read(
          news,
          card(
            'url="https://a.example/" data-title="T"',
            `<div class="source"><span aria-label="${label}">${short}</span></div>`
          ),
          {},
          query({ region })
        )
      )[0]?.date
    expect(dated("5/6/2026", "", "us-en")).toBe("2026-05-06T00:00:00.000Z")
    expect(dated("5/6/2026", "", "uk-en")).toBe("2026-06-05T00:00:00.000Z")
    expect(dated("5/6/2026", "51d", "us-en")).toBe("2026-06-05T00:00:00.000Z")
    expect(dated("5/8/2026", "", "uk-en")).toBe("2026-05-08T00:00:00.000Z")
    expect(dated("Vor 2 Std.", "3d", "de-de")).toBe(new Date(now - 3 * 86_400_000).toISOString())
    expect(dated("Vor 2 Std.", "2 Std.", "de-de")).toBeNull()
  })

  it("names the source as the card does where no attribute does, and takes the longer snippet", () => {
    const inner = `<a class="title" href="https://a.example/">T</a><div class="snippet" title="All of the text">All
      of    the    text ...</div><div class="source"><a>BBC</a></div>`
    expect(itemsOf(read(news, card("", inner)))).toMatchObject([{ source: "BBC", body: "All of the text ..." }])
  })

  it("asks for the feed instead, and reads it", () => {
    const request = news.request(query({ timelimit: "w", region: "de-de" }), news.fallback)
    expect(request).toMatchObject({ url: "https://www.bing.com/news/search", persona: "browser" })
    expect(sent(request)).toEqual({ q: "red panda", format: "rss", qft: 'interval="8"', adlt: "moderate" })
    const feed = (items: string) =>
      `<?xml version="1.0" encoding="utf-8" ?><rss version="2.0" xmlns:News="https://www.bing.com/news/search?q=x&amp;format=rss"><channel><title>x - BingNews</title>${items}</channel></rss>`
    const item = `<item><title>A &amp;amp; B</title><link>http://www.bing.com/news/apiclick.aspx?ref=FexRss&amp;url=https%3a%2f%2fa.example%2f1%3fb%3dc&amp;c=1&amp;mkt=it-it</link><description>About &lt;b&gt;it&lt;/b&gt;</description><pubDate>Thu, 04 Mar 2021 10:11:00 GMT</pubDate><News:Source>The Paper</News:Source><News:Image>http://www.bing.com/th?id=ON.1&amp;pid=News</News:Image></item>`
    const parsed = read(news, feed(item), {}, query(), news.fallback)
    expect(itemsOf(parsed)).toEqual([
      {
        title: "A & B",
        url: "https://a.example/1?b=c",
        date: "2021-03-04T10:11:00.000Z",
        body: "About it",
        image: "http://www.bing.com/th?id=ON.1&pid=News",
        source: "The Paper"
      }
    ])
    expect(nextOf(parsed)).toBeNull()
    expect(outcomeOf(read(news, feed("")))).toBe("empty")
    expect(outcomeOf(read(news, feed("").slice(0, -20)))).toBe("layout_changed")
    expect(outcomeOf(read(news, feed("<item><title>T</title><link>/x</link></item>")))).toBe("layout_changed")
  })

  it("ends where the last page comes again", () => {
    const cards = (from: number) =>
      Array.from({ length: 10 }, (_, index) =>
        card(`data-url="https://a.example/${from + index}" data-title="T"`)
      ).join("")
    const second = nextOf(read(news, cards(0)))
    const third = nextOf(read(news, cards(10), {}, query(), second ?? firstPage))
    expect(third?.page).toBe(3)
    expect(outcomeOf(read(news, cards(10), {}, query(), third ?? firstPage))).toBe("empty")
    expect(outcomeOf(read(news, cards(0), {}, query(), third ?? firstPage))).toBe("empty")
    expect(nextOf(read(news, cards(0).slice(0, 300)))).toBeNull()
  })
})

describe("videos", () => {
  it("asks for forty, and joins its filters", () => {
    const given = { q: "red panda", count: "40", adlt: "moderate" }
    expect(sent(videos.request(query(), firstPage))).toEqual({ ...given, first: "1", FORM: "HDRSC3" })
    expect(sent(videos.request(query(), page(2)))).toMatchObject({ first: "41" })
    const narrow = { timelimit: "w", duration: "medium", resolution: "high" } as const
    expect(sent(videos.request(query(narrow), firstPage))).toEqual({
      ...given,
      first: "1",
      FORM: "VRFLTR",
      qft: "+filterui:videoage-lt10080+filterui:duration-medium+filterui:resolution-720p"
    })
    expect(videos.lacks(query({ resolution: "standard" }))).toEqual(["resolution"])
    expect(videos.lacks(query(narrow))).toEqual([])
  })

  it("reads the tiles of the grid once, in both dresses", () => {
    const items = itemsOf(read(videos, fixture("bing/videos.html")))
    expect(items.map(({ title, url }) => [title, url])).toEqual([
      ["Red pandas & their young", "https://www.youtube.com/watch?v=panda0000001"],
      ["A red panda, the whole film", "https://www.dailymotion.com/video/x8panda"],
      ["In the trees", "https://vimeo.com/300300"]
    ])
    expect(items[0]).toMatchObject({
      duration: "12:05",
      images: {
        large: "https://th.bing.com/th?id=OVP.one&w=354&h=199&pid=2.1",
        small: "https://ts1.mm.bing.net/th?id=OVP.one&pid=15.1",
        motion: "https://th.bing.com/th?id=OMB1.one&pid=2.1"
      },
      provider: "YouTube",
      published: "2023-05-25T00:00:00.000Z",
      publisher: "YouTube",
      uploader: "Zoo Channel",
      statistics: { viewCount: 119_300 }
    })
    expect(items[1]).toMatchObject({
      duration: "1:02:03",
      images: { large: "https://www.bing.com/th?id=OVP.two&w=200" },
      publisher: "Dailymotion",
      published: new Date(now - 3 * 86_400_000).toISOString(),
      uploader: null,
      statistics: { viewCount: null }
    })
    expect(items[2]).toMatchObject({
      duration: "0:48",
      publisher: "Vimeo",
      published: "2025-07-26T12:00:00.000Z",
      uploader: "Tree People",
      statistics: { viewCount: 1_204 }
    })
  })

  const data = (members: object) => JSON.stringify(members).replaceAll('"', "&quot;")

  it("reads tiles whose data is in an inner element, and facts without rows", () => {
    const facts = (cells: string) => `<div class="mc_vtvc_meta_block">${cells}</div>`
    const inner = `<div id="mc_vtvc_video_1"><div mmeta="${data({ murl: "https://a.example/1" })}"></div><div class="mc_vtvc_title" title="One"></div></div>`
    const plain = `<div id="mc_vtvc_video_2"><div class="vrhdata" vrhm="${data({ murl: "https://a.example/2", vt: "Two" })}"></div>${facts("<span>1.2K views</span><span>2 days ago</span><span>YouTube</span>")}</div>`
    expect(itemsOf(read(videos, inner + plain))).toMatchObject([
      { title: "One", url: "https://a.example/1" },
      {
        title: "Two",
        publisher: "YouTube",
        published: "2026-07-24T12:00:00.000Z",
        statistics: { viewCount: 1_200 }
      }
    ])
  })

  it("reads tiles that are nothing but data, wherever they stand", () => {
    const bare = `<div vrhm="${data({ murl: "https://a.example/1", vt: "One", du: "4:18" })}"></div>`
    const page = `<div vrhm="${data({ murl: "/videos/1", pgurl: "https://b.example/2", vt: "Two" })}"></div><div vrhm="{">x</div>`
    expect(itemsOf(read(videos, bare + page)).map(({ duration, title, url }) => [title, url, duration])).toEqual([
      ["One", "https://a.example/1", "4:18"],
      ["Two", "https://b.example/2", null]
    ])
    const count = (length: number) =>
      Array.from({ length }, (_, n) => `<div mmeta="${data({ murl: `https://a.example/${n}`, vt: "T" })}"></div>`).join(
        ""
      )
    const second = nextOf(read(videos, count(35)))
    expect(second?.page).toBe(2)
    expect(outcomeOf(read(videos, count(35), {}, query(), second ?? firstPage))).toBe("empty")
    expect(nextOf(read(videos, count(8)))).toBeNull()
  })
})

describe("images", () => {
  const tile = (data: string, below: string) =>
    `<div><div class="imgpt"><a class="iusc" m="${data.replaceAll('"', "&quot;")}" href="#"></a><div class="img_info"><span class="nowrap">1000 x 800 · jpeg</span></div></div>${below}</div>`

  it("are read off tiles outside of lists, each with what is below it", () => {
    const below = `<div class="infopt"><div class="infnmpt"><a title="Below">B…</a></div><div class="lnkw"><a title="a.example">a</a></div></div>`
    const body = [
      tile('{"murl":"https://a.example/0.jpg","t":""}', ""),
      tile('{\n  "murl": "https://a.example/1.jpg",\n  "turl": "/th?id=1",\n  "t": ""}', below),
      tile('{"murl":"//a.example/2.jpg","purl":"//a.example/","t":"A\n  &amp;amp; B"}', "")
    ].join("")
    expect(itemsOf(read(bing.sources.images, `<div>${body}</div>`))).toMatchObject([
      { title: "0.jpg", source: null },
      {
        title: "Below",
        source: "a.example",
        image: "https://a.example/1.jpg",
        thumbnail: "https://www.bing.com/th?id=1",
        width: 1000,
        height: 800
      },
      { title: "A & B", url: "https://a.example/", image: "https://a.example/2.jpg" }
    ])
  })
})
