import { describe, expect, it } from "@effect/vitest"
import { firstPage } from "../../src/services/engine/Engine.ts"
import { startpage } from "../../src/services/engine/catalogue/startpage.ts"
import { fixture, itemsOf, nextOf, outcomeOf, query, read, sent, stepOf } from "./Asking.ts"

const source = startpage.sources.text

/** Region, `qsr`, `language`. */
const regions = `
ar-es es_AR espanol
au-en en_AU english
at-de de_AT deutsch
be-fr fr_BE francais
be-nl nl_BE nederlands
br-pt pt-BR_BR brazilian
bg-bg bg_BG bulgarian
ca-en en_CA english
ca-fr fr_CA francais
ct-ca ca_ES catalan
cl-es es_CL espanol
cn-zh zh-CN_CN jiantizhongwen
co-es es_CO espanol
hr-hr all croatian
cz-cs cs_CZ czech
dk-da da_DK dansk
ee-et et_EE estonian
fi-fi fi_FI suomi
fr-fr fr_FR francais
de-de de_DE deutsch
gr-el el_GR greek
hk-tzh zh-TW_HK fantizhengwen
hu-hu hu_HU hungarian
is-is all icelandic
in-en en_IN english
id-en en_ID english
ie-en en_IE english
il-en all english
it-it it_IT italiano
jp-jp ja_JP nihongo
kr-kr ko_KR hangul
lv-lv all latvian
lt-lt all lithuanian
my-en en_MY english
mx-es es_MX espanol
nl-nl nl_NL nederlands
nz-en en_NZ english
no-no no_NO norsk
pk-en all english
pe-es es_PE espanol
ph-en en_PH english
pl-pl pl_PL polski
pt-pt pt_PT portugues
ro-ro ro_RO romanian
ru-ru ru_RU russian
xa-ar all arabic
sg-en en_SG english
sk-sk all slovak
sl-sl all slovenian
za-en en_ZA english
es-ca ca_ES catalan
es-es es_ES espanol
se-sv sv_SE svenska
ch-de de_CH deutsch
ch-fr fr_CH francais
tw-tzh zh-TW_TW fantizhengwen
th-en all english
tr-tr tr_TR turkce
us-en en_US english
us-es es_US espanol
ua-uk uk_UA ukrainian
uk-en en-GB_GB english
vn-en all english
`

describe("requests", () => {
  it("begin without a token, as a search plugin does", () => {
    const request = source.request(query({ timelimit: "m", safesearch: "on" }), firstPage)
    expect(request).toMatchObject({ method: "GET", url: "https://www.startpage.com/sp/search", follow: false })
    expect(sent(request)).toEqual({
      query: "red panda",
      cat: "web",
      language: "english",
      lui: "english",
      qadf: "heavy",
      qsr: "en_US",
      with_date: "m",
      pl: "opensearch"
    })
    expect(request.cookies?.["preferences"]?.split("N1N")).toEqual(
      expect.arrayContaining([
        "disable_family_filterEEEheavy",
        "languageEEEenglish",
        "language_uiEEEenglish",
        "search_results_regionEEEen_US"
      ])
    )
  })

  it("ask for each region in the site's own words, and say where it has none", () => {
    const rows = regions.trim().split("\n")
    expect(rows).toHaveLength(63)
    for (const row of rows) {
      const [region = "", qsr, language] = row.split(" ")
      expect([region, sent(source.request(query({ region }), firstPage))]).toMatchObject([region, { qsr, language }])
      expect([region, source.lacks(query({ region }))]).toEqual([region, qsr === "all" ? ["region"] : []])
    }
    expect(sent(source.request(query({ region: "wt-wt" }), firstPage))).toMatchObject({
      qsr: "all",
      language: "english"
    })
    expect(source.lacks(query({ region: "wt-wt" }))).toEqual([])
  })

  it("take the token for the pages after the first", () => {
    const asked = query({ region: "de-de", timelimit: "w" })
    const second = nextOf(read(source, fixture("startpage/text.json.html")))
    expect(second).toEqual({
      page: 2,
      form: [
        ["sc", "TkNzKqBmGwDd20"],
        ["segment", "startpage.udog"]
      ]
    })
    const request = source.request(asked, second ?? firstPage)
    expect(request).toMatchObject({
      method: "POST",
      url: "https://www.startpage.com/sp/search",
      headers: { Origin: "https://www.startpage.com", Referer: "https://www.startpage.com/" }
    })
    expect(sent(request)).toEqual({
      query: "red panda",
      cat: "web",
      language: "deutsch",
      lui: "english",
      qadf: "moderate",
      qsr: "de_DE",
      with_date: "w",
      t: "device",
      abd: "0",
      abe: "0",
      page: "2",
      sc: "TkNzKqBmGwDd20",
      segment: "startpage.udog"
    })
  })

  it("get a token of the home page where the first way was not understood", () => {
    const home = source.fallback
    expect(source.request(query(), home)).toMatchObject({ method: "GET", url: "https://www.startpage.com/" })
    const cursor = stepOf(read(source, fixture("startpage/text.home.html"), {}, query(), home))
    expect(sent(source.request(query(), cursor))).toMatchObject({
      query: "red panda",
      sc: "UPRAX3NlozEf00",
      t: "device"
    })
    expect(sent(source.request(query(), cursor))).not.toHaveProperty("page")
    expect(outcomeOf(read(source, fixture("startpage/text.json.html"), {}, query(), cursor))).toBe("ok")
  })

  it("see a block in a home page without a token", () => {
    const home = fixture("startpage/text.home.html").replace('name="sc"', 'name="x"')
    expect(outcomeOf(read(source, home, {}, query(), source.fallback))).toBe("blocked")
    expect(outcomeOf(read(source, "<p>Hello</p>", {}, query(), source.fallback))).toBe("layout_changed")
    expect(outcomeOf(read(source, fixture("startpage/text.block.html"), {}, query(), source.fallback))).toBe("blocked")
    expect(outcomeOf(read(source, home, { status: 503 }, query(), source.fallback))).toBe("http_status")
  })
})

