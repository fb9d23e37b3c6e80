import { describe, expect, it } from "@effect/vitest"
import { regions } from "../../src/domain/Region.ts"
import { tavily } from "../../src/services/engine/catalogue/tavily.ts"
import { fixture, itemsOf, nextOf, outcomeOf, query, read } from "./Asking.ts"

const { news, text } = tavily.sources

describe("tavily asks", () => {
  it("for one page, the key left to the runtime", () => {
    expect(text.request(query({ region: "kr-kr", timelimit: "m" }))).toEqual({
      method: "POST",
      url: "https://api.tavily.com/search",
      json: {
        query: "red panda",
        topic: "general",
        search_depth: "basic",
        max_results: 20,
        time_range: "month",
        country: "south korea"
      },
      secrets: [{ as: "header", name: "Authorization", variable: "TAVILY_API_KEY", prefix: "Bearer " }],
      persona: "program",
      follow: false
    })
    expect(news.request(query({ region: "kr-kr", timelimit: "d" })).json).toEqual({
      query: "red panda",
      topic: "news",
      search_depth: "basic",
      max_results: 20,
      time_range: "day"
    })
    expect(text.request(query({ text: "🐼".repeat(900) })).json).toMatchObject({ query: "🐼".repeat(400) })
  })

  it("in the country of every region but Hong Kong", () => {
    for (const { code, country } of regions) {
      const asked = text.request(query({ region: code }))
      const isNamed = /"country":"[a-z ]{4,}"/.test(JSON.stringify(asked))
      expect([code, isNamed]).toEqual([code, !["hk-tzh", "wt-wt"].includes(code)])
      expect([code, text.lacks(query({ region: code }))]).toEqual([code, country === "HK" ? ["region"] : []])
    }
    const of = (region: string) => text.request(query({ region })).json
    expect(of("uk-en")).toMatchObject({ country: "united kingdom" })
    expect(of("sl-sl")).toMatchObject({ country: "slovenia" })
    expect(of("xa-ar")).toMatchObject({ country: "saudi arabia" })
  })
})

describe("tavily reads", () => {
  it("results and news", () => {
    const items = itemsOf(read(text, fixture("tavily/text.json")))
    expect(items.map(({ body, title }) => [title, body])).toEqual([
      ["Red panda - Wikipedia", "The red panda (Ailurus fulgens) is a small mammal native to the eastern Himalayas."],
      ["Red Panda Network", null]
    ])
    const [first, second] = itemsOf(read(news, fixture("tavily/news.json")))
    expect(first).toMatchObject({ date: "2026-07-25T08:30:00.000Z", source: "daily.example", image: null })
    expect(second).toMatchObject({ date: null, source: "news.example" })
    expect(nextOf(read(news, fixture("tavily/news.json")))).toBeNull()
  })

  it("a used up plan, and a wrong key", () => {
    const error = (status: number) => outcomeOf(read(text, '{"detail":{"error":"…"}}', { status }))
    expect([432, 433, 429, 401, 403, 400].map(error)).toEqual([
      "rate_limited",
      "rate_limited",
      "rate_limited",
      "http_status",
      "blocked",
      "http_status"
    ])
    expect(outcomeOf(read(text, '{"results":[]}'))).toBe("layout_changed")
  })
})
