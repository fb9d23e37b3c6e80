import { describe, expect, it } from "@effect/vitest"
import { regionOf, regions } from "../../src/domain/Region.ts"
import { googlecse } from "../../src/services/engine/catalogue/googlecse.ts"
import { interfaceLanguage, resultLanguage, searcherCountry } from "../../src/services/engine/toolkit/GoogleLocale.ts"
import { fixture, itemsOf, nextOf, outcomeOf, query, read, sent } from "./Asking.ts"

const { images, text } = googlecse.sources
const first = { page: 1, form: null }

/** `hl gl lr`, where they are not the language, the country and the language again. */
const locales: Readonly<Record<string, string>> = {
  "br-pt": "pt-BR br lang_pt",
  "pt-pt": "pt-PT pt lang_pt",
  "cn-zh": "zh-CN cn lang_zh-CN",
  "hk-tzh": "zh-TW hk lang_zh-TW",
  "tw-tzh": "zh-TW tw lang_zh-TW",
  "no-no": "no no lang_no",
  "ua-uk": "uk ua null",
  "uk-en": "en gb lang_en",
  "xa-ar": "ar sa lang_ar",
  "sl-sl": "sl si lang_sl",
  "ct-ca": "ca es lang_ca",
  "jp-jp": "ja jp lang_ja",
  "kr-kr": "ko kr lang_ko",
  "wt-wt": "en null null"
}

it("Google's locale is known for each region", () => {
  for (const { code } of regions) {
    const region = regionOf(code)
    const usual = `${region.language} ${region.country?.toLowerCase()} lang_${region.language}`
    const locale = `${interfaceLanguage(region)} ${searcherCountry(region)} ${resultLanguage(region)}`
    expect([code, locale]).toEqual([code, locales[code] ?? usual])
  }
})

describe("googlecse asks", () => {
  it("for ten at a time, the keys left to the runtime", () => {
    const request = text.request(query({ region: "uk-en", timelimit: "w" }), { page: 3, form: null })
    expect(request).toMatchObject({
      url: "https://customsearch.googleapis.com/customsearch/v1",
      secrets: [
        { as: "param", name: "key", variable: "GOOGLE_API_KEY" },
        { as: "param", name: "cx", variable: "GOOGLE_CSE_ID" }
      ]
    })
    expect(sent(request)).toEqual({
      q: "red panda",
      num: "10",
      start: "21",
      safe: "active",
      hl: "en",
      gl: "gb",
      lr: "lang_en",
      dateRestrict: "w1"
    })
    expect(sent(text.request(query({ region: "wt-wt", safesearch: "off" }), first))).toEqual({
      q: "red panda",
      num: "10",
      start: "1",
      safe: "off",
      hl: "en"
    })
  })

  it("for pictures by size, colour and sort", () => {
    const ask = (given: Parameters<typeof query>[0]) => sent(images.request(query(given), first))
    expect(ask({ size: "Wallpaper", color: "Red", type_image: "gif" })).toMatchObject({
      searchType: "image",
      imgSize: "HUGE",
      imgDominantColor: "red",
      imgType: "animated"
    })
    expect(ask({ color: "color" })).toMatchObject({ imgColorType: "color" })
    expect(ask({ color: "Monochrome" })).toMatchObject({ imgColorType: "gray" })
    expect(ask({ color: "Monochrome" })).not.toHaveProperty("imgDominantColor")
    expect(ask({ type_image: "transparent", color: "Blue" })).toMatchObject({
      imgColorType: "trans",
      imgDominantColor: "blue"
    })
    expect(images.lacks(query({ type_image: "transparent", color: "color" }))).toEqual(["color"])
    expect(images.lacks(query({ type_image: "transparent", color: "Blue" }))).toEqual([])
    expect(ask({ type_image: "line" })).toMatchObject({ imgType: "lineart" })
  })
})

describe("googlecse reads", () => {
  it("pages and pictures", () => {
    const items = itemsOf(read(text, fixture("googlecse/text.json")))
    expect(items.map(({ title }) => title)).toEqual([
      "Red panda - Wikipedia",
      "Red Panda | Species | WWF",
      "Red Panda Facts.pdf"
    ])
    expect(items[1]).toMatchObject({ url: "https://www.worldwildlife.org/species/red-panda", body: null })
    expect(itemsOf(read(images, fixture("googlecse/images.json")))).toEqual([
      {
        title: "Red panda - Wikipedia",
        url: "https://en.wikipedia.org/wiki/Red_panda",
        image: "https://upload.wikimedia.org/wikipedia/commons/e/e6/Red_Panda.jpg",
        thumbnail: "https://encrypted-tbn0.gstatic.com/images?q=tbn:2&s",
        width: 4288,
        height: 2848,
        source: "en.wikipedia.org"
      },
      expect.objectContaining({ title: "cubs.png", url: "https://zoo.example/files/cubs.png", width: null })
    ])
  })

  it("whether more follows, a hundred results at most", () => {
    expect(nextOf(read(text, fixture("googlecse/text.json")))).toEqual({ page: 2, form: null })
    expect(nextOf(read(text, fixture("googlecse/text.json"), {}, query(), { page: 10, form: null }))).toBeNull()
    expect(nextOf(read(images, fixture("googlecse/images.json")))).toBeNull()
    const none = '{"kind":"customsearch#search","searchInformation":{"totalResults":"5400"}}'
    expect(outcomeOf(read(text, none))).toBe("layout_changed")
    expect(outcomeOf(read(text, none, {}, query(), { page: 4, form: null }))).toBe("empty")
  })

  it("a used up quota, and a wrong key", () => {
    const error = (code: number, reason: string, status = "") =>
      outcomeOf(read(text, JSON.stringify({ error: { code, status, errors: [{ reason }] } }), { status: code }))
    expect(error(403, "dailyLimitExceeded")).toBe("rate_limited")
    expect(error(429, "rateLimitExceeded", "RESOURCE_EXHAUSTED")).toBe("rate_limited")
    expect(error(403, "accessNotConfigured", "PERMISSION_DENIED")).toBe("blocked")
    expect(error(400, "badRequest", "INVALID_ARGUMENT")).toBe("http_status")
  })
})
