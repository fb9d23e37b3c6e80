import { describe, expect, it } from "@effect/vitest"
import { regions } from "../../src/domain/Region.ts"
import { type Cursor, firstPage } from "../../src/services/engine/Engine.ts"
import { yahoo } from "../../src/services/engine/catalogue/yahoo.ts"
import { fixture, itemsOf, nextOf, outcomeOf, query, read, sent, stepOf } from "./Asking.ts"

const { news, text } = yahoo.sources

const page = (number: number): Cursor => ({ page: number, form: null })

/** Regions, the first label of their hosts and their languages, of the region map. */
const locales = (
  "ar-es ar es, au-en - en, at-de de de, be-fr fr fr, be-nl nl nl, br-pt br pt, bg-bg - bg, ca-en ca en, " +
  "ca-fr ca fr, ct-ca espanol any, cl-es cl es, cn-zh hk zh_chs, co-es co es, hr-hr - hr, cz-cs - cs, " +
  "dk-da - da, ee-et - et, fi-fi fi fi, fr-fr fr fr, de-de de de, gr-el - el, hk-tzh hk zh_cht, hu-hu hu hu, " +
  "is-is - any, in-en in en, id-en - en, ie-en - en, il-en - en, it-it it it, jp-jp - ja, kr-kr - ko, " +
  "lv-lv lv lv, lt-lt lt lt, my-en - en, mx-es mx es, nl-nl nl nl, nz-en - en, no-no no no, pk-en - en, " +
  "pe-es pe es, ph-en ph en, pl-pl pl pl, pt-pt pt pt, ro-ro ro ro, ru-ru ru ru, xa-ar ar ar, sg-en sg en, " +
  "sk-sk - sk, sl-sl - sl, za-en - en, es-ca espanol any, es-es espanol es, se-sv sv sv, ch-de de de, " +
  "ch-fr fr fr, tw-tzh tw zh_cht, th-en th en, tr-tr tr tr, us-en - en, us-es es es, ua-uk - any, uk-en uk en, " +
  "vn-en - en"
).split(", ")

describe("every kind", () => {
  it("asks each region's host in its language", () => {
    expect(locales.length + 1).toBe(regions.length)
    for (const [region = "", label, tongue] of locales.map((line) => line.split(" "))) {
      const { cookies, session, url } = text.request(query({ region }), firstPage)
      const host = label === "-" ? "search.yahoo.com" : `${label}.search.yahoo.com`
      expect([region, url]).toEqual([region, `https://${host}/search`])
      expect(cookies.sB).toBe(`v=1&vm=i&fl=1&vl=lang_${tongue}&pn=10&rw=new&userset=1`)
      expect(session).toBe(true)
      expect(news.request(query({ region }), firstPage).cookies.sB).toBe(cookies.sB)
      expect(news.lacks(query({ region }))).toEqual(tongue === "any" ? ["region"] : [])
      expect(text.lacks(query({ region }))).toEqual(tongue === "any" && label === "-" ? ["region"] : [])
    }
    const worldwide = text.request(query({ region: "wt-wt" }), firstPage)
    expect(worldwide).toMatchObject({ url: "https://search.yahoo.com/search", headers: {} })
    expect(worldwide.cookies.sB).toContain("vl=lang_any")
    expect(news.lacks(query({ region: "wt-wt" }))).toEqual([])
  })

  it("asks for safe search in a cookie", () => {
    for (const source of [text, news]) {
      const cookie = (safesearch: "on" | "off") => source.request(query({ safesearch }), firstPage).cookies.sB
      expect([cookie("on"), cookie("off")]).toEqual([
        expect.stringContaining("vm=r&"),
        expect.stringContaining("vm=p&")
      ])
      expect(source.lacks(query({ timelimit: "y" }))).toEqual(["timelimit"])
    }
  })

  it("asks once more when only its cookies came, and is then turned away", () => {
    const on = "https://search.yahoo.com/search"
    const underway = [
      { status: 500 },
      { status: 307, headers: { location: "/_bv/v.gif?x=1" }, url: on },
      { status: 302, headers: { location: "https://au.search.yahoo.com/search?p=x" }, url: on },
      { status: 200, url: "https://search.yahoo.com/_bv/v.gif?x=1" }
    ]
    for (const given of underway) {
      const cursor = stepOf(read(text, "", given, query(), page(2)))
      expect(cursor.page).toBe(2)
      expect(sent(text.request(query(), cursor))).toEqual(sent(text.request(query(), page(2))))
      expect(outcomeOf(read(text, "", given, query(), cursor))).toBe("blocked")
      expect(outcomeOf(read(news, "", given))).toBe("step")
    }
    expect(outcomeOf(read(text, "<h1>Error</h1>", { status: 500 }))).toBe("http_status")
    expect(outcomeOf(read(text, "", { status: 302, headers: { location: "https://portal.example/" } }))).toBe(
      "http_status"
    )
    expect(outcomeOf(read(text, "", { status: 302, headers: { location: "https://consent.yahoo.com/v2" } }))).toBe(
      "blocked"
    )
    expect(outcomeOf(read(text, "", { status: 999 }))).toBe("blocked")
  })

  it("keeps its word about pages that are about its refusals", () => {
    const about = query({ text: "error 999" })
    expect(outcomeOf(read(text, "<title>error 999 - Yahoo Search Results</title>", {}, about))).toBe("layout_changed")
  })
})

