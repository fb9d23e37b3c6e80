import { describe, expect, it } from "@effect/vitest"
import { regions } from "../../src/domain/Region.ts"
import { ecosia } from "../../src/services/engine/catalogue/ecosia.ts"
import { firstPage } from "../../src/services/engine/Engine.ts"
import { answer, fixture, itemsOf, nextOf, outcomeOf, query, read, sent } from "./Asking.ts"

const source = ecosia.sources.text
const page = (inner: string) =>
  `<!doctype html><html><body><main data-test-id="layout-content">${inner}</main></body></html>`
const hit = (inner: string) => `<div data-test-id="mainline-result-web">${inner}</div>`

describe("ecosia asks", () => {
  it("with the page counted from 0, and left out for the first", () => {
    expect(sent(source.request(query(), firstPage))).toEqual({ q: "red panda" })
    expect(sent(source.request(query(), { page: 2, form: null }))).toEqual({ q: "red panda", p: "1" })
  })

  it("with the market of the page's own list in a cookie, for each region", () => {
    const market = (region: string) =>
      /mc=([a-z-]+)$/.exec(source.request(query({ region }), firstPage).cookies.ECFG)?.[1]
    const lacking = regions
      .filter(({ code }) => source.lacks(query({ region: code })).length > 0)
      .map(({ code }) => code)
    expect(lacking).toEqual(["ct-ca", "hu-hu", "is-is", "il-en", "pk-en", "sl-sl", "es-ca"])
    for (const code of [...lacking, "wt-wt"]) expect(market(code), code).toBe("en-ww")
    const own = { "cz-cs": "cz-cz", "ee-et": "ee-ee", "gr-el": "gr-gr" }
    for (const { code, country, language } of regions) {
      if (country === null || lacking.includes(code)) continue
      const tag = `${language}-${country.toLowerCase()}`
      expect(market(code), code).toBe({ [code]: tag, ...own }[code])
    }
    expect(["uk-en", "no-no", "jp-jp", "kr-kr", "hk-tzh", "tw-tzh", "xa-ar", "ua-uk", "be-nl"].map(market)).toEqual([
      "en-gb",
      "nb-no",
      "ja-jp",
      "ko-kr",
      "zh-hk",
      "zh-tw",
      "ar-sa",
      "uk-ua",
      "nl-be"
    ])
  })
})

describe("ecosia is read", () => {
  it("from its own page, without its advertisements", () => {
    const reading = read(source, fixture("ecosia/text.html"))
    const items = itemsOf(reading)
    expect(items.length).toBe(10)
    expect(items[0]).toEqual({
      title: "JavaScript Tutorial - W3Schools",
      url: "https://www.w3schools.com/js/",
      href: "https://www.w3schools.com/js/",
      body: "Well organized and easy to understand Web building tutorials with lots of examples of how to use HTML, CSS, JavaScript, SQL, Python, PHP, Bootstrap, Java, ..."
    })
    expect(items.map(({ title }) => title)).toContain("JavaScript Full Course for free - YouTube")
    expect(nextOf(reading)).toEqual({ page: 2, form: null })
  })

  it("with other links and snippets, and items that are none", () => {
    const reading = read(
      source,
      page(
        hit(`<a class="result__link" href="https://a.example/"><h2 data-test-id="result-title">A</h2></a>
          <div class="result__description">About A</div>`) +
          hit(`<a data-test-id="result-link" href="https://b.example/"><div>b.example</div></a>
          <a data-test-id="result-link" href="https://b.example/">B</a><div data-test-id="result-description">About B</div>`) +
          hit(`<a data-test-id="result-link" href="javascript:void(0)"><h2 data-test-id="result-title">None</h2></a>`) +
          `<div data-test-id="mainline-result-ad"><a data-test-id="result-link" href="https://ad.example/">Ad</a></div>
          <div data-test-id="simplified-pagination"></div>`
      )
    )
    expect(itemsOf(reading).map(({ body, title, url }) => [title, url, body])).toEqual([
      ["A", "https://a.example/", "About A"],
      ["B", "https://b.example/", "About B"]
    ])
    expect(nextOf(reading)).toBeNull()
  })

  it("without dates in front of snippets, and without links to advertisers", () => {
    const body =
      hit(`<a data-test-id="result-link" href="//a.example/"><h2 data-test-id="result-title">A</h2></a>
        <div data-test-id="web-result-description"><span>Jul 16, 2025 · </span>About A</div>`) +
      hit(
        `<a data-test-id="result-link" href="https://www.bing.com/aclick?ld=1"><h2 data-test-id="result-title">Ad</h2></a>`
      )
    expect(itemsOf(read(source, page(body))).map(({ body, url }) => [url, body])).toEqual([
      ["https://a.example/", "About A"]
    ])
  })

  it("as empty by its own sign alone", () => {
    expect(outcomeOf(read(source, page("<p>We didn’t\n     find any\n results</p>")))).toBe("empty")
    expect(outcomeOf(read(source, page("<p>Unfortunately we didn't find any results for “x”</p>")))).toBe("empty")
    expect(outcomeOf(read(source, page(`<section data-test-id="mainline"></section>`)))).toBe("layout_changed")
  })

  it("as blocked where a challenge takes the page's place", () => {
    const challenge = `<html><title>www.ecosia.org</title><input type="hidden" name="cf-turnstile-response"></html>`
    expect(outcomeOf(source.parse(answer(challenge), query(), firstPage))).toBe("blocked")
  })
})
