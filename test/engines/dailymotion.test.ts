import { expect, it } from "@effect/vitest"
import { dailymotion } from "../../src/services/engine/catalogue/dailymotion.ts"
import { itemsOf, nextOf, outcomeOf, read } from "./Asking.ts"

const source = dailymotion.sources.videos

it("dailymotion's videos are read whatever they lack", () => {
  const list = [
    { id: "x1", title: "Tom &amp; Jerry", duration: 0, created_time: "1700000000", views_total: null },
    { id: "x2", title: "B", thumbnail_360_url: "//s2.dmcdn.net/a.jpg", description: "One<br />two", duration: "3661" },
    { title: "No address" },
    { id: "x3", title: "" },
    null
  ]
  expect(itemsOf(read(source, JSON.stringify({ list })))).toMatchObject([
    {
      title: "Tom & Jerry",
      url: "https://www.dailymotion.com/video/x1",
      duration: null,
      published: "2023-11-14T22:13:20.000Z",
      statistics: { viewCount: null }
    },
    { description: "One two", duration: "1:01:01", images: { medium: "https://s2.dmcdn.net/a.jpg" } }
  ])
})

it("dailymotion's end and errors", () => {
  const list = [{ id: "x1", title: "A" }]
  expect(nextOf(read(source, JSON.stringify({ list, has_more: true })))).toEqual({ page: 2, form: null })
  expect(nextOf(read(source, JSON.stringify({ list })))).toBeNull()
  expect(outcomeOf(read(source, '{"list":[],"has_more":false,"total":0}'))).toBe("empty")
  const limited = '{"error":{"code":429,"message":"Rate limit exceeded","type":"rate_limit_exceeded"}}'
  expect(outcomeOf(read(source, limited, { status: 429 }))).toBe("rate_limited")
})
