import { describe, expect, it } from "@effect/vitest"
import { type SearchKind } from "../../src/domain/SearchKind.ts"
import { brave } from "../../src/services/engine/catalogue/brave.ts"
import { firstPage, type Source } from "../../src/services/engine/Engine.ts"
import { fixture, itemsOf, nextOf, outcomeOf, query, read, sent } from "./Asking.ts"

const { images, news, text, videos } = brave.sources

/** Region, `country`, `ui_lang`. */
const regions = `
ar-es ar es
au-en au en-us
at-de at de-de
be-fr be fr-fr
be-nl be nl
br-pt br pt-br
bg-bg all bg
ca-en ca en-ca
ca-fr ca fr-ca
ct-ca es ca
cl-es cl es
cn-zh cn zh
co-es all es
hr-hr all hr
cz-cs all cs
dk-da dk da
ee-et all et
fi-fi fi fi-fi
fr-fr fr fr-fr
de-de de de-de
gr-el all el
hk-tzh hk zh
hu-hu all hu
is-is all en-us
in-en in en-in
id-en id en-us
ie-en all en-us
il-en all en-us
it-it it it
jp-jp jp ja-jp
kr-kr kr ko
lv-lv all lv
lt-lt all lt
my-en my en-us
mx-es mx es
nl-nl nl nl
nz-en nz en-us
no-no no nb
pk-en all en-us
pe-es all es
ph-en ph en-us
pl-pl pl pl
pt-pt pt pt-br
ro-ro all ro
ru-ru ru ru
xa-ar sa en-us
sg-en all en-us
sk-sk all sk
sl-sl all sl
za-en za en-us
es-ca es ca
es-es es es
se-sv se sv
ch-de ch de-de
ch-fr ch fr-fr
tw-tzh tw zh-tw
th-en all en-us
tr-tr tr tr
us-en us en-us
us-es us es
ua-uk all uk
uk-en gb en-gb
vn-en all en-us
`

describe("requests", () => {
  it("go to the page of the kind, with the site's own cookies", () => {
    expect(text.request(query({ timelimit: "w" }), firstPage)).toMatchObject({
      method: "GET",
      url: "https://search.brave.com/search",
      cookies: { safesearch: "moderate", useLocation: "0", summarizer: "0", country: "us", ui_lang: "en-us" }
    })
    expect(sent(text.request(query({ timelimit: "w" }), firstPage))).toEqual({
      q: "red panda",
      source: "web",
      tf: "pw"
    })
    expect([images, videos, news].map(({ request }) => request(query(), firstPage).url)).toEqual([
      "https://search.brave.com/images",
      "https://search.brave.com/videos",
      "https://search.brave.com/news"
    ])
  })

  it("count pages from zero, and leave the zero out", () => {
    expect(sent(text.request(query(), { page: 3, form: null }))).toMatchObject({ offset: "2", spellcheck: "0" })
    expect(sent(text.request(query(), firstPage))).not.toHaveProperty("offset")
  })

  it("map safe search", () => {
    expect(text.request(query({ safesearch: "on" }), firstPage).cookies).toMatchObject({ safesearch: "strict" })
    expect(news.request(query({ safesearch: "off" }), firstPage).cookies).toMatchObject({ safesearch: "off" })
  })

  it("ask for each region in the site's own words, and say where it has none", () => {
    const rows = regions.trim().split("\n")
    expect(rows).toHaveLength(63)
    for (const row of rows) {
      const [region = "", country, ui_lang] = row.split(" ")
      expect([region, text.request(query({ region }), firstPage).cookies]).toMatchObject([region, { country, ui_lang }])
      expect([region, text.lacks(query({ region }))]).toEqual([region, country === "all" ? ["region"] : []])
    }
    expect(text.request(query({ region: "wt-wt" }), firstPage).cookies).toMatchObject({
      country: "all",
      ui_lang: "en-us"
    })
    expect(text.lacks(query({ region: "wt-wt" }))).toEqual([])
  })
})

