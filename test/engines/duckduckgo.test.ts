import { describe, expect, it } from "@effect/vitest"
import { regions } from "../../src/domain/Region.ts"
import { type SearchKind } from "../../src/domain/SearchKind.ts"
import { duckduckgo } from "../../src/services/engine/catalogue/duckduckgo.ts"
import { type Cursor, type EngineAnswer, firstPage, type Source } from "../../src/services/engine/Engine.ts"
import { begin, fixture, itemsOf, nextOf, outcomeOf, query, read, sent, stepOf } from "./Asking.ts"

const { images, news, text, videos } = duckduckgo.sources

type Given = Parameters<typeof query>[0]

const token = "4-15628441979795874202247723878208892243"
const withToken: Cursor = { page: 1, form: [["vqd", token]] }

describe("the lite page", () => {
  const { fallback } = text

  it("is asked for with its own form", () => {
    const request = text.request(query({ region: "de-de", timelimit: "m", text: "!g red panda" }), fallback)
    expect(request).toMatchObject({
      method: "POST",
      url: "https://lite.duckduckgo.com/lite/",
      headers: { Referer: "https://lite.duckduckgo.com/" },
      cookies: { kl: "de-de", kp: "-1" },
      follow: false
    })
    expect(sent(request)).toEqual({ q: "'!g' red panda", kl: "de-de", df: "m", kp: "-1" })
  })

  it("goes on at itself, with the hidden inputs of its form and nothing else", () => {
    const first = read(text, fixture("duckduckgo/text.lite.html"), {}, query(), fallback)
    expect(itemsOf(first).length).toBe(10)
    const next = nextOf(first)
    expect(next?.page).toBe(2)
    const request = text.request(query(), next ?? firstPage)
    expect(request.url).toBe("https://lite.duckduckgo.com/lite/")
    expect(sent(request)).toEqual({
      q: "rust programming",
      s: "10",
      nextParams: "",
      v: "l",
      o: "json",
      dc: "11",
      api: "d.js",
      vqd: "4-228146944907429031912155131235649544909",
      kl: "wt-wt"
    })
    const second = read(text, fixture("duckduckgo/text.lite.html"), {}, query(), next ?? firstPage)
    expect(text.request(query(), nextOf(second) ?? firstPage).url).toBe("https://lite.duckduckgo.com/lite/")
    const html = nextOf(read(text, fixture("duckduckgo/text.html")))
    expect(text.request(query(), html ?? firstPage).url).toBe("https://html.duckduckgo.com/html/")
  })

  it("has its puzzle and its empty page", () => {
    expect(outcomeOf(read(text, fixture("duckduckgo/text.block.html"), {}, query(), fallback))).toBe("blocked")
    const nothing = `<html><body><form action="/lite/" method="post"><input name="q" value="qzxv"></form><table></table></body></html>`
    expect(outcomeOf(read(text, nothing, {}, query(), fallback))).toBe("empty")
    expect(outcomeOf(read(text, "<html><body></body></html>", {}, query(), fallback))).toBe("layout_changed")
  })
})

describe("the page without scripts", () => {
  const form = (button: string, s: number) =>
    `<div class="nav-link"><form action="/html/" method="post"><input type="submit" value="${button}"><input type="hidden" name="q" value="x"><input type="hidden" name="s" value="${s}"></form></div>`
  const page = (forms: string) =>
    `<html><body><div id="links"><div class="web-result"><a class="result__a" href="https://a.example/">A</a></div>${forms}</div></body></html>`
  const placeAfter = (forms: string, cursor: Cursor = firstPage) =>
    sent(text.request(query(), nextOf(read(text, page(forms), {}, query(), cursor)) ?? firstPage))["s"]
  const second: Cursor = { page: 2, form: [["s", "10"]] }

  it("goes on with the form that leads further, whatever its button says", () => {
    expect(placeAfter(form("Previous", 0) + form("Next", 25), second)).toBe("25")
    expect(placeAfter(form("Weiter", 10))).toBe("10")
    expect(placeAfter(form("Zurück", 0) + form("Weiter", 25), second)).toBe("25")
    expect(nextOf(read(text, page(form("Zurück", 0)), {}, query(), second))).toBeNull()
  })

  it("keeps the time limit on further pages", () => {
    const asked = query({ timelimit: "w" })
    expect(text.request(asked, firstPage).cookies).toMatchObject({ df: "w" })
    expect(sent(text.request(asked, second))).toEqual({ s: "10", df: "w" })
    expect(sent(text.request(asked, { page: 2, form: [["df", "w"]] }))).toEqual({ df: "w" })
    expect(sent(text.request(query(), second))).toEqual({ s: "10" })
  })
})