describe("results", () => {
  const captured = read(source, fixture("startpage/text.html"))
  const items = itemsOf(captured)

  it("are in the data, a literal as well as JSON", () => {
    expect(items).toHaveLength(10)
    expect(items[0]).toEqual({
      title: "JavaScript Tutorial - W3Schools",
      url: "https://www.w3schools.com/js/",
      href: "https://www.w3schools.com/js/",
      body: "Well organized and easy to understand Web building tutorials with lots of examples of how to use HTML, CSS, JavaScript, SQL, Python, PHP, Bootstrap, Java, ..."
    })
    expect(nextOf(captured)).toMatchObject({
      page: 2,
      form: [
        ["sc", "UPRAX3NlozEf00"],
        ["segment", "startpage.udog"]
      ]
    })
    expect(itemsOf(read(source, fixture("startpage/text.json.html")))).toEqual([
      {
        title: "Red panda - Wikipedia",
        url: "https://en.wikipedia.org/wiki/Red_panda",
        href: "https://en.wikipedia.org/wiki/Red_panda",
        body: 'The red panda (Ailurus fulgens) {is} a "small" mammal ...'
      },
      expect.objectContaining({ title: "Facts about the red panda & its home", body: "It's a tree dweller." }),
      expect.objectContaining({ title: "Cub born", body: "Here's the cub." }),
      expect.objectContaining({ title: "No description", body: null })
    ])
  })

  it("are read off the page where there are no data, with the form of the next", () => {
    const shown = read(source, fixture("startpage/text.html").replaceAll("createElement", "create"))
    expect(itemsOf(shown).map(({ title, url }) => ({ title, url }))).toEqual(
      items.map(({ title, url }) => ({ title, url }))
    )
    expect(itemsOf(shown).map(({ body }) => body)).toEqual(items.map(({ body }) => body))
    expect(nextOf(shown)).toEqual(nextOf(captured))
  })

  it("have no date before their text", () => {
    expect(items.filter(({ body }) => /^\d{1,2} \w{3} \d{4}/.test(body ?? ""))).toEqual([])
    expect(items[3]?.body).toMatch(/^JavaScript #tutorial #course 00:00:00 introduction/)
  })

  const serp = (results: ReadonlyArray<object>, type = "web-google", more: object = {}) =>
    `<html><body><script>React.createElement(UIStartpage.AppSerpWeb, ${JSON.stringify({
      render: { search_sc: "t", presenter: { regions: { mainline: [{ display_type: type, results }] }, ...more } }
    })})</script></body></html>`

  it("are taken out of the site's own links, which are dropped where they lead nowhere", () => {
    const links = [
      "/do/d/search?url=https%3A%2F%2Fexample.org%2Fa",
      "https://us2-browse.startpage.com/av/proxy?ep=4b6d&ek=1",
      "https://support.startpage.com/hc/en-us",
      "javascript:alert(1)"
    ]
    const parsed = read(source, serp(links.map((clickUrl) => ({ title: "T", clickUrl }))))
    expect(itemsOf(parsed).map(({ url }) => url)).toEqual([
      "https://example.org/a",
      "https://support.startpage.com/hc/en-us"
    ])
  })

  it("end at the last page that is listed, and carry its token", () => {
    const result = { title: "T", clickUrl: "https://example.org/" }
    const pages = (...list: ReadonlyArray<object>) => serp([result], "web-google", { pagination: { pages: list } })
    expect(nextOf(read(source, pages({ number: 1, selected: true })))).toBeNull()
    expect(
      nextOf(read(source, pages({ number: 1 }, { number: 2, nextPrev: true, token: "CAo" })))?.form
    ).toContainEqual(["page_token", "CAo"])
    expect(nextOf(read(source, pages({ number: 19 }), {}, query(), { page: 18, form: [["sc", "t"]] }))).toBeNull()
  })

  it("are empty only where all lists are there and none holds anything", () => {
    expect(outcomeOf(read(source, serp([])))).toBe("empty")
    expect(outcomeOf(read(source, serp([{ thash: "x" }], "ads-google-top")))).toBe("empty")
    expect(outcomeOf(read(source, serp([{ title: "T", link: "https://example.org/" }], "organic-google")))).toBe(
      "layout_changed"
    )
    expect(outcomeOf(read(source, serp([{ name: "T" }])))).toBe("layout_changed")
    expect(outcomeOf(read(source, serp([]).replace('"results":[]', '"items":[]')))).toBe("layout_changed")
  })

  it("are refused by a challenge, a captcha and a redirect to one", () => {
    const location = "https://www.startpage.com/sp/captcha"
    expect(outcomeOf(read(source, "", { status: 302, headers: { location } }))).toBe("blocked")
    expect(outcomeOf(read(source, fixture("startpage/text.captcha.html")))).toBe("blocked")
    expect(outcomeOf(read(source, "<html><head><title>Access Denied - Startpage</title></head></html>"))).toBe(
      "blocked"
    )
    expect(outcomeOf(read(source, fixture("startpage/text.block.html")))).toBe("blocked")
  })

  it("may be about its captcha", () => {
    const about = query({ text: "Startpage Captcha" })
    const page = `<title>Startpage Captcha - Search</title>${serp([])}`
    expect(outcomeOf(read(source, page, {}, about))).toBe("empty")
  })
})
