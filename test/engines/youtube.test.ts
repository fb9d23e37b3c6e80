import { describe, expect, it } from "@effect/vitest"
import { Schema } from "effect"
import { regions } from "../../src/domain/Region.ts"
import { type Cursor, firstPage } from "../../src/services/engine/Engine.ts"
import { memberAt } from "../../src/services/engine/toolkit/Literal.ts"
import { youtube } from "../../src/services/engine/catalogue/youtube.ts"
import { fixture, itemsOf, nextOf, outcomeOf, query, read, sent } from "./Asking.ts"

const source = youtube.sources.videos

type Given = Parameters<typeof query>[0]

const ask = (given: Given = {}, cursor: Cursor = firstPage) => source.request(query(given), cursor)
const body = (given: Given = {}, cursor: Cursor = firstPage) => {
  const request = ask(given, cursor)
  return "json" in request ? request.json : null
}
const client = (given: Given) => memberAt(body(given), "context", "client")

const text = (...words: ReadonlyArray<string>) => ({ runs: words.map((word) => ({ text: word })) })
const video = (members: object) => ({ videoId: "abcdefghijk", title: text("T"), ...members })
const list = (...contents: ReadonlyArray<object>) => ({ sectionListRenderer: { contents } })
const section = (...contents: ReadonlyArray<object>) => ({ itemSectionRenderer: { contents } })
const page = (...contents: ReadonlyArray<object>) => ({
  contents: { twoColumnSearchResultsRenderer: { primaryContents: list(section(...contents)) } }
})
const readJson = (data: unknown, given: Given = {}, cursor: Cursor = firstPage) =>
  read(source, JSON.stringify(data), {}, query(given), cursor)
const readOne = (members: object, given: Given = {}) =>
  itemsOf(readJson(page({ videoRenderer: video(members) }), given))[0]