describe("the token", () => {
  it("is asked for with the very text of the search", () => {
    const given = { text: "!w red panda", region: "uk-en", safesearch: "off" } as const
    const request = videos.request(query(given), firstPage)
    expect(request).toMatchObject({
      method: "GET",
      url: "https://duckduckgo.com/",
      headers: { Referer: "https://duckduckgo.com/" },
      cookies: { l: "uk-en", ah: "uk-en", ad: "en_GB", p: "-2" },
      persona: "browser"
    })
    expect(sent(request)).toMatchObject({ q: "'!w' red panda", kl: "uk-en", ia: "videos", iar: "videos" })
    expect(sent(videos.request(query(given), withToken))["q"]).toBe("'!w' red panda")
  })

  it("is found however it is written, under 202 as well", () => {
    const written = [
      `x=1;vqd="${token}";`,
      `x=1;vqd='${token}';`,
      `{"vqd":"${token}"}`,
      `/d.js?q=a&vqd=${token}&p_ent=`
    ]
    for (const part of written)
      for (const status of [200, 202])
        expect(stepOf(read(news, `<html><body><script>${part}</script></body></html>`, { status }))).toEqual(withToken)
    expect(begin("duckduckgo", "images", images).form).toEqual([
      ["vqd", "3-320068370671196460038575011587633753929-199869977846294510399902480995708132308"]
    ])
    expect(begin("duckduckgo", "videos", videos).form).toEqual([["vqd", "4-201763554120983377451290011826635548291"]])
    expect(begin("duckduckgo", "news", news).form).toEqual([["vqd", "4-98125533001764529914837750021199864025"]])
  })

  it("prefers the page's own to one in a link", () => {
    const page = `<html><body><a href="/d.js?vqd=4-99999999&p=1">x</a><script>vqd="${token}"</script></body></html>`
    expect(stepOf(read(images, page))).toEqual(withToken)
  })

  it("not to be had from DuckDuckGo is a block, from anywhere else a changed layout", () => {
    const home = `<!doctype html><html><head><title>DuckDuckGo - Protection. Privacy.</title></head><body></body></html>`
    const check = <K extends SearchKind>(source: Source<K>) => {
      const outcome = (body: string, given: Partial<EngineAnswer> = {}) => outcomeOf(read(source, body, given))
      expect(outcome(home)).toBe("blocked")
      expect(outcome(home.replace("</body>", `<script>vqd="";vqd='';"vqd":"",vqd=&</script></body>`))).toBe("blocked")
      expect(outcome("", { status: 202 })).toBe("blocked")
      expect(outcome("", { status: 418 })).toBe("blocked")
      for (const status of [301, 302, 307])
        expect(outcome("", { status, headers: { location: "https://duckduckgo.com/" } })).toBe("blocked")
      expect(outcome("<html><body>Welcome to the hotel</body></html>")).toBe("layout_changed")
      expect(outcome(home, { status: 500 })).toBe("http_status")
    }
    check(images)
    check(videos)
    check(news)
  })
})

