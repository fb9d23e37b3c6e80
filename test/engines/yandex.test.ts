import { describe, expect, it } from "@effect/vitest"
import { regions } from "../../src/domain/Region.ts"
import { firstPage } from "../../src/services/engine/Engine.ts"
import { yandex } from "../../src/services/engine/catalogue/yandex.ts"
import { fixture, itemsOf, nextOf, outcomeOf, query, read, sent } from "./Asking.ts"

const source = yandex.sources.text
const page = (inner: string, title = "red panda — Yandex") =>
  `<!doctype html><html><head><title>${title}</title></head><body>${inner}</body></html>`
const seen = (body: string, cursor = firstPage) =>
  itemsOf(read(source, body, {}, query(), cursor)).map(({ body, title, url }) => [title, url, body])

describe("yandex asks", () => {
  it("the frame of the site search, then the normal page", () => {
    const request = source.request(query(), firstPage)
    expect(request.url).toBe("https://yandex.com/search/site/")
    expect(sent(request)).toEqual({
      tmpl_version: "releases",
      web: "1",
      frame: "1",
      searchid: "3131712",
      text: "red panda",
      lang: "en"
    })
    expect(sent(source.request(query(), { page: 3, form: null }))).toMatchObject({ p: "2" })
    const other = source.request(query(), source.fallback)
    expect(other.url).toBe("https://yandex.com/search/")
    expect(sent(other)).toEqual({ text: "red panda", lang: "en" })
  })

  it("in the language of each region that it can be told", () => {
    const spoken = {
      ...Object.fromEntries(
        "au-en ca-en in-en id-en ie-en il-en my-en nz-en pk-en ph-en sg-en za-en th-en us-en uk-en vn-en"
          .split(" ")
          .map((code) => [code, "en"])
      ),
      ...{ "at-de": "de", "de-de": "de", "ch-de": "de", "be-fr": "fr", "ca-fr": "fr", "fr-fr": "fr", "ch-fr": "fr" },
      ...{ "ru-ru": "ru", "tr-tr": "tr", "ua-uk": "uk" }
    }
    const told = regions.map(({ code }) => [code, sent(source.request(query({ region: code }), firstPage))["lang"]])
    expect(Object.fromEntries(told.filter(([, lang]) => lang !== undefined))).toEqual(spoken)
    for (const { code } of regions)
      expect(source.lacks(query({ region: code })), code).toEqual(code in spoken || code === "wt-wt" ? [] : ["region"])
  })

  it("with the family filter in a cookie, and a span of days", () => {
    const family = (safesearch: "on" | "moderate" | "off") =>
      source.request(query({ safesearch }), firstPage).cookies.yp
    expect(family("on")).toContain(".sp.family%3A2#")
    expect(family("moderate")).toContain(".sp.family%3A1#")
    expect(family("off")).toContain(".sp.family%3A0#")
    expect(sent(source.request(query({ timelimit: "w" }), firstPage))).toMatchObject({
      within: "777",
      ...{ from_day: "19", from_month: "7", from_year: "2026", to_day: "26", to_month: "7", to_year: "2026" }
    })
  })
})