describe("web results", () => {
  const captured = read(text, fixture("brave/text.html"))
  const items = itemsOf(captured)

  it("are the page's, without videos, questions and further pages of the same site", () => {
    expect(items).toHaveLength(20)
    expect(items[0]).toEqual({
      title: "JavaScript Tutorial",
      url: "https://www.w3schools.com/js/",
      href: "https://www.w3schools.com/js/",
      body: "JavaScript is easy to learn. This tutorial covers everything from basic JavaScript up to the latest 2026 version."
    })
    expect(items.every(({ body }) => body !== null)).toBe(true)
  })

  it("have no date before their text, and nothing behind it", () => {
    expect(items[2]?.body).toBe(
      "Welcome to the JavaScriptTutorial.net website! This JavaScript Tutorial helps you learn the JavaScript programming language from scratch quickly and effectively."
    )
    expect(items[4]?.body).toMatch(/^HTML adds structure to a web page.*, and showing animations\.$/)
    expect(items.filter(({ body }) => /^\w+ \d{1,2}, \d{4}|Published/.test(body ?? ""))).toEqual([])
  })

  const withDate = (date: string) =>
    itemsOf(
      read(
        text,
        `<div class="snippet svelte-1" data-type="web"><a href="https://a.example/"><div class="title search-snippet-title">A</div></a>
         <div class="generic-snippet"><div class="content"><!--[--><span class="t-secondary">${date} -</span><!--]--> Text - more</div></div></div>`
      )
    )[0]?.body

  it("lose a date in any language", () => {
    expect(withDate("2 days ago")).toBe("Text - more")
    expect(withDate("13. Dezember 2024")).toBe("Text - more")
  })

  it("are read where the parts have the names of other years", () => {
    const page = `<div id="results"><div class="snippet fdb" data-type="web"><a href="https://a.example/" class="result-header">
      <span class="snippet-title">A <b>title</b></span></a><div class="snippet-content"><p class="snippet-description">3 days ago - A text</p></div></div>
      <div class="snippet" data-type="ad"><a href="https://shop.example/"><span class="snippet-title">Buy</span></a></div></div>`
    expect(itemsOf(read(text, page))).toMatchObject([{ title: "A title", url: "https://a.example/", body: "A text" }])
  })

  it("are read from the data where the elements have other names", () => {
    const renamed = fixture("brave/text.html").replaceAll('data-type="web"', 'data-kind="web"')
    const read1 = read(text, renamed)
    expect(itemsOf(read1).map(({ url }) => url)).toEqual(items.map(({ url }) => url))
    expect(itemsOf(read1)[2]?.body).toBe(items[2]?.body)
  })

  it("are read off the page where there are no data", () => {
    const page = fixture("brave/text.html").replaceAll("kit.start", "kit.begin").replaceAll("data: [", "data: (")
    expect(itemsOf(read(text, page))).toEqual(items)
  })

  it("are followed by what the page's own link leads to", () => {
    expect(nextOf(captured)).toEqual({ page: 2, form: null })
    expect(nextOf(read(text, fixture("brave/text.html"), {}, query(), { page: 2, form: null }))).toBeNull()
    const later = fixture("brave/text.html").replace("offset=1&amp;", "offset=10&amp;")
    expect(nextOf(read(text, later, {}, query(), { page: 10, form: null }))).toBeNull()
  })

  it("are followed by another page where the data say so and there is no pager", () => {
    const without = fixture("brave/text.html").replaceAll('id="pagination"', "")
    expect(nextOf(read(text, without))).toEqual({ page: 2, form: null })
    const last = without.replace("more_results_available: true", "more_results_available: false")
    expect(nextOf(read(text, last))).toBeNull()
  })
})

