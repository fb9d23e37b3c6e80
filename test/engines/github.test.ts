import { expect, it } from "@effect/vitest"
import { firstPage } from "../../src/services/engine/Engine.ts"
import { github } from "../../src/services/engine/catalogue/github.ts"
import { fixture, itemsOf, nextOf, outcomeOf, query, read, sent } from "./Asking.ts"

const source = github.sources.text

it("github is asked for repositories, no older than the limit", () => {
  const request = source.request(query(), firstPage)
  expect(request).toMatchObject({
    url: "https://api.github.com/search/repositories",
    headers: { Accept: "application/vnd.github+json", "X-GitHub-Api-Version": "2022-11-28" }
  })
  expect(sent(request)).toEqual({ q: "red panda", per_page: "100", page: "1" })
  expect(sent(source.request(query({ timelimit: "w" }), firstPage))["q"]).toBe("red panda pushed:>=2026-07-19")
  const long = sent(source.request(query({ text: "🐼".repeat(400), timelimit: "d" }), firstPage))["q"] ?? ""
  expect(long).toBe(`${"🐼".repeat(256)} pushed:>=2026-07-25`)
})

it("github's repositories are read", () => {
  expect(itemsOf(read(source, fixture("github/text.json")))).toMatchObject([
    {
      title: "ailurus/red-panda",
      url: "https://github.com/ailurus/red-panda",
      body: "Data frames <for> foxes & friends 🐼"
    },
    { title: "keeper/panda-cam", url: "https://github.com/keeper/panda-cam", body: null }
  ])
})

it("github stops at its count and at a thousand", () => {
  const items = [{ full_name: "a/b", html_url: "https://github.com/a/b" }]
  const next = (total_count: number, page: number) =>
    nextOf(read(source, JSON.stringify({ total_count, items }), {}, query(), { page, form: null }))?.page
  expect(next(138, 1)).toBe(2)
  expect(next(138, 2)).toBeUndefined()
  expect(next(200, 2)).toBeUndefined()
  expect(next(50_000, 9)).toBe(10)
  expect(next(50_000, 10)).toBeUndefined()
})

it("github's search that ran out of time is not an empty one", () => {
  const nothing = { total_count: 0, items: [] }
  expect(outcomeOf(read(source, JSON.stringify({ ...nothing, incomplete_results: true })))).toBe("timeout")
  expect(outcomeOf(read(source, JSON.stringify({ ...nothing, incomplete_results: false })))).toBe("empty")
  expect(outcomeOf(read(source, '{"total_count":3,"items":[]}'))).toBe("layout_changed")
  expect(outcomeOf(read(source, '{"message":"Validation Failed"}', { status: 422 }))).toBe("http_status")
  const secondary = '{"message":"You have exceeded a secondary rate limit. Please wait a few minutes."}'
  expect(outcomeOf(read(source, secondary, { status: 403 }))).toBe("rate_limited")
  expect(outcomeOf(read(source, '{"message":"Request forbidden"}', { status: 403 }))).toBe("blocked")
  expect(outcomeOf(read(source, '{"message":"API rate limit exceeded"}', { status: 429 }))).toBe("rate_limited")
})