describe("yandex is read", () => {
  it("from the frame, without advertisements and its own other pages", () => {
    expect(seen(fixture("yandex/text.html"))).toEqual([
      [
        "Red panda - Wikipedia",
        "https://en.wikipedia.org/wiki/Red_panda",
        "The red panda (Ailurus fulgens), also known as the lesser panda, is a small mammal & the only living member of its genus."
      ],
      ["Красная панда — всё о ней", "https://www.example.org/pandas?id=1&lang=en", "Красная панда живёт в лесах."],
      ["Red panda at the zoo", "https://zoo.example.net/red-panda", null]
    ])
  })

  it("from the normal page, without the assistant's card, staying with it", () => {
    const body = fixture("yandex/text.normal.html")
    expect(seen(body)).toEqual([
      ["Red panda - Wikipedia", "https://en.wikipedia.org/wiki/Red_panda", "The red panda is a small mammal."],
      ["Red panda & friends", "https://zoo.example.net/red-panda", "Seen daily."]
    ])
    const next = nextOf(read(source, body, {}, query(), source.fallback))
    expect(next).toEqual({ page: 2, form: source.fallback.form })
    expect(source.request(query(), next ?? firstPage).url).toBe("https://yandex.com/search/")
  })

  it("from the normal page of 2019, and the frame by headings alone", () => {
    const old = `<li class="serp-item" data-cid="0"><div class="organic"><h2 class="organic__title-wrapper">
      <a class="link organic__url" href="https://a.example/x"><div class="favicon">·</div><div class="organic__url-text">A <b>page</b></div></a></h2>
      <div class="organic__content-wrapper"><div class="text-container typo">About <b>A</b></div></div></div></li>`
    expect(seen(page(`<ul class="serp-list">${old}</ul>`))).toEqual([["A page", "https://a.example/x", "About A"]])
    const plain = `<li class="serp-item"><h3><a href="https://b.example/">B</a></h3><div class="item-text">About B</div></li>`
    expect(seen(page(`<ol>${plain}</ol>`))).toEqual([["B", "https://b.example/", "About B"]])
  })

  it("with its redirections resolved", () => {
    const item = (href: string) =>
      `<li class="serp-item"><a class="OrganicTitle-Link" href="${href}"><h2 class="OrganicTitle-LinkText">T</h2></a></li>`
    const url = (href: string) => seen(page(item(href)))[0]?.[1]
    expect(url("https://yandex.com/redir?url=https%3A%2F%2Fc.example%2Fd&amp;text=1")).toBe("https://c.example/d")
    expect(url("https://yandex.ru/clck/jsredir?from=yandex&amp;text=x")).toBeUndefined()
    expect(url("https://yandex.ru/q/question/1")).toBe("https://yandex.ru/q/question/1")
    expect(url("https://notyandex.com/search/x")).toBe("https://notyandex.com/search/x")
    expect(url("URL_PLACEHOLDER")).toBeUndefined()
  })

  it("with the whole of a snippet that is shown cut, and none of its buttons", () => {
    const item = (text: string) =>
      page(`<li class="serp-item"><h2><a class="organic__url" href="https://a.example/">T</a></h2>${text}</li>`)
    const old = `<div class="text-container organic__text"><div class="extended-text"><span class="extended-text__short">Short <a class="link extended-text__toggle">Read more</a></span><span class="extended-text__full">Short and full. <a class="extended-text__toggle">Hide</a></span></div></div>`
    const recent = `<div class="OrganicText"><div class="ExtendedText"><span class="ExtendedText-Short">Short</span><span class="ExtendedText-Full">Short and full.</span><label class="ExtendedText-Toggle">Hide</label></div></div>`
    const plain = `<div class="OrganicText">Short and full.<label class="ExtendedText-Toggle">Read more</label></div>`
    for (const text of [old, recent, plain]) expect(seen(item(text))[0]?.[2]).toBe("Short and full.")
  })

  it("to its last page, as its pager has it", () => {
    const item = (number: number) =>
      `<li class="serp-item"><h3 class="b-serp-item__title"><a class="b-serp-item__title-link" href="https://a.example/${number}"><span>T</span></a></h3></li>`
    const items = (count: number) => Array.from({ length: count }, (_, index) => item(index)).join("")
    const pager = `<div class="b-pager"><a href="?p=0">1</a><a href="?p=1">2</a></div>`
    const next = (body: string, number: number) =>
      nextOf(read(source, page(body), {}, query(), { page: number, form: null }))?.page
    expect(next(items(10) + pager, 1)).toBe(2)
    expect(next(items(10) + pager, 2)).toBeUndefined()
    expect(next(items(10), 2)).toBe(3)
    expect(next(items(9), 2)).toBeUndefined()
  })

  it("as empty by a sign of it alone", () => {
    expect(outcomeOf(read(source, page("", "red panda — Yandex: nothing found")))).toBe("empty")
    expect(outcomeOf(read(source, page("<p>Искомая комбинация слов нигде не встречается</p>")))).toBe("empty")
    expect(outcomeOf(read(source, page("<ul></ul>")))).toBe("layout_changed")
    expect(outcomeOf(read(source, page(`<li class="serp-item">Ничего не найдено</li>`)))).toBe("layout_changed")
    const asked = query({ text: "no pages found" })
    expect(outcomeOf(read(source, page("<p>no pages found</p>"), {}, asked))).toBe("layout_changed")
  })

  it("as blocked when it shows or leads to its captcha", () => {
    const headers = { "x-yandex-captcha": "captcha" }
    expect(outcomeOf(read(source, "", { headers }))).toBe("blocked")
    const url = "https://yandex.com/showcaptcha?mt=1"
    expect(outcomeOf(read(source, page("Ой!"), { url }))).toBe("blocked")
    expect(outcomeOf(read(source, page(`<div class="AdvancedCaptcha"></div>`)))).toBe("blocked")
  })
})