describe("text", () => {
  const result = (title: string, rest = "") =>
    `<div class="dd algo algo-sr"><div class="compTitle">${title}</div>${rest}</div>`
  const redirect = (target: string) => `https://r.search.yahoo.com/_ylt=Aw;_ylu=Y2-/RV=2/RE=17/RO=10${target}/RS=aB.c-`

  it("asks as the page's own links do", () => {
    expect(sent(text.request(query(), firstPage))).toEqual({ p: "red panda", iscqry: "" })
    const further = { p: "red panda", pz: "7", bct: "0", xargs: "0" }
    expect(sent(text.request(query(), page(2)))).toEqual({ ...further, b: "8" })
    expect(sent(text.request(query(), page(4)))).toEqual({ ...further, b: "22" })
    expect(sent(text.request(query({ timelimit: "w" }), firstPage))).toMatchObject({ fr2: "time", btf: "w" })
    expect(sent(text.request(query({ timelimit: "y" }), firstPage))).not.toHaveProperty("btf")
  })

  it("falls back to the main host, and stays there", () => {
    const asked = query({ region: "se-sv" })
    expect(text.request(asked, text.fallback).url).toBe("https://search.yahoo.com/search")
    const next = nextOf(read(text, fixture("yahoo/text.html"), {}, asked, text.fallback))
    expect(text.request(asked, next ?? firstPage).url).toBe("https://search.yahoo.com/search")
    expect(sent(text.request(asked, next ?? firstPage))["b"]).toBe("8")
  })

  it("reads the captured page", () => {
    const items = itemsOf(read(text, fixture("yahoo/text.html")))
    expect(items.length).toBe(7)
    expect(items[0]).toEqual({
      title: "JavaScript Tutorial - W3Schools",
      url: "https://www.w3schools.com/Js/",
      href: "https://www.w3schools.com/Js/",
      body: "Well organized and easy to understand Web building tutorials with lots of examples of how to use HTML, CSS, JavaScript, SQL, Python, PHP, Bootstrap, Java, XML and more."
    })
  })

  it("unwraps links once, and drops broken ones, advertisements and its own searches", () => {
    const link = (href: string, title: string) =>
      result(`<a href="${href}"><div>a.example</div><h3><span>${title}</span></h3></a>`)
    const body = [
      link(redirect("/RU=https%3a%2f%2fa.example%2fx%3fq%3d1%26r%3d50%2525/RK=2"), "Wrapped"),
      link(`//r.search.yahoo.com/_ylt=Aw/RV=2/RU=https%3a%2f%2fb.example%2f%c3%bc/RS=x`, "Without a key"),
      link(redirect("/RK=2"), "Broken"),
      link(redirect("/RU=%2fsearch/RK=2"), "Relative"),
      link(redirect("/RU=https%3a%2f%2fwww.bing.com%2faclick%3fld%3de8/RK=2"), "Advertisement"),
      link("https://www.bing.com/aclick?ld=e8", "Advertisement of Bing"),
      link("https://r.search.yahoo.com/cbclk2/dWU9/RU=https%3a%2f%2fad.example/RK=2", "Counted advertisement"),
      link("https://images.search.yahoo.com/search/images?p=x", "Images"),
      link("https://news.yahoo.com/a.html", "An article")
    ]
    expect(itemsOf(read(text, body.join(""))).map(({ title, url }) => [title, url])).toEqual([
      ["Wrapped", "https://a.example/x?q=1&r=50%25"],
      ["Without a key", "https://b.example/%C3%BC"],
      ["An article", "https://news.yahoo.com/a.html"]
    ])
  })

  it("reads the pages of regional hosts", () => {
    const items = itemsOf(
      read(
        text,
        result(
          `<div><a href="https://icon.example/"></a></div><h3 class="title"><a href="${redirect("/RU=https%3a%2f%2fa.example%2f/RK=2")}" aria-label="Der &lt;b&gt;Rote&lt;/b&gt; Panda"><span class="d-ib p-abs">A a.example</span>Der Rote Panda</a></h3>`,
          '<div class="compText"><p><span class="fc-smoke">vor 3 Tagen · </span>Ein <b>Bär</b>?</p></div>'
        ) +
          result('<h3><a href="https://b.example/"><span class="p-abs">b.example</span>Ohne Etikett</a></h3>') +
          result('<a href="https://c.example/"><h3>Dated</h3></a>', '<div class="compText">Sep 20, 2025 · Old</div>')
      )
    )
    expect(items.map(({ body, title, url }) => [title, url, body])).toEqual([
      ["Der Rote Panda", "https://a.example/", "Ein Bär?"],
      ["Ohne Etikett", "https://b.example/", null],
      ["Dated", "https://c.example/", "Old"]
    ])
  })

  it("follows its pager as long as that goes on", () => {
    const second = nextOf(read(text, fixture("yahoo/text.html")))
    expect(sent(text.request(query(), second ?? firstPage))).toMatchObject({ b: "8", pz: "7", bct: "0", xargs: "0" })
    const third = nextOf(read(text, fixture("yahoo/text.html"), {}, query(), page(2)))
    expect(sent(text.request(query(), third ?? firstPage))["b"]).toBe("15")
    expect(nextOf(read(text, fixture("yahoo/text.html"), {}, query(), page(5)))).toBeNull()
    const one = result('<a href="https://a.example/"><h3>T</h3></a>')
    expect(nextOf(read(text, one))).toBeNull()
    expect(nextOf(read(text, one.repeat(7)))).toEqual(page(2))
  })

  it("lists a result once, without a date however deep it stands", () => {
    const nested = `<div class="algo">${result('<a href="https://a.example/"><h3>T</h3></a>', '<div class="compText"><p><span><span class="fc-smoke">vor 2 Tagen · </span></span>Text</p></div>')}</div>`
    expect(itemsOf(read(text, nested)).map(({ body, url }) => [url, body])).toEqual([["https://a.example/", "Text"]])
  })

  it("knows its empty page however it is indented", () => {
    const nothing = "<div id='web'><p>We\n      did not find\n      results for: <b>qzxv</b></p></div>"
    expect(outcomeOf(read(text, nothing))).toBe("empty")
    const about = query({ text: "we did not find results for" })
    expect(outcomeOf(read(text, "<p>we did not find results for</p>", {}, about))).toBe("layout_changed")
  })
})