describe("youtube's requests", () => {
  it("asks as its own pages do", () => {
    expect(ask()).toMatchObject({
      method: "POST",
      url: "https://www.youtube.com/youtubei/v1/search",
      params: [["prettyPrint", "false"]],
      cookies: { SOCS: "CAI" },
      headers: { Origin: "https://www.youtube.com", "X-YouTube-Client-Name": "1" }
    })
    expect(body()).toEqual({
      context: { client: { clientName: "WEB", clientVersion: "2.20260123.01.00", hl: "en", gl: "US" } },
      query: "red panda",
      params: "EgIQAfABAQ=="
    })
  })

  it("puts all filters in one message", () => {
    const bytes = (given: Given) =>
      Array.from(atob(String(memberAt(body(given), "params"))), (one) => one.charCodeAt(0))
    const tail = [0xf0, 1, 1]
    expect(bytes({ timelimit: "d" })).toEqual([0x12, 4, 8, 2, 16, 1, ...tail])
    expect(bytes({ timelimit: "w" })).toEqual([0x12, 4, 8, 3, 16, 1, ...tail])
    expect(bytes({ timelimit: "m" })).toEqual([0x12, 4, 8, 4, 16, 1, ...tail])
    expect(bytes({ timelimit: "y" })).toEqual([0x12, 4, 8, 5, 16, 1, ...tail])
    expect(bytes({ duration: "short" })).toEqual([0x12, 4, 16, 1, 24, 1, ...tail])
    expect(bytes({ duration: "long" })).toEqual([0x12, 4, 16, 1, 24, 2, ...tail])
    expect(bytes({ duration: "medium" })).toEqual([0x12, 4, 16, 1, 24, 3, ...tail])
    const all = { timelimit: "w", duration: "medium", resolution: "high", license_videos: "creativeCommon" } as const
    expect(bytes(all)).toEqual([0x12, 10, 8, 3, 16, 1, 24, 3, 32, 1, 48, 1, ...tail])
  })

  it("says which values it has no equivalent for", () => {
    expect(source.lacks(query({ resolution: "high", license_videos: "creativeCommon" }))).toEqual([])
    expect(source.lacks(query({ resolution: "standard", license_videos: "youtube" }))).toEqual([
      "resolution",
      "license_videos"
    ])
  })

  it("asks for Restricted Mode only when safe search is on", () => {
    expect(ask({ safesearch: "on" }).cookies).toEqual({ SOCS: "CAI", PREF: "f2=8000000" })
    expect(memberAt(body({ safesearch: "on" }), "context", "user")).toEqual({ enableSafetyMode: true })
    for (const safesearch of ["moderate", "off"] as const) {
      expect(ask({ safesearch }).cookies).toEqual({ SOCS: "CAI" })
      expect(memberAt(body({ safesearch }), "context", "user")).toBeNull()
    }
  })

  it("names language and country of every region", () => {
    // `google_hl` and `google_gl` of region-map.json; its pt-BR for Portugal is corrected in facts.md, section 20.
    const expected = `ar-es es AR|au-en en AU|at-de de AT|be-fr fr BE|be-nl nl BE|br-pt pt-BR BR|bg-bg bg BG|ca-en en CA
      |ca-fr fr CA|ct-ca ca ES|cl-es es CL|cn-zh zh-CN CN|co-es es CO|hr-hr hr HR|cz-cs cs CZ|dk-da da DK|ee-et et EE
      |fi-fi fi FI|fr-fr fr FR|de-de de DE|gr-el el GR|hk-tzh zh-TW HK|hu-hu hu HU|is-is is IS|in-en en IN|id-en en ID
      |ie-en en IE|il-en en IL|it-it it IT|jp-jp ja JP|kr-kr ko KR|lv-lv lv LV|lt-lt lt LT|my-en en MY|mx-es es MX
      |nl-nl nl NL|nz-en en NZ|no-no no NO|pk-en en PK|pe-es es PE|ph-en en PH|pl-pl pl PL|pt-pt pt-PT PT|ro-ro ro RO
      |ru-ru ru RU|xa-ar ar SA|sg-en en SG|sk-sk sk SK|sl-sl sl SI|za-en en ZA|es-ca ca ES|es-es es ES|se-sv sv SE
      |ch-de de CH|ch-fr fr CH|tw-tzh zh-TW TW|th-en en TH|tr-tr tr TR|us-en en US|us-es es US|ua-uk uk UA|uk-en en GB
      |vn-en en VN|wt-wt en`
    const rows = new Map(expected.split("|").map((row) => [row.split(" ")[0] ?? "", row.trim()]))
    for (const { code } of regions) {
      const asked = client({ region: code })
      expect([code, memberAt(asked, "hl"), memberAt(asked, "gl")].filter((part) => part !== null).join(" ")).toBe(
        rows.get(code)
      )
    }
    expect(rows.size).toBe(64)
  })

  it("falls back to the page of results", () => {
    const request = ask({ text: "a & b", timelimit: "w", region: "de-de", safesearch: "on" }, source.fallback)
    expect(request).toMatchObject({
      method: "GET",
      url: "https://www.youtube.com/results",
      cookies: { PREF: "f2=8000000" }
    })
    expect(sent(request)).toEqual({ search_query: "a & b", sp: "EgQIAxAB8AEB", hl: "de", gl: "DE" })
    expect(sent(ask({ region: "wt-wt" }, source.fallback))).not.toHaveProperty("gl")
  })

  it("goes on with the token alone", () => {
    const next = nextOf(read(source, fixture("youtube/videos.json")))
    expect(next).toEqual({ page: 2, form: [["continuation", "EpIDEglyZWQgcGFuZGEaggM%3D"]] })
    const asked = body({ timelimit: "w" }, next ?? firstPage)
    expect(asked).toMatchObject({ continuation: "EpIDEglyZWQgcGFuZGEaggM%3D" })
    expect(asked).not.toHaveProperty("query")
    expect(asked).not.toHaveProperty("params")
    const second = read(source, fixture("youtube/videos.more.json"), {}, query(), next ?? firstPage)
    expect(itemsOf(second).map(({ title }) => title)).toEqual(["The second page"])
    expect(nextOf(second)).toEqual({ page: 3, form: [["continuation", "third%3D"]] })
  })
})