describe("pictures", () => {
  const items = itemsOf(read(images, fixture("brave/images.html")))

  it("are in the data", () => {
    expect(items).toHaveLength(4)
    expect(items[0]).toEqual({
      title: "File:Red Panda (24986761703).jpg",
      url: "https://commons.wikimedia.org/wiki/File:Red_Panda_(24986761703).jpg",
      image: "https://upload.wikimedia.org/wikipedia/commons/e/e6/Red_Panda_%2824986761703%29.jpg",
      thumbnail: "https://imgs.search.brave.com/33Eh/rs:fit:500:0:1:0/g:ce/aHR0cHM6Ly91cGxv",
      width: 5184,
      height: 3456,
      source: "commons.wikimedia.org"
    })
  })

  it("may lack title, size, thumbnail and source", () => {
    expect(items[1]).toMatchObject({ title: "Red panda facts & photos", width: null, height: null })
    expect(items[1]?.url).toBe("https://zoo.example/animals/red-panda")
    expect(items[2]?.title).toBe("sleeping-panda.webp")
    expect(items[3]).toMatchObject({ thumbnail: null, source: "blog.example" })
  })

  it("have one page", () => {
    expect(nextOf(read(images, fixture("brave/images.html")))).toBeNull()
  })
})

describe("videos", () => {
  const parsed = read(videos, fixture("brave/videos.html"))
  const items = itemsOf(parsed)

  it("are in the data", () => {
    expect(items).toHaveLength(3)
    expect(items[0]).toEqual({
      title: "What is a red panda? - A quick overview",
      url: "https://www.youtube.com/watch?v=VbvMjUIEP-I",
      content: "https://www.youtube.com/watch?v=VbvMjUIEP-I",
      description: "Here's the video to watch if you're curious about red pandas & friends.",
      duration: "4:36",
      embed_url: null,
      embed_html: null,
      images: {
        large: "https://i.ytimg.com/vi/VbvMjUIEP-I/maxresdefault.jpg",
        medium: null,
        small: "https://imgs.search.brave.com/56nE/rs:fit:200:200:1:0/g:ce/aHR0cHM6Ly9pLnl0",
        motion: null
      },
      provider: "Brave",
      published: "2024-07-08T13:42:20.000Z",
      publisher: "YouTube",
      uploader: "Quin's Zoo Corner",
      statistics: { viewCount: null }
    })
  })

  it("may lack all but title and address", () => {
    expect(items[1]).toMatchObject({
      title: "Red pandas - 24 hours at the zoo",
      duration: "1:30:26",
      published: "2026-07-23T12:00:00.000Z",
      uploader: "ZooNik",
      statistics: { viewCount: 83_338 }
    })
    expect(items[2]).toMatchObject({ description: null, duration: null, published: null, publisher: null })
  })

  it("are followed by more where the data say so", () => {
    expect(nextOf(parsed)).toEqual({ page: 2, form: null })
    const last = fixture("brave/videos.html").replace("more_results_available:true", "more_results_available:false")
    expect(nextOf(read(videos, last))).toBeNull()
  })
})

describe("news", () => {
  const items = itemsOf(read(news, fixture("brave/news.html")))

  it("are in the data", () => {
    expect(items).toEqual([
      {
        title: "Red panda cub born at city zoo",
        url: "https://news.example/2026/07/red-panda-cub",
        date: "2026-07-26T07:00:00.000Z",
        body: "The first red panda cub in ten years.",
        image: "https://imgs.search.brave.com/amgT/rs:fit:200:200:1:0/g:ce/aHR0cHM6Ly9ibG9n",
        source: "The Example News"
      },
      expect.objectContaining({ date: "2019-02-21T00:00:00.000Z", body: null, image: null, source: "lwn.example" }),
      expect.objectContaining({ date: null, image: "https://pl.example/a.jpg", source: "PL" })
    ])
  })

  it("are read off the page where there are no data", () => {
    const page = fixture("brave/news.html").replace("kit.start", "kit.begin").replace("data: [", "data: (")
    const shown = itemsOf(read(news, page))
    expect(shown).toMatchObject(items.map(({ body, date, title, url }) => ({ body, date, title, url })))
  })

  it("are found wherever the response stands", () => {
    const page = fixture("brave/news.html")
      .replace("response:{", "body:{response:{")
      .replace("},badResults", "}},badResults")
    expect(itemsOf(read(news, page))).toEqual(items)
  })
})