describe("news", () => {
  it("asks one host, by ten", () => {
    expect(news.request(query({ region: "de-de" }), firstPage).url).toBe("https://news.search.yahoo.com/search")
    expect(sent(news.request(query(), firstPage))).toEqual({ p: "red panda" })
    expect(sent(news.request(query({ timelimit: "d" }), page(3)))).toEqual({ p: "red panda", btf: "d", b: "21" })
  })

  it("reads whole headlines, sources without the portal and original pictures", () => {
    const parsed = read(news, fixture("yahoo/news.html"))
    expect(itemsOf(parsed)).toEqual([
      {
        title: "Solar energy tops coal in Europe, and storage grows with it",
        url: "https://www.paper.example/energy/solar?a=1&b=100%25",
        date: "2026-07-25T12:00:00.000Z",
        body: "Panels gave more power than coal in every month & storage grew.",
        image: "https://media.paper.example/solar.jpg",
        source: "The Paper"
      },
      {
        title: "Turbines that fold away",
        url: "https://wind.example/turbines",
        date: "2026-07-02T00:00:00.000Z",
        body: "A prototype off Norway.",
        image: null,
        source: "Wind Weekly"
      },
      {
        title: "On Yahoo itself",
        url: "https://finance.yahoo.com/news/grid-batteries-100.html",
        date: "2026-07-26T11:37:00.000Z",
        body: "Batteries were cheap.",
        image: "https://s.yimg.com/plain.jpg",
        source: "Yahoo Finance"
      }
    ])
    expect(sent(news.request(query(), nextOf(parsed) ?? firstPage))["b"]).toBe("11")
  })
})
