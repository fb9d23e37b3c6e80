import { describe, expect, it } from "@effect/vitest"
import { regions } from "../../src/domain/Region.ts"
import { braveapi } from "../../src/services/engine/catalogue/braveapi.ts"
import { fixture, itemsOf, nextOf, outcomeOf, query, read, sent } from "./Asking.ts"

const { images, news, text, videos } = braveapi.sources
const first = { page: 1, form: null }
const third = { page: 3, form: null }

/** `country` and `search_lang` of the API's own lists; `ALL` where the country is not among them. */
const locales: Readonly<Record<string, string>> = {
  "ar-es": "AR es",
  "au-en": "AU en",
  "at-de": "AT de",
  "be-fr": "BE fr",
  "be-nl": "BE nl",
  "br-pt": "BR pt-br",
  "bg-bg": "ALL bg",
  "ca-en": "CA en",
  "ca-fr": "CA fr",
  "ct-ca": "ES ca",
  "cl-es": "CL es",
  "cn-zh": "CN zh-hans",
  "co-es": "ALL es",
  "hr-hr": "ALL hr",
  "cz-cs": "ALL cs",
  "dk-da": "DK da",
  "ee-et": "ALL et",
  "fi-fi": "FI fi",
  "fr-fr": "FR fr",
  "de-de": "DE de",
  "gr-el": "ALL -",
  "hk-tzh": "HK zh-hant",
  "hu-hu": "ALL hu",
  "is-is": "ALL is",
  "in-en": "IN en",
  "id-en": "ID en",
  "ie-en": "ALL en",
  "il-en": "ALL en",
  "it-it": "IT it",
  "jp-jp": "JP jp",
  "kr-kr": "KR ko",
  "lv-lv": "ALL lv",
  "lt-lt": "ALL lt",
  "my-en": "MY en",
  "mx-es": "MX es",
  "nl-nl": "NL nl",
  "nz-en": "NZ en",
  "no-no": "NO nb",
  "pk-en": "ALL en",
  "pe-es": "ALL es",
  "ph-en": "PH en",
  "pl-pl": "PL pl",
  "pt-pt": "PT pt-pt",
  "ro-ro": "ALL ro",
  "ru-ru": "RU ru",
  "xa-ar": "SA ar",
  "sg-en": "ALL en",
  "sk-sk": "ALL sk",
  "sl-sl": "ALL sl",
  "za-en": "ZA en",
  "es-ca": "ES ca",
  "es-es": "ES es",
  "se-sv": "SE sv",
  "ch-de": "CH de",
  "ch-fr": "CH fr",
  "tw-tzh": "TW zh-hant",
  "th-en": "ALL en",
  "tr-tr": "TR tr",
  "us-en": "US en",
  "us-es": "US es",
  "ua-uk": "ALL uk",
  "uk-en": "GB en-gb",
  "vn-en": "ALL en",
  "wt-wt": "ALL en"
}

describe("braveapi asks", () => {
  it("for pages with the filters of each kind, the key left to the runtime", () => {
    const request = text.request(query({ region: "de-de", safesearch: "on", timelimit: "y" }), third)
    expect(request).toMatchObject({
      method: "GET",
      url: "https://api.search.brave.com/res/v1/web/search",
      secrets: [{ as: "header", name: "X-Subscription-Token", variable: "BRAVE_API_KEY" }],
      persona: "program"
    })
    expect(sent(request)).toEqual({
      q: "red panda",
      country: "DE",
      search_lang: "de",
      count: "20",
      offset: "2",
      safesearch: "strict",
      freshness: "py",
      text_decorations: "false",
      result_filter: "web"
    })
    expect(sent(news.request(query({ timelimit: "d" }), first))).toMatchObject({ count: "50", freshness: "pd" })
    expect(sent(videos.request(query({ safesearch: "off" }), first))).toMatchObject({ count: "50", safesearch: "off" })
    for (const safesearch of ["on", "moderate"] as const)
      expect(sent(images.request(query({ safesearch })))).toMatchObject({ count: "200", safesearch: "strict" })
    expect(sent(images.request(query({ safesearch: "off" })))).toMatchObject({ safesearch: "off" })
  })

  it("in each region", () => {
    const asked = regions.map(({ code }) => {
      const { country, search_lang = "-" } = sent(text.request(query({ region: code }), first))
      return [code, `${country} ${search_lang}`]
    })
    expect(Object.fromEntries(asked)).toEqual(locales)
    for (const { code } of regions) {
      const lacking = code !== "wt-wt" && (locales[code] ?? "").startsWith("ALL") ? ["region"] : []
      expect([code, text.lacks(query({ region: code }))]).toEqual([code, lacking])
    }
  })

  it("no more than 400 characters and 50 words", () => {
    const cut = (given: string) => sent(text.request(query({ text: given }), first))["q"] ?? ""
    expect(Array.from(cut("🐼".repeat(900))).length).toBe(400)
    expect(cut("a ".repeat(300).trim()).split(" ").length).toBe(50)
  })
})

