import { describe, expect, it } from "@effect/vitest"
import { regions } from "../../src/domain/Region.ts"
import { searchKinds } from "../../src/domain/SearchKind.ts"
import { bing } from "../../src/services/engine/catalogue/bing.ts"
import { dailymotion } from "../../src/services/engine/catalogue/dailymotion.ts"
import { duckduckgo } from "../../src/services/engine/catalogue/duckduckgo.ts"
import { type EngineRequest, firstPage } from "../../src/services/engine/Engine.ts"
import { googlenews } from "../../src/services/engine/catalogue/googlenews.ts"
import { gutendex } from "../../src/services/engine/catalogue/gutendex.ts"
import { hackernews } from "../../src/services/engine/catalogue/hackernews.ts"
import { mojeek } from "../../src/services/engine/catalogue/mojeek.ts"
import { openlibrary } from "../../src/services/engine/catalogue/openlibrary.ts"
import { openverse } from "../../src/services/engine/catalogue/openverse.ts"
import { engineNames, engines, enginesFor } from "../../src/services/engine/catalogue/registry.ts"
import { sepiasearch } from "../../src/services/engine/catalogue/sepiasearch.ts"
import { wikipedia } from "../../src/services/engine/catalogue/wikipedia.ts"
import { begin, now, query, sent } from "./Asking.ts"

type Given = Parameters<typeof query>[0]

describe("every source", () => {
  const ask = (given: Given): ReadonlyArray<EngineRequest> =>
    searchKinds.flatMap((kind) => enginesFor(kind).map(({ source }) => source.request(query(given), firstPage)))

  it("asks over https, without a query string in the URL, with the text asked for", () => {
    for (const request of ask({ text: "naïve café" })) {
      expect(new URL(request.url).protocol).toBe("https:")
      expect(new URL(request.url).search).toBe("")
      expect(decodeURIComponent(new URL(request.url).pathname) + JSON.stringify(request)).toContain("naïve café")
      expect(JSON.stringify(request)).not.toMatch(/undefined|NaN|null/)
    }
  })

  it("has a request for each of the 64 regions that no other text changes", () => {
    expect(regions.length).toBe(64)
    for (const { code } of regions) {
      for (const request of ask({ region: code })) {
        expect(URL.canParse(request.url)).toBe(true)
        expect(JSON.stringify(request)).not.toMatch(/undefined|NaN|null|object Object/)
      }
    }
  })

  const values: ReadonlyArray<Given> = [
    { timelimit: "d" },
    { timelimit: "w" },
    { timelimit: "m" },
    { size: "Large" },
    { color: "Red" },
    { type_image: "photo" },
    { layout: "Tall" },
    { resolution: "high" },
    { duration: "short" },
    { license_videos: "creativeCommon" },
    { region: "de-de" },
    { safesearch: "on" },
    { safesearch: "off" }
  ]
  const filters = Array.from(new Set(values.flatMap((given) => Object.keys(given ?? {}))))

  it("changes with each filter it honours and with no other", () => {
    for (const kind of searchKinds) {
      for (const { engine, source } of enginesFor(kind)) {
        const cursor = begin(engine.name, kind, source)
        const plain = JSON.stringify(source.request(query(), cursor))
        for (const filter of filters) {
          const changed = values
            .filter((given) => filter in (given ?? {}))
            .some((given) => JSON.stringify(source.request(query(given), cursor)) !== plain)
          const honoured = source.honours.some((honoured) => honoured === filter)
          expect([engine.name, kind, filter, changed]).toEqual([engine.name, kind, filter, honoured])
        }
      }
    }
  })

  it("is asked in the same way for the same query", () => {
    expect(JSON.stringify(ask({}))).toBe(JSON.stringify(ask({})))
  })
})

it("names every engine once", () => {
  expect(new Set(engineNames).size).toBe(engines.length)
})

describe("duckduckgo", () => {
  const ask = (given: Given = {}) => duckduckgo.sources.text.request(query(given), firstPage)

  it("fills in the page's form", () => {
    const request = ask({ region: "uk-en", timelimit: "w", safesearch: "on" })
    expect(request).toMatchObject({ method: "POST", url: "https://html.duckduckgo.com/html/", follow: false })
    expect(sent(request)).toEqual({ q: "red panda", b: "", kl: "uk-en", df: "w", kp: "1" })
    expect(sent(ask({ region: "wt-wt", safesearch: "off" }))).toMatchObject({ kl: "wt-wt", df: "", kp: "-2" })
    expect(sent(ask())).toMatchObject({ kl: "us-en", kp: "-1" })
    expect(request.cookies).toEqual({ kl: "uk-en", kp: "1", df: "w" })
    expect(request.headers).toMatchObject({
      Referer: "https://html.duckduckgo.com/html/",
      "Sec-Fetch-Site": "same-origin"
    })
  })

  it("takes bangs and lucky searches out, and cuts at 499 characters", () => {
    expect(sent(ask({ text: "!g red panda" }))["q"]).toBe("'!g' red panda")
    expect(sent(ask({ text: "red !w panda!" }))["q"]).toBe("red '!w' panda!")
    expect(sent(ask({ text: "\\red panda" }))["q"]).toBe("red panda")
    expect(Array.from(sent(ask({ text: "🐼".repeat(600) }))["q"] ?? "").length).toBe(499)
  })
})