describe("youtube's answers", () => {
  it("reads videos, and none of what stands between them", () => {
    const items = itemsOf(read(source, fixture("youtube/videos.json")))
    expect(items.map(({ url }) => url.slice(-11))).toEqual(["dQw4w9WgXcQ", "abcdefghi_1", "ABCDEFGHI-2", "lockup00001"])
    expect(items[0]).toMatchObject({
      title: "Red Pandas Being Adorable & Clumsy",
      description: "All about the red panda in 4 minutes ...",
      duration: "4:46",
      embed_url: "https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ",
      images: {
        large: "https://i.ytimg.com/vi/dQw4w9WgXcQ/hq720.jpg?sqp=b",
        medium: "https://i.ytimg.com/vi/dQw4w9WgXcQ/mqdefault.jpg",
        motion: "https://i.ytimg.com/an_webp/dQw4w9WgXcQ/mqdefault_6s.webp?du=3000"
      },
      provider: "YouTube",
      published: "2024-07-26T12:00:00.000Z",
      uploader: "Zoo TV",
      statistics: { viewCount: 1_862_004 }
    })
    expect(items[1]).toMatchObject({ duration: null, published: null, statistics: { viewCount: null } })
    expect(items[2]).toMatchObject({
      duration: "1:02:03",
      published: "2026-07-21T12:00:00.000Z",
      uploader: "Wild Films"
    })
    expect(items[3]).toMatchObject({
      title: "Red panda, the newer shape",
      duration: "12:05",
      published: "2026-07-25T17:00:00.000Z",
      uploader: "Shape Channel",
      statistics: { viewCount: 46_900 }
    })
  })

  it("reads the same out of the page's script, however it is written there", () => {
    const expected = read(source, fixture("youtube/videos.json"))
    const html = fixture("youtube/videos.page.html")
    expect(read(source, html)).toEqual(expected)
    const data = JSON.stringify(
      Schema.decodeUnknownSync(Schema.parseJson(Schema.Unknown))(fixture("youtube/videos.json"))
    )
    const script = (code: string) => `<!DOCTYPE html><html><script>${code}</script><p>}</p></html>`
    const hex = data.replace(/[^\w ]/g, (sign) => `\\x${sign.charCodeAt(0).toString(16).padStart(2, "0")}`)
    for (const code of [
      `window["ytInitialData"] = ${data};\n    window["ytInitialPlayerResponse"] = null;`,
      `var ytInitialData = ${data};var other = {"contents":1};`,
      `if (window.ytInitialData) {} ; ytInitialData=${data}`,
      `var ytInitialData = '${hex}';`,
      `window["ytInitialData"] = JSON.parse(${JSON.stringify(data)});`
    ])
      expect(read(source, script(code))).toEqual(expected)
  })

  it("reads older shapes, a phone's, and a grid's", () => {
    const titles = (data: unknown, cursor: Cursor = firstPage) =>
      itemsOf(readJson(data, {}, cursor)).map(({ title }) => title)
    const simple = video({ title: { simpleText: "Old", accessibility: {} } })
    expect(titles(page({ videoRenderer: simple }))).toEqual(["Old"])
    expect(titles({ contents: list(section({ compactVideoRenderer: simple })) })).toEqual(["Old"])
    const phone = { videoWithContextRenderer: { videoId: "abcdefghijk", headline: text("On a ", "phone") } }
    expect(titles({ contents: list(section(phone)) })).toEqual(["On a phone"])
    const grid = { richGridRenderer: { contents: [{ richItemRenderer: { content: { videoRenderer: simple } } }] } }
    expect(titles({ contents: { twoColumnSearchResultsRenderer: { primaryContents: grid } } })).toEqual(["Old"])
    const continued = { continuationContents: { itemSectionContinuation: { contents: [{ videoRenderer: simple }] } } }
    expect(titles(continued, { page: 2, form: [["continuation", "x"]] })).toEqual(["Old"])
  })

  it("finds the answer of 2020 among its parts", () => {
    const first = page({ videoRenderer: video({}) })
    const parts = [{ page: "search", rootVe: 4724 }, { page: "search", response: first }, null]
    expect(readJson(parts)).toEqual(readJson(first))
    expect(outcomeOf(readJson([first]))).toBe("layout_changed")
  })

  it("takes nothing for a video that is none", () => {
    const entries = [
      { playlistRenderer: { playlistId: "PL1", title: text("P"), videoId: "abcdefghijk" } },
      { radioRenderer: { playlistId: "RD1", title: text("R") } },
      { channelRenderer: { channelId: "UC1", title: text("C") } },
      { shelfRenderer: { content: { verticalListRenderer: { items: [{ videoRenderer: video({}) }] } } } },
      { reelShelfRenderer: { items: [{ reelItemRenderer: { videoId: "abcdefghijk" } }] } },
      { gridShelfViewModel: { contents: [{ shortsLockupViewModel: {} }] } },
      { lockupViewModel: { contentId: "PL1", contentType: "LOCKUP_CONTENT_TYPE_PLAYLIST" } },
      { adSlotRenderer: { fulfillmentContent: { videoRenderer: video({}) } } },
      { videoRenderer: video({ videoId: "short" }) },
      { videoRenderer: { videoId: "abcdefghijk", title: { runs: [] } } },
      { videoRenderer: null }
    ]
    expect(outcomeOf(readJson(page(...entries)))).toBe("layout_changed")
    const kept = page(...entries, { videoRenderer: video({}) })
    expect(itemsOf(readJson(kept)).length).toBe(1)
  })

  it("reads live and upcoming videos, and pictures without a scheme", () => {
    const live = {
      viewCountText: text("1,204", " watching"),
      badges: [{ metadataBadgeRenderer: { label: "LIVE" } }],
      thumbnail: { thumbnails: [{ url: "//i.ytimg.com/vi/abcdefghijk/hq.jpg", width: 360 }] },
      upcomingEventData: { startTime: "1785000000" }
    }
    expect(readOne(live)).toMatchObject({
      duration: null,
      published: null,
      statistics: { viewCount: null },
      images: { large: "https://i.ytimg.com/vi/abcdefghijk/hq.jpg" }
    })
  })

  it("finds the older tokens", () => {
    const older = [{ nextContinuationData: { continuation: "older" } }]
    const inSection = { itemSectionRenderer: { contents: [{ videoRenderer: video({}) }], continuations: older } }
    const first = { contents: { twoColumnSearchResultsRenderer: { primaryContents: list(inSection) } } }
    expect(nextOf(readJson(first))).toEqual({ page: 2, form: [["continuation", "older"]] })
    const contents = [{ videoRenderer: video({}) }]
    const beside = { continuationContents: { itemSectionContinuation: { contents, continuations: older } } }
    expect(nextOf(readJson(beside))).toEqual({ page: 2, form: [["continuation", "older"]] })
    expect(nextOf(readJson(page({ videoRenderer: video({}) })))).toBeNull()
  })

  it("reads dates, lengths and views in the language asked for", () => {
    const said = (region: string, when: string, length: string, views: string) => {
      const members = {
        publishedTimeText: { simpleText: when },
        lengthText: { simpleText: length },
        viewCountText: { simpleText: views }
      }
      const item = readOne(members, { region })
      return [item?.published, item?.duration, item?.statistics.viewCount]
    }
    expect(said("de-de", "vor 2 Stunden", "4:46", "1.862 Aufrufe")).toEqual(["2026-07-26T10:00:00.000Z", "4:46", 1862])
    expect(said("fr-fr", "il y a 3 semaines", "1:00:00", "12\u202f345\u00a0vues")).toEqual([
      "2026-07-05T12:00:00.000Z",
      "1:00:00",
      12_345
    ])
    expect(said("jp-jp", "5 か月前", "0:59", "1,862 回視聴")).toEqual(["2026-02-26T12:00:00.000Z", "0:59", 1862])
    expect(said("dk-da", "for 1 år siden", "12.34", "7 visninger")).toEqual(["2025-07-26T12:00:00.000Z", "12:34", 7])
    expect(said("us-en", "Premiered 1 day ago", "LIVE", "No views")).toEqual(["2026-07-25T12:00:00.000Z", null, null])
    expect(said("in-en", "12 hours ago", "SHORTS", "1,23,456 views")).toEqual([
      "2026-07-26T00:00:00.000Z",
      null,
      123_456
    ])
    expect(said("us-en", "Scheduled for 8/1/26", "", "")).toEqual([null, null, null])
  })

  it("tells nothing found, the end, another page of YouTube's and a wall", () => {
    expect(outcomeOf(readJson(page({ backgroundPromoRenderer: {} })))).toBe("empty")
    expect(outcomeOf(readJson(page({ messageRenderer: { text: text("No more results") } })))).toBe("empty")
    expect(outcomeOf(readJson({ ...page(), estimatedResults: "0" }))).toBe("empty")
    expect(outcomeOf(readJson(page()))).toBe("empty")
    expect(outcomeOf(readJson({ ...page(), estimatedResults: "4200" }))).toBe("layout_changed")
    expect(outcomeOf(readJson(page({ someNewRenderer: video({}) })))).toBe("layout_changed")
    expect(outcomeOf(readJson({ responseContext: {} }))).toBe("layout_changed")
    const second = { page: 2, form: [["continuation", "x"]] } as const
    expect(outcomeOf(readJson({ responseContext: {} }, {}, second))).toBe("empty")
    const watched = { results: {}, secondaryResults: { results: [{ compactVideoRenderer: video({}) }] } }
    expect(outcomeOf(readJson({ contents: { twoColumnWatchNextResults: watched } }))).toBe("layout_changed")
    const wall = `<!DOCTYPE html><title>Before you continue to YouTube</title><form action="https://consent.youtube.com/save" method="POST"></form>`
    expect(outcomeOf(read(source, wall))).toBe("blocked")
    expect(outcomeOf(read(source, "", { url: "https://consent.youtube.com/m?continue=x" }))).toBe("blocked")
    expect(outcomeOf(read(source, "", { url: "https://www.google.com/sorry/index?continue=x" }))).toBe("blocked")
  })
})
