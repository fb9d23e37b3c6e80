import { describe, expect, it } from "@effect/vitest"
import { type EngineAnswer } from "../../src/services/engine/Engine.ts"
import { lost, movedTo } from "../../tools/engines/Drift.ts"

const next = { page: 2, form: null }
const items = (count: number, item: object) => Array.from({ length: count }, () => item)

describe("lost", () => {
  it("has nothing to say of the same", () => {
    const page = { items: items(10, { body: "text", images: { large: "https://a.example/" } }), next }
    expect(lost(page, page)).toEqual([])
  })

  it("tells of far fewer results, of members of members, and of the further page", () => {
    const before = { items: items(10, { body: "text", images: { large: "https://a.example/" }, views: 3 }), next }
    const after = { items: items(4, { body: "", images: { large: null }, views: 0 }), next: null }
    expect(lost(before, after)).toEqual([
      "results 10 -> 4",
      "body 100% -> 0%",
      "images.large 100% -> 0%",
      "no further page"
    ])
  })

  it("lets members vary that few items had, or that half as many have still", () => {
    const before = {
      items: [...items(4, { date: "2026", body: "b" }), ...items(6, { date: null, body: "b" })],
      next: null
    }
    const after = { items: [...items(5, { date: null, body: "b" }), ...items(5, { date: null, body: null })], next }
    expect(lost(before, after)).toEqual([])
  })
})

describe("movedTo", () => {
  const request = { method: "GET", url: "https://a.example/search", persona: "program", follow: true } as const
  const answer = (given: Partial<EngineAnswer>): EngineAnswer => ({
    status: 200,
    headers: {},
    url: "https://a.example/search?q=1",
    body: "",
    ...given
  })

  it("names another host, whether the redirect was followed or not", () => {
    expect(movedTo({ request, answer: answer({}) })).toBeNull()
    expect(movedTo({ request, answer: null })).toBeNull()
    expect(movedTo({ request, answer: answer({ url: "https://b.example/" }) })).toBe("b.example")
    const sent = answer({ status: 302, headers: { location: "//c.example/consent" } })
    expect(movedTo({ request, answer: sent })).toBe("c.example")
    expect(movedTo({ request, answer: answer({ status: 301, headers: { location: "/other" } }) })).toBeNull()
  })
})
