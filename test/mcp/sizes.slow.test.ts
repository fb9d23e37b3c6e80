import { expect, layer } from "@effect/vitest"
import { Effect } from "effect"
import { tokensIn } from "../../src/mcp/Tokens.ts"
import { ContentWeb } from "../support/ContentWeb.ts"
import { called, post, toolCall } from "../support/Posted.ts"
import { quarry } from "../support/Quarry.ts"

/** Calls with nothing but what has to be given, over the captured pages of the engines. */
const calls = Effect.map(ContentWeb, ({ url }) => {
  const urls = Array.from({ length: 10 }, (_, index) => url(`/article?${index}`))
  return [
    ["search_web", { query: "javascript tutorial" }],
    ["search_images", { query: "red panda" }],
    ["search_videos", { query: "bridges" }],
    ["search_news", { query: "caffeine sleep" }],
    ["search_books", { query: "dune" }],
    ["search_everything", { query: "dune" }],
    ["fetch_content", { url: url("/article") }],
    ["fetch_multiple_contents", { urls }]
  ] as const
})

layer(quarry(), { excludeTestServices: true, timeout: "30 seconds" })("a text answer", (it) => {
  it.effect("has less than 2,500 tokens where nobody asked for more", () =>
    Effect.gen(function* () {
      for (const [tool, args] of yield* calls) {
        const { isError, text } = yield* Effect.flatMap(post(toolCall(tool, args)), called)
        expect(isError, text).toBe(false)
        expect(text).toMatch(/<web-quote ([0-9a-f]{8})>[^]+<\/web-quote \1>/)
        expect(tokensIn(text), tool).toBeLessThan(2_500)
        const narrow = yield* Effect.flatMap(post(toolCall(tool, { ...args, max_tokens: 400 })), called)
        expect(tokensIn(narrow.text), tool).toBeLessThanOrEqual(400)
        expect(Object.keys(Object(narrow.structured))).toContain("success")
      }
    })
  )
})
