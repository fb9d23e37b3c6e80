import { describe, expect, it } from "@effect/vitest"
import { duckduckgo } from "../../src/services/engine/catalogue/duckduckgo.ts"
import { mojeek } from "../../src/services/engine/catalogue/mojeek.ts"
import { wikipedia } from "../../src/services/engine/catalogue/wikipedia.ts"
import { fixture, itemsOf, outcomeOf, query, read } from "./Asking.ts"

/** What the captured pages show, read off them by eye. */
describe("duckduckgo", () => {
  const source = duckduckgo.sources.text

  it("unwraps its links and leaves the advertisement out", () => {
    const items = itemsOf(read(source, fixture("duckduckgo/text.html")))
    expect(items.length).toBe(10)
    expect(items[0]).toEqual({
      title: "The 7 Best Mechanical Keyboards of 2026 - RTINGS.com",
      url: "https://www.rtings.com/keyboard/reviews/best/mechanical",
      href: "https://www.rtings.com/keyboard/reviews/best/mechanical",
      body: "The best mechanical keyboard we've tested is the Keychron Q5 Max. This wireless keyboard has premium-feeling construction, a heavyweight aluminum case, and top-of-the-line typing quality right out of the box."
    })
    expect(items.filter((item) => item.url.includes("duckduckgo.com"))).toEqual([])
    expect(items.map((item) => item.url)[1]).toBe("https://www.pcmag.com/picks/the-best-mechanical-keyboards")
  })

  it("reads the page as a browser wrote it out, and the lite page", () => {
    const rendered = itemsOf(read(source, fixture("duckduckgo/text.rendered.html")))
    expect(rendered.length).toBe(9)
    expect(rendered[0]?.title).toBe("Caffeine and Sleep Problems")
    const lite = itemsOf(
      read(source, fixture("duckduckgo/text.lite.html"), { url: "https://lite.duckduckgo.com/lite/" })
    )
    expect(lite.length).toBe(10)
    expect(lite[1]).toMatchObject({
      title: "Rust (programming language) - Wikipedia",
      url: "https://en.wikipedia.org/wiki/Rust_(programming_language)"
    })
    expect(lite[0]?.body).toMatch(/^Rust is a fast, reliable, and productive programming language that can run/)
  })

  const page = (results: string) => `<html><body><div id="links" class="results">${results}</div></body></html>`
  const result = (href: string, title = "Title") =>
    `<div class="result web-result"><h2 class="result__title"><a class="result__a" href="${href}">${title}</a></h2><a class="result__snippet" href="${href}">A <b>bold</b> text</a></div>`

  it("takes direct links as they are", () => {
    const items = itemsOf(read(source, page(result("https://example.org/a?b=c&amp;d=%2F"))))
    expect(items[0]).toMatchObject({ url: "https://example.org/a?b=c&d=%2F", body: "A bold text" })
  })

  it("decodes a wrapped link once", () => {
    const items = itemsOf(
      read(source, page(result("//duckduckgo.com/l/?uddg=https%3A%2F%2Fexample.org%2F%3Fq%3Da%252Bb&amp;rut=1")))
    )
    expect(items[0]?.url).toBe("https://example.org/?q=a%2Bb")
  })

  it("drops advertisements however they are dressed", () => {
    const advertisement = "https://duckduckgo.com/y.js?ad_provider=x"
    const dressed = [
      result(advertisement),
      result(`//duckduckgo.com/l/?uddg=${encodeURIComponent(advertisement)}`),
      result("https://shop.example/").replace("web-result", "web-result result--ad"),
      result("https://shop.example/").replace("<h2", '<span class="badge--ad">Ad</span><h2')
    ]
    for (const one of dressed) {
      const items = itemsOf(read(source, page(one + result("https://example.org/"))))
      expect(items.map((item) => item.url)).toEqual(["https://example.org/"])
    }
    const row = (classes: string, href: string) =>
      `<tr class="${classes}"><td>1.</td><td><a class="result-link" href="${href}">T</a></td></tr><tr class="${classes}"><td></td><td class="result-snippet">S</td></tr>`
    const lite = `<html><body><table>${row("result-sponsored", "https://shop.example/")}${row("", "https://example.org/")}</table></body></html>`
    expect(itemsOf(read(source, lite))).toMatchObject([{ url: "https://example.org/", body: "S" }])
    const only = `<html><body><form action="/lite/"><input name="q" value="x"></form><table>${row("result-sponsored", "https://shop.example/")}</table></body></html>`
    expect(outcomeOf(read(source, only))).toBe("empty")
  })

  it("takes a bang's redirect for nothing found, the home page for a block", () => {
    expect(outcomeOf(read(source, "", { status: 303, headers: { location: "https://example.org/" } }))).toBe("empty")
    for (const status of [301, 302, 418]) expect(outcomeOf(read(source, "", { status }))).toBe("blocked")
  })

  it("reads results under 202 as well", () => {
    expect(outcomeOf(read(source, fixture("duckduckgo/text.html"), { status: 202 }))).toBe("ok")
  })

  it("takes a whole page without results for an empty one", () => {
    expect(outcomeOf(read(source, page("")))).toBe("empty")
    const feedback = '<div class="feedback-btn"><a href="//duckduckgo.com/feedback.html">Feedback</a></div>'
    const advertisement = result("https://shop.example/").replace("web-result", "web-result result--ad")
    expect(outcomeOf(read(source, page(`<p>Nichts</p>${feedback}`)))).toBe("empty")
    expect(outcomeOf(read(source, page(advertisement + result("https://duckduckgo.com/y.js?x=1") + feedback)))).toBe(
      "empty"
    )
    expect(outcomeOf(read(source, page('<a href="https://a.example/">A result of another make</a>')))).toBe(
      "layout_changed"
    )
    expect(outcomeOf(read(source, page(result(""))))).toBe("layout_changed")
    expect(outcomeOf(read(source, page(result("javascript:alert(1)"))))).toBe("layout_changed")
  })
})

