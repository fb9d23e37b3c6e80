import { describe, expect, it } from "@effect/vitest"
import { exa } from "../../src/services/engine/catalogue/exa.ts"
import { fixture, itemsOf, nextOf, outcomeOf, query, read } from "./Asking.ts"

const { news, text } = exa.sources

describe("exa asks", () => {
  it("for one page with passages, the key left to the runtime", () => {
    expect(text.request(query({ region: "uk-en", timelimit: "w" }))).toEqual({
      method: "POST",
      url: "https://api.exa.ai/search",
      json: {
        query: "red panda",
        type: "auto",
        numResults: 25,
        userLocation: "GB",
        startPublishedDate: "2026-07-19T12:00:00.000Z",
        moderation: true,
        contents: { highlights: { maxCharacters: 500 } }
      },
      secrets: [{ as: "header", name: "x-api-key", variable: "EXA_API_KEY" }],
      persona: "program",
      follow: false
    })
    const anywhere = text.request(query({ region: "wt-wt", safesearch: "off" })).json
    expect(anywhere).toMatchObject({ moderation: false })
    expect(anywhere).not.toHaveProperty("userLocation")
    expect(news.request(query()).json).toMatchObject({ category: "news" })
  })
})

describe("exa reads", () => {
  it("results and news", () => {
    const items = itemsOf(read(text, fixture("exa/text.json")))
    expect(items.map(({ body, title }) => [title, body])).toEqual([
      ["Red panda", "The red panda is a small mammal. … It lives in the eastern Himalayas."],
      ["The zoo", null]
    ])
    expect(itemsOf(read(news, fixture("exa/news.json")))).toEqual([
      {
        title: "Red panda twins born",
        url: "https://www.daily.example/twins",
        date: "2026-07-25T08:30:00.000Z",
        body: "Two cubs were born on Friday.",
        image: "https://www.daily.example/twins.jpg",
        source: "daily.example"
      },
      expect.objectContaining({ date: null, body: "The whole text of the page.", image: null, source: "news.example" })
    ])
    expect(nextOf(read(text, fixture("exa/text.json")))).toBeNull()
  })

  it("used up credits, and a wrong key", () => {
    const error = (status: number, tag: string) =>
      outcomeOf(read(text, JSON.stringify({ error: "…", tag }), { status }))
    expect(error(402, "NO_MORE_CREDITS")).toBe("rate_limited")
    expect(error(402, "API_KEY_BUDGET_EXCEEDED")).toBe("rate_limited")
    expect(error(402, "PAYMENT")).toBe("blocked")
    expect(error(401, "INVALID_API_KEY")).toBe("http_status")
    expect(error(429, "")).toBe("rate_limited")
    expect(outcomeOf(read(text, '{"results":[]}'))).toBe("layout_changed")
  })
})
