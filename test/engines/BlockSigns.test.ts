import { describe, expect, it } from "@effect/vitest"
import { blockSign, looksBlocked, looksBroken } from "../../src/services/engine/toolkit/BlockSigns.ts"
import { answer } from "./Asking.ts"

const page = (title: string, body = "") =>
  `<!DOCTYPE html><html><head><title>${title}</title></head><body>${body}</body></html>`

describe("blockSign", () => {
  it("knows challenge pages whatever their status", () => {
    const pages = [
      page("Just a moment..."),
      page("Attention Required! | Cloudflare"),
      page("DDoS-Guard"),
      page("Just a moment…"),
      page("Making sure you&#39;re not a bot!"),
      page("Startpage", '<script id="anubis_challenge" type="application/json">{}</script>'),
      page("Startpage", '<script type="application/json" id="anubis_challenge">{}</script>'),
      page("x", '<span class="cf-error-code">1020</span>'),
      page("Einen Moment", "<script>(function(){window._cf_chl_opt={cvId:'3'}})()</script>"),
      page("Un instant", "<script>\n  (function () {\n    window._cf_chl_opt = {cvId: '3'}\n  })()</script>"),
      page("x", '<form action="/?__cf_chl_captcha_tk__=1">')
    ]
    for (const body of pages)
      for (const status of [200, 202, 403, 429, 503]) expect(blockSign(answer(body, { status }))).toBe("blocked")
  })

  it("lets pages be about challenges", () => {
    const snippet =
      "What window._cf_chl_opt = {} and __cf_chl_captcha_tk__, anubis_challenge and cf-error-code 1020 mean"
    const data = `<script>kit.start(app, element, {data: [{title: "window._cf_chl_opt = {}, anubis_challenge"}]})</script>`
    expect(blockSign(answer(page(`${snippet} - Search`, `<p>${snippet}</p>${data}`)))).toBeNull()
  })

  it("tells a spent budget from a refusal", () => {
    expect(blockSign(answer("", { status: 403, headers: { "x-ratelimit-remaining": "0" } }))).toBe("rate_limited")
    expect(blockSign(answer("", { status: 403, headers: { "x-ratelimit-remaining": "7" } }))).toBe("blocked")
  })

  it("knows challenges by header, address and redirect", () => {
    expect(blockSign(answer("", { headers: { "cf-mitigated": "challenge" } }))).toBe("blocked")
    expect(blockSign(answer("", { headers: { "x-yandex-captcha": "captcha" } }))).toBe("blocked")
    expect(blockSign(answer("", { url: "https://consent.google.com/m?x" }))).toBe("blocked")
    expect(blockSign(answer("", { url: "https://www.google.com/sorry/index?continue=x" }))).toBe("blocked")
    expect(blockSign(answer("", { status: 302, headers: { location: "/sp/captcha" } }))).toBe("blocked")
    expect(blockSign(answer("", { status: 302, headers: { location: "/search?q=captcha" } }))).toBeNull()
    expect(blockSign(answer("", { url: "https://engine.example/search/captcha" }))).toBeNull()
  })

  it("trusts scripts that ordinary pages carry only together with an error", () => {
    const scripts = [
      '<script src="/cdn-cgi/challenge-platform/scripts/jsd/main.js">',
      '<script src="https://www.google.com/recaptcha/api.js">'
    ]
    for (const script of scripts) {
      expect(blockSign(answer(page("Results", script)))).toBeNull()
      expect(blockSign(answer(page("Results", script), { status: 503 }))).toBe("blocked")
    }
  })

  it("reads statuses", () => {
    expect([402, 403, 429, 500, 404, 200].map((status) => blockSign(answer("{}", { status })))).toEqual([
      "blocked",
      "blocked",
      "rate_limited",
      null,
      null,
      null
    ])
  })

  it("does not look into JSON or feeds", () => {
    expect(blockSign(answer(JSON.stringify({ title: page("Just a moment...") })))).toBeNull()
    expect(blockSign(answer(`<?xml version="1.0"?><rss>${page("Just a moment...")}</rss>`))).toBeNull()
  })
})

describe("looksBlocked", () => {
  const looks = (body: string, query = "red panda") => looksBlocked(answer(body), query)

  it("knows widgets, titles and short texts that ask for proof", () => {
    expect(looks(page("x", '<div class="g-recaptcha"></div>'))).toBe(true)
    expect(looks(page("x", '<form action="/checkcaptcha?key=1"></form>'))).toBe(true)
    expect(looks(page("Are you not a robot?"))).toBe(true)
    expect(looks(page("x", "Our systems have detected unusual traffic."))).toBe(true)
  })

  it("leaves the query's own words and long pages out", () => {
    expect(looks(page("captcha - Search"), "captcha")).toBe(false)
    expect(looks(page("&quot;not a robot&quot; &amp; more at DuckDuckGo"), '"not a robot" & more')).toBe(false)
    expect(looks(page("solve captcha - Search"), "solve   captcha")).toBe(false)
    expect(looks(page("Are you not a robot?"), "a")).toBe(true)
    expect(looks(page("red panda - Search", `${"All about captchas and robots. ".repeat(100)}`))).toBe(false)
    expect(looks(page("Welcome", "Nothing to see"))).toBe(false)
    expect(looks('{"message":"captcha"}')).toBe(false)
  })
})

describe("looksBroken", () => {
  it("knows a notice of trouble by its title, unless the query brought it in", () => {
    const looks = (title: string, query = "red panda") => looksBroken(answer(page(title)), query)
    for (const title of ["Service unavailable", "Error 500", "Down for maintenance"]) expect(looks(title)).toBe(true)
    expect(looks("red panda - Search")).toBe(false)
    expect(looks("error handling - Search", "error handling")).toBe(false)
  })
})