describe("mojeek", () => {
  const ask = (given: Given = {}) => mojeek.sources.text.request(query(given), firstPage)

  it("puts the region in cookies", () => {
    expect(ask({ region: "uk-en" }).cookies).toEqual({ arc: "gb", lb: "en" })
    expect(ask({ region: "no-no" }).cookies).toEqual({ arc: "no", lb: "nb" })
    expect(ask({ region: "jp-jp" }).cookies).toEqual({ arc: "jp" })
    expect(ask({ region: "sl-sl" }).cookies).toEqual({ arc: "si" })
    expect(ask({ region: "wt-wt" }).cookies).toEqual({ arc: "none" })
    expect(Object.keys(sent(ask({ region: "uk-en" })))).toEqual(["q", "safe"])
  })

  it("dates the time limit", () => {
    expect(sent(ask({ timelimit: "d" }))["since"]).toBe("20260725")
    expect(sent(ask({ timelimit: "w" }))["since"]).toBe("20260719")
    expect(sent(ask({ timelimit: "m" }))["since"]).toBe("20260625")
    expect(sent(ask({ timelimit: "y" }))["since"]).toBe("20250725")
    expect(sent(ask({ safesearch: "on" }))["safe"]).toBe("1")
    expect(sent(ask({ safesearch: "off" }))["safe"]).toBe("0")
  })
})

describe("wikipedia", () => {
  const ask = (region: string) => wikipedia.sources.text.request(query({ region }), firstPage)

  it("asks in the region's language", () => {
    expect(ask("us-en").url).toBe("https://en.wikipedia.org/w/api.php")
    expect(ask("wt-wt").url).toBe("https://en.wikipedia.org/w/api.php")
    expect(ask("no-no").url).toBe("https://no.wikipedia.org/w/api.php")
    expect(ask("es-ca").url).toBe("https://ca.wikipedia.org/w/api.php")
    expect(ask("tw-tzh")).toMatchObject({
      url: "https://zh.wikipedia.org/w/api.php",
      headers: { "Accept-Language": "zh-TW" }
    })
    expect(sent(ask("us-en"))).toMatchObject({ list: "search", srsearch: "red panda", srlimit: "20", sroffset: "0" })
  })
})

describe("bing", () => {
  const ask = (given: Given = {}) => bing.sources.images.request(query(given), firstPage)

  it("joins its filters", () => {
    const given = {
      timelimit: "m",
      size: "Wallpaper",
      color: "Monochrome",
      type_image: "line",
      layout: "Wide"
    } as const
    expect(sent(ask(given))["qft"]).toBe(
      "+filterui:age-lt44640+filterui:imagesize-wallpaper+filterui:color2-bw+filterui:photo-linedrawing+filterui:aspect-wide"
    )
    expect(sent(ask({ color: "color" }))["qft"]).toBe("+filterui:color2-color")
    expect(sent(ask({ color: "Purple" }))["qft"]).toBe("+filterui:color2-FGcls_PURPLE")
    expect(sent(ask({ type_image: "gif" }))["qft"]).toBe("+filterui:photo-animatedgif")
    expect(sent(ask())).toEqual({ q: "red panda", async: "1", first: "1", count: "35", adlt: "moderate" })
    expect(ask({ safesearch: "on" }).cookies).toMatchObject({ SRCHHPGUSR: "ADLT=STRICT" })
  })

  it("names a market only for a region other than the default", () => {
    for (const region of ["us-en", "wt-wt"]) {
      expect(Object.keys(ask({ region }).cookies)).toEqual(["SRCHHPGUSR"])
      expect(ask({ region }).headers).not.toHaveProperty("Accept-Language")
    }
    expect(ask({ region: "at-de" }).cookies).toMatchObject({ _EDGE_S: "mkt=de-at&ui=de", _EDGE_CD: "m=de-at&u=de-at" })
    expect(ask({ region: "at-de" }).headers).toMatchObject({ "Accept-Language": "de-AT,de;q=0.9,en;q=0.5" })
    expect(ask({ region: "hk-tzh" }).cookies).toMatchObject({ _EDGE_S: "mkt=en-hk&ui=zh" })
    expect(ask({ region: "il-en" }).cookies).toMatchObject({ _EDGE_S: "mkt=he-il&ui=en" })
    expect(ask({ region: "uk-en" }).cookies).toMatchObject({ _EDGE_S: "mkt=en-gb&ui=en" })
  })
})