describe("braveapi reads", () => {
  it("web results", () => {
    const items = itemsOf(read(text, fixture("braveapi/text.json")))
    expect(items.map(({ url }) => url)).toEqual([
      "https://en.wikipedia.org/wiki/Red_panda",
      "https://nationalzoo.si.edu/animals/red-panda",
      "https://redpandanetwork.org/"
    ])
    expect(items[0]?.body).toBe(
      "The red panda (Ailurus fulgens), also known as the lesser panda, is a small mammal native to the eastern Himalayas & southwestern China."
    )
    expect(items[1]?.title).toBe("Red Panda 'Ailurus' | Smithsonian's National Zoo")
    expect(items[2]?.body).toBeNull()
  })

  it("pictures", () => {
    const items = itemsOf(read(images, fixture("braveapi/images.json")))
    expect(items).toEqual([
      {
        title: "A Red Panda in a Tree",
        url: "https://www.worldwildlife.org/species/red-panda",
        image: "https://files.worldwildlife.org/red_panda.jpg",
        thumbnail: "https://imgs.search.brave.com/a/rs:fit:500:0:1:0/aHR0",
        width: 1920,
        height: 1280,
        source: "worldwildlife.org"
      },
      expect.objectContaining({ title: "sleeping panda.png", width: null, source: "example.org" })
    ])
  })

  it("videos", () => {
    const items = itemsOf(read(videos, fixture("braveapi/videos.json")))
    expect(items[0]).toMatchObject({
      title: "Red Pandas | All You Need to Know",
      description: "Everything about red pandas.",
      duration: "3:45:00",
      published: "2025-02-12T00:00:00.000Z",
      provider: "YouTube",
      uploader: "Zoo Channel",
      images: { large: "https://i.ytimg.com/vi/abcdefghijk/hqdefault.jpg", medium: "https://imgs.search.brave.com/v1" },
      statistics: { viewCount: 1_523_000 }
    })
    expect(items[1]).toMatchObject({
      duration: "4:05",
      published: "2026-07-24T12:00:00.000Z",
      provider: "vimeo.com",
      uploader: "A Maker"
    })
    expect(items[2]).toMatchObject({ duration: null, published: null, provider: null })
  })

  it("news", () => {
    const items = itemsOf(read(news, fixture("braveapi/news.json")))
    expect(items[0]).toEqual({
      title: "Red panda twins born at city zoo",
      url: "https://news.example.com/red-panda-twins",
      date: "2026-07-26T10:00:00.000Z",
      body: "Two red panda cubs were born…",
      image: "https://news.example.com/twins.jpg",
      source: "Example News"
    })
    expect(items[1]).toMatchObject({ date: "2026-07-25T12:00:00.000Z", source: "www.daily.example", body: null })
    expect(items[2]).toMatchObject({ date: null, image: null, source: null })
  })

  it("whether more follows, ten pages at most", () => {
    expect(nextOf(read(text, fixture("braveapi/text.json")))).toEqual({ page: 2, form: null })
    expect(
      nextOf(read(text, fixture("braveapi/text.json").replace('"more_results_available": true', '"x": 1')))
    ).toBeNull()
    expect(nextOf(read(text, fixture("braveapi/text.json"), {}, query(), { page: 10, form: null }))).toBeNull()
    const many = Array.from({ length: 40 }, (_, index) => ({ title: "T", url: `https://a.example/${index}` }))
    const full = JSON.stringify({ type: "news", query: { original: "x" }, results: many })
    expect(nextOf(read(news, full))).toEqual({ page: 2, form: null })
    expect(nextOf(read(news, fixture("braveapi/news.json")))).toBeNull()
    expect(nextOf(read(images, fixture("braveapi/images.json")))).toBeNull()
  })

  it("what it is refused for", () => {
    const refusal = (status: number, code: string) =>
      outcomeOf(read(text, JSON.stringify({ type: "ErrorResponse", error: { status, code } }), { status }))
    expect(refusal(422, "SUBSCRIPTION_TOKEN_INVALID")).toBe("http_status")
    expect(refusal(429, "RATE_LIMITED")).toBe("rate_limited")
    expect(refusal(402, "USAGE_LIMIT_EXCEEDED")).toBe("rate_limited")
    expect(refusal(403, "OPTION_NOT_IN_PLAN")).toBe("blocked")
  })

  it("no other kind's answer", () => {
    expect(outcomeOf(read(text, fixture("braveapi/news.json")))).toBe("layout_changed")
    expect(outcomeOf(read(news, fixture("braveapi/text.json")))).toBe("layout_changed")
    expect(outcomeOf(read(news, '{"type":"news","query":{}}'))).toBe("layout_changed")
  })
})