describe("pages of other makes", () => {
  it("have a picture beside the icon of the site, and dates at any depth", () => {
    const story = `<div class="snippet" data-type="news"><a class="result-header" href="https://n.example/"><div class="image-wrapper"><img class="favicon" src="https://imgs.example/icon"></div><span class="snippet-title">News</span></a><div class="image-wrapper"><img src="https://imgs.example/picture"></div></div>`
    expect(itemsOf(read(news, story))).toMatchObject([{ title: "News", image: "https://imgs.example/picture" }])
    const result = `<div class="snippet" data-type="web"><a href="https://a.example/"><div class="title">A</div></a><div class="snippet-content"><div class="snippet-description"><p><span class="t-secondary">vor 2 Tagen</span> - Text</p></div></div></div>`
    expect(itemsOf(read(text, result))).toMatchObject([{ title: "A", body: "Text" }])
  })

  it("are completed by their data where no passage could be read", () => {
    const shown = `<div class="snippet" data-type="web"><a href="https://a.example/"><div class="title">A</div></a><div class="renamed">Text</div></div>`
    const data = `<script>kit.start(app, element, { data: [{"type":"data","data":{"body":{"response":{"web":{"results":[{"title":"A","url":"https://a.example/","description":"<strong>Text</strong>"}]}}}}}] })</script>`
    expect(itemsOf(read(text, shown + data))).toMatchObject([{ title: "A", body: "Text" }])
    expect(itemsOf(read(text, shown))).toMatchObject([{ title: "A", body: null }])
  })

  it("count views in words", () => {
    const page = `<script>kit.start(app, element, { node_ids: [0, 3], data: [null, {"type":"data","data":{"body":{"response":{"results":[{"title":"V","url":"https://v.example/","video":{"views":"1.2M"},"thumbnail":null}]}}}}] })</script>`
    expect(itemsOf(read(videos, page))).toMatchObject([{ title: "V", statistics: { viewCount: 1_200_000 } }])
  })
})

describe("what gives no results", () => {
  const title = (name: string) => `<html><head><title>${name}</title></head><body><p>Slide to go on</p></body></html>`

  const outcomes = <K extends SearchKind>(source: Source<K>) =>
    [
      read(source, title("PoW Captcha - Brave Search")),
      read(source, title("Captcha - Brave Search"), { status: 429 }),
      read(source, title("Brave Search"))
    ].map(outcomeOf)

  it("is a block by its title", () => {
    for (const got of [outcomes(text), outcomes(images), outcomes(videos), outcomes(news)]) {
      expect(got).toEqual(["blocked", "blocked", "layout_changed"])
    }
  })

  it("is a block by its data", () => {
    const challenge = fixture("brave/block.html").replaceAll("PoW Captcha - Brave Search", "red panda - Brave Search")
    expect(outcomeOf(text.parse({ status: 200, headers: {}, url: "", body: challenge }, query(), firstPage))).toBe(
      "blocked"
    )
  })

  it("is none where the search was for captchas", () => {
    const asked = query({ text: "pow captcha" })
    const page = fixture("brave/text.html").replace(/<title>[^<]*/, "<title>PoW Captcha - Brave Search")
    expect(outcomeOf(read(text, page, {}, asked))).toBe("ok")
    const nothing = fixture("brave/text.empty.html").replace(/<title>[^<]*/, "<title>PoW Captcha - Brave Search")
    expect(outcomeOf(read(text, nothing, {}, asked))).toBe("empty")
  })

  it("is empty by the site's word or by its empty list alone", () => {
    const nothing = fixture("brave/text.empty.html")
    expect(outcomeOf(read(text, nothing.replace("noResults:true", "noResults:false")))).toBe("layout_changed")
    const listed = nothing.replace("noResults:true", "noResults:false").replace("web:void 0", "web:{results:[]}")
    expect(outcomeOf(read(text, listed))).toBe("empty")
  })

  it("is read from a list of nodes that stands apart", () => {
    const page = fixture("brave/images.html").replace("data: [", "data, x: [").replace("<script nonce", "<script")
    const nodes = /x: (\[.*\]),\n/.exec(page)?.[1] ?? ""
    const apart = page.replace("Promise.all", () => `const data = ${nodes};\n Promise.all`)
    expect(itemsOf(read(images, apart))).toHaveLength(4)
  })
})