describe("mojeek", () => {
  it("reads ten results, with and without a snippet", () => {
    const items = itemsOf(read(mojeek.sources.text, fixture("mojeek/text.html")))
    expect(items.length).toBe(10)
    expect(items[0]).toEqual({
      title: "The Modern JavaScript Tutorial",
      url: "https://javascript.info/",
      href: "https://javascript.info/",
      body: "The Modern JavaScript Tutorial ... Main course contains 2 parts which cover JavaScript as a programming language and working with a browser."
    })
    expect(items.filter((item) => item.body === null).length).toBe(1)
  })
})

describe("wikipedia", () => {
  it("makes the page's address of its title", () => {
    const items = itemsOf(read(wikipedia.sources.text, fixture("wikipedia/text.json")))
    expect(items).toEqual([
      {
        title: "Caffeine-induced sleep disorder",
        url: "https://en.wikipedia.org/wiki/Caffeine-induced_sleep_disorder",
        href: "https://en.wikipedia.org/wiki/Caffeine-induced_sleep_disorder",
        body: "Caffeine-induced sleep disorder was a psychiatric disorder identified as resulting from overconsumption of the stimulant caffeine. Caffeine is one of"
      }
    ])
    const titles = ["Who's Afraid?", "AC/DC", "C (programming language)", "100% & more #1", "Zürich"]
    const body = JSON.stringify({ query: { search: titles.map((title) => ({ title })) } })
    expect(itemsOf(read(wikipedia.sources.text, body, {}, query({ region: "de-de" }))).map((item) => item.url)).toEqual(
      [
        "https://de.wikipedia.org/wiki/Who's_Afraid%3F",
        "https://de.wikipedia.org/wiki/AC/DC",
        "https://de.wikipedia.org/wiki/C_(programming_language)",
        "https://de.wikipedia.org/wiki/100%25_%26_more_%231",
        "https://de.wikipedia.org/wiki/Z%C3%BCrich"
      ]
    )
  })

  it("knows its own rate limit", () => {
    expect(outcomeOf(read(wikipedia.sources.text, '{"error":{"code":"ratelimited"}}'))).toBe("rate_limited")
  })
})