it("openverse maps sizes, layouts and kinds", () => {
  const ask = (given: Given = {}) => sent(openverse.sources.images.request(query(given), firstPage))
  expect(ask()).toEqual({ q: "red panda", page: "1", page_size: "20" })
  // Any value of it, "false" too, lets pictures for adults in.
  expect(ask({ safesearch: "on" })).not.toHaveProperty("mature")
  expect(ask({ size: "Wallpaper", layout: "Square", type_image: "clipart", safesearch: "off" })).toMatchObject({
    size: "large",
    aspect_ratio: "square",
    category: "illustration",
    mature: "true"
  })
  expect(ask({ type_image: "gif" })).toMatchObject({ extension: "gif" })
})

it("dailymotion maps length, age and resolution", () => {
  const ask = (given: Given = {}) => sent(dailymotion.sources.videos.request(query(given), firstPage))
  expect(ask()).toMatchObject({
    search: "red panda",
    page: "1",
    limit: "50",
    family_filter: "true",
    localization: "en_US"
  })
  expect(ask({ region: "wt-wt" })).not.toHaveProperty("localization")
  expect(ask({ duration: "medium" })).toMatchObject({ longer_than: "5", shorter_than: "20" })
  expect(ask({ duration: "long" })).not.toHaveProperty("shorter_than")
  expect(ask({ timelimit: "d", resolution: "high", safesearch: "off" })).toMatchObject({
    created_after: String(now / 1000 - 86_400),
    hd: "1",
    family_filter: "false"
  })
})

it("sepiasearch maps length, age, licence and language", () => {
  const ask = (given: Given = {}) => sent(sepiasearch.sources.videos.request(query(given), firstPage))
  expect(ask()).toMatchObject({ search: "red panda", start: "0", count: "50", nsfw: "false", "boostLanguages[]": "en" })
  expect(ask({ duration: "short", timelimit: "w", safesearch: "off", license_videos: "creativeCommon" })).toMatchObject(
    {
      durationMax: "300",
      startDate: "2026-07-19T12:00:00.000Z",
      nsfw: "both",
      "licenceOneOf[]": "1 2 3 4 5 6 7"
    }
  )
})

it("googlenews names the edition and the time limit", () => {
  const ask = (given: Given = {}) => sent(googlenews.sources.news.request(query(given), firstPage))
  expect(ask()).toEqual({ q: "red panda", hl: "en-US", gl: "US", ceid: "US:en" })
  expect(ask({ region: "wt-wt", timelimit: "w" })).toEqual({
    q: "red panda when:7d",
    hl: "en-US",
    gl: "US",
    ceid: "US:en"
  })
  expect(ask({ region: "tw-tzh" })).toMatchObject({ hl: "zh-TW", gl: "TW", ceid: "TW:zh-Hant" })
  expect(ask({ region: "cn-zh" })).toMatchObject({ hl: "zh-CN", gl: "CN", ceid: "CN:zh-Hans" })
  expect(ask({ region: "mx-es" })).toMatchObject({ hl: "es-419", gl: "MX", ceid: "MX:es-419" })
  expect(ask({ region: "es-es" })).toMatchObject({ hl: "es-ES", gl: "ES", ceid: "ES:es" })
  expect(ask({ region: "br-pt" })).toMatchObject({ gl: "BR", ceid: "BR:pt-419" })
  expect(ask({ region: "no-no" })).toMatchObject({ gl: "NO", ceid: "NO:no" })
  expect(ask({ region: "de-de" })).toMatchObject({ hl: "de-DE", gl: "DE", ceid: "DE:de" })
})

it("hackernews asks for stories, no older than the limit", () => {
  const ask = (given: Given = {}) => sent(hackernews.sources.news.request(query(given), firstPage))
  expect(ask()).toEqual({ query: "red panda", tags: "story", page: "0", hitsPerPage: "50" })
  expect(ask({ timelimit: "w" })).toMatchObject({ numericFilters: `created_at_i>${now / 1000 - 7 * 86_400}` })
})

it("the books ask for their fields", () => {
  expect(sent(openlibrary.sources.books.request(query(), firstPage))).toMatchObject({
    q: "red panda",
    page: "1",
    limit: "50"
  })
  expect(sent(gutendex.sources.books.request(query(), firstPage))).toEqual({ search: "red panda" })
})