describe("images, videos and news", () => {
  it("are asked for as the site's scripts do", () => {
    for (const [source, path] of [
      [images, "i.js"],
      [videos, "v.js"],
      [news, "news.js"]
    ] as const) {
      const request = source.request(query({ region: "jp-jp" }), withToken)
      expect(request).toMatchObject({
        method: "GET",
        url: `https://duckduckgo.com/${path}`,
        headers: { Referer: "https://duckduckgo.com/" },
        cookies: { l: "jp-jp", ad: "ja_JP" },
        persona: "script"
      })
      expect(sent(request)).toMatchObject({ q: "red panda", o: "json", vqd: token, l: "jp-jp" })
      expect(sent(request)).not.toHaveProperty("s")
      for (const { code } of regions) expect(sent(source.request(query({ region: code }), withToken))["l"]).toBe(code)
    }
  })

  const ask =
    <K extends SearchKind>(source: Pick<Source<K>, "request">) =>
    (given: Given = {}) =>
      sent(source.request(query(given), withToken))

  it("have their filters in slots", () => {
    expect(ask(images)()).toMatchObject({ f: ",,,,,", p: "1" })
    expect(
      ask(images)({ timelimit: "w", size: "Wallpaper", color: "Monochrome", type_image: "line", layout: "Tall" })["f"]
    ).toBe("time:Week,size:Wallpaper,color:Monochrome,type:line,layout:Tall,")
    expect(ask(images)({ timelimit: "y" })["f"]).toBe("time:Year,,,,,")
    expect(ask(videos)()).toMatchObject({ f: ",,,", p: "-1" })
    expect(
      ask(videos)({ timelimit: "m", resolution: "standard", duration: "long", license_videos: "youtube" })["f"]
    ).toBe("publishedAfter:m,videoDefinition:standard,videoDuration:long,videoLicense:youtube")
    expect(ask(videos)({ license_videos: "creativeCommon" })["f"]).toBe(",,,videoLicense:creativeCommon")
  })

  it("have their time limits, a year too where there is one", () => {
    expect(ask(news)()).not.toHaveProperty("df")
    expect(ask(news)({ timelimit: "w" })).toMatchObject({ df: "w", noamp: "1" })
    expect(ask(news)({ timelimit: "y" })["df"]).toBe("2025-07-25..2026-07-26")
    expect(ask(videos)({ timelimit: "y" })["f"]).toBe(",,,")
    expect(videos.lacks(query({ timelimit: "y" }))).toEqual(["timelimit"])
    expect(videos.lacks(query({ timelimit: "m" }))).toEqual([])
  })

  it("have their words for safe search", () => {
    expect([ask(images)({ safesearch: "on" })["p"], ask(images)({ safesearch: "off" })["p"]]).toEqual(["1", "-1"])
    expect([ask(videos)({ safesearch: "on" })["p"], ask(videos)({ safesearch: "off" })["p"]]).toEqual(["1", "-2"])
    expect([ask(news)({ safesearch: "on" })["p"], ask(news)({ safesearch: "off" })["p"]]).toEqual(["1", "-2"])
    expect(images.request(query({ safesearch: "off" }), withToken).cookies).toMatchObject({ p: "-2" })
    expect(images.request(query(), withToken).cookies).not.toHaveProperty("p")
  })

  const page = (next: string | null, length = 3) =>
    JSON.stringify({
      results: Array.from({ length }, (_, index) => ({
        title: `T${index}`,
        url: `https://a.example/${index}`,
        image: `https://a.example/${index}.jpg`
      })),
      next
    })

  it("go on where the answer says, with the same token", () => {
    const first = nextOf(read(images, fixture("duckduckgo/images.json"), {}, query(), withToken))
    expect(first).toEqual({
      page: 2,
      form: [
        ["vqd", token],
        ["s", "100"]
      ]
    })
    const request = images.request(query({ region: "de-de", size: "Large" }), first ?? firstPage)
    expect(sent(request)).toMatchObject({ s: "100", vqd: token, f: ",size:Large,,,,", l: "de-de", o: "json" })
    const after = (link: string | null, cursor = first ?? firstPage) =>
      nextOf(read(images, page(link), {}, query(), cursor))
    expect(after("i.js?q=x&o=json&s=157&f=,,,,,")?.form).toContainEqual(["s", "157"])
    expect(after("/i.js?q=x&o=json")?.form).toContainEqual(["s", "200"])
    for (const link of [
      null,
      "",
      "i.js?s=100",
      "i.js?s=0",
      "/other.js?s=300",
      "https://[",
      `i.js?s=300&q=${"x".repeat(9_000)}`
    ])
      expect([link, after(link)]).toEqual([link, null])
    expect(after("v.js?q=x&s=60", withToken)).toBeNull()
  })

  it("count by themselves where a page is asked for without a place", () => {
    const cursor: Cursor = { page: 3, form: [["vqd", token]] }
    expect(sent(images.request(query(), cursor))["s"]).toBe("200")
    expect(sent(videos.request(query(), cursor))["s"]).toBe("120")
    expect(sent(news.request(query(), cursor))["s"]).toBe("60")
  })

  it("end at an empty list", () => {
    expect(outcomeOf(read(images, page(null, 0), {}, query(), { page: 4, form: [["vqd", token]] }))).toBe("empty")
    expect(outcomeOf(read(images, '{"next":"i.js?s=100"}', {}, query(), withToken))).toBe("layout_changed")
    expect(outcomeOf(read(images, '{"results":[{"title":"x"},7]}', {}, query(), withToken))).toBe("layout_changed")
  })

  it("are blocked where DuckDuckGo answers with anything but data", () => {
    const outcome = (body: string, given: Partial<EngineAnswer> = {}) =>
      outcomeOf(read(images, body, given, query(), withToken))
    expect(outcome("DDG.deep.anomalyDetectionBlock({cc:'botnet'})")).toBe("blocked")
    expect(outcome("if (DDG.deep.anomalyDetectionBlock) DDG.deep.anomalyDetectionBlock({})", { status: 506 })).toBe(
      "blocked"
    )
    expect(outcome("If this error persists, write to error-lite@duckduckgo.com")).toBe("blocked")
    expect(outcome("<!doctype html><html><title>DuckDuckGo</title></html>")).toBe("blocked")
    expect(outcome("", { status: 202 })).toBe("blocked")
    expect(outcome(page(null, 0), { status: 202 })).toBe("blocked")
    expect(outcome(page(null), { status: 202 })).toBe("ok")
    for (const status of [301, 302, 403, 418, 506]) expect(outcome("", { status })).toBe("blocked")
    expect(outcome('{"results":[{"title":"About duckduckgo","url":"https://a.exa')).toBe("layout_changed")
  })
})

describe("what the pages show", () => {
  const first = <K extends "images" | "videos" | "news">(kind: K, source: Source<K>) =>
    itemsOf(read(source, fixture(`duckduckgo/${kind}.json`), {}, query(), withToken))

  it("a hundred pictures", () => {
    const items = first("images", images)
    expect(items.length).toBe(100)
    expect(items[0]).toEqual({
      title: "Minecraft Earth - How to Craft and Smelt",
      url: "https://www.gamepur.com/guide/44494-minecraft-earth-how-craft-smelt.html",
      image: "https://www.gamepur.com/files/images/2019-11/minecraft-earth-how-to-craft-and-smelt.jpg",
      thumbnail: "https://tse2.explicit.bing.net/th?id=OIP.Gs1jkAe-9iVFH4-sNHSQoQHaFs&pid=Api",
      width: 1214,
      height: 933,
      source: "Bing"
    })
    expect(items.map(({ title }) => title)).toContain("Minecraft: Every Enchantment In The Game (& What It Does)")
  })

  it("pictures that lack members", () => {
    const results = [
      { image: "https://a.example/img/red%20panda.png", title: " ", width: 0, height: "x" },
      { title: "x < y &amp; <b>bold</b>", url: "javascript:1", image: "//b.example/2.jpg", thumbnail: "/iu/?u=1" },
      { title: "No file", url: "https://c.example/" },
      null
    ]
    const items = itemsOf(read(images, JSON.stringify({ results }), {}, query(), withToken))
    expect(items).toEqual([
      {
        title: "red panda.png",
        url: "https://a.example/img/red%20panda.png",
        image: "https://a.example/img/red%20panda.png",
        thumbnail: null,
        width: null,
        height: null,
        source: null
      },
      {
        title: "x < y & bold",
        url: "https://b.example/2.jpg",
        image: "https://b.example/2.jpg",
        thumbnail: "https://duckduckgo.com/iu/?u=1",
        width: null,
        height: null,
        source: null
      }
    ])
  })

  it("videos, with what they have", () => {
    const items = first("videos", videos)
    expect(items.length).toBe(3)
    expect(items[0]).toEqual({
      title: "How Bridges Are Built",
      url: "https://www.youtube.com/watch?v=2KbYn0tqRzA",
      content: "https://www.youtube.com/watch?v=2KbYn0tqRzA",
      description: 'From "cofferdams" to caissons: how the bridges we cross every day are built, step by step.',
      duration: "9:56",
      embed_url: "https://www.youtube.com/embed/2KbYn0tqRzA?autoplay=1",
      embed_html:
        '<iframe src="https://www.youtube.com/embed/2KbYn0tqRzA?autoplay=1" width="1280" height="720" frameborder="0" allowfullscreen></iframe>',
      images: {
        large: "https://tse4.mm.bing.net/th/id/OVP.h1Wc2k?pid=Api",
        medium: "https://tse4.mm.bing.net/th/id/OVP.h1Wc2k?pid=Api",
        small: "https://tse4.mm.bing.net/th/id/OVP.h1Wc2k?pid=Api",
        motion: "https://tse2.mm.bing.net/th?id=OM2.k0s_1691&pid=Api"
      },
      provider: "Bing",
      published: "2024-08-11T14:30:07.000Z",
      publisher: "YouTube",
      uploader: "Practical Works",
      statistics: { viewCount: 8123456 }
    })
    expect(items[1]).toMatchObject({
      title: "Arch, beam & truss: a lecture",
      description: null,
      duration: "1:02:05",
      embed_url: null,
      embed_html: null,
      images: { large: null, medium: "https://tse1.mm.bing.net/th/id/OVP.v2?pid=Api" },
      published: null,
      uploader: null,
      statistics: { viewCount: null }
    })
    expect(items[2]).toMatchObject({
      duration: null,
      published: "2026-07-01T00:00:00.000Z",
      images: { small: "https://tse3.mm.bing.net/th/id/OVP.f3?pid=Api", large: null }
    })
  })

  it("news, dated in seconds or as long ago", () => {
    const items = first("news", news)
    expect(items).toEqual([
      {
        title: "Renewables pass fossil fuels for a month",
        url: "https://www.example.org/2026/07/25/renewables-pass-fossil-fuels",
        date: "2026-07-25T09:00:00.000Z",
        body: "Wind and solar produced more energy than coal & gas together for a whole month, the grid's operator said.",
        image: "https://media.example.org/2026/07/turbines.jpg?w=1200",
        source: "The Example Times"
      },
      {
        title: 'Tariffs for renewable energy "too low"',
        url: "https://grid.example.com/tariffs?id=4&lang=en",
        date: "2026-07-24T11:00:05.000Z",
        body: "What a tariff of 5 < 7 cents means for renewable energy.",
        image: null,
        source: "Grid & Power"
      },
      {
        title: "Storage – the missing piece",
        url: "http://news.example.net/storage",
        date: "2026-07-24T12:00:00.000Z",
        body: null,
        image: null,
        source: null
      }
    ])
  })
})
