import { expect, layer } from "@effect/vitest"
import { Effect } from "effect"
import { type Answer, call, newClient } from "../support/Client.ts"
import { called, fault, message, post, postRaw, toolCall } from "../support/Posted.ts"
import { Server } from "../support/Server.ts"

/** What is left of which group, as the answer's headers have it. */
const spent = ({ headers }: Answer) => headers.get("ratelimit")?.replace(/;t=.*/, "")

const times = (count: number) => Array.from({ length: count }, (_, index) => index)

/** Calls that fail before anything is searched for: they are counted like any other. */
const invalid = {
  search_web: {},
  search_books: {},
  search_everything: {},
  fetch_content: {},
  fetch_multiple_contents: {}
}

/** One server: every test is a client of its own. */
layer(Server.layer({ APP_ENV: "production", TRUST_PROXY: "1" }), { excludeTestServices: true })(
  "budgets of MCP clients",
  (it) => {
    it.effect("a tool call and a REST request drain one", () =>
      Effect.gen(function* () {
        const from = newClient()
        expect(spent(yield* post(toolCall("search_web", invalid.search_web), { from }))).toBe('"search";r=29')
        expect(spent(yield* call("/api/search/books", { from }))).toBe('"search";r=28')
        expect(spent(yield* post(toolCall("search_books", invalid.search_books), { from }))).toBe('"search";r=27')
        expect(spent(yield* post(toolCall("fetch_content", {}), { from }))).toBe('"content";r=29')
        expect(spent(yield* post(toolCall("fetch_multiple_contents", {}), { from }))).toBe('"content";r=28')
        expect(spent(yield* call("/api/content/fetch", { from }))).toBe('"content";r=27')
        expect(spent(yield* post(toolCall("search_everything", {}), { from }))).toBe('"unified";r=9')
        expect(spent(yield* call("/api/search/all", { from }))).toBe('"unified";r=8')
        expect(spent(yield* post(message("tools/list"), { from }))).toBe('"info";r=59')
        expect(spent(yield* call("/health", { from }))).toBe('"info";r=58')
      })
    )

    it.effect("a call over it is a failed result with Retry-After, however it was used up", () =>
      Effect.gen(function* () {
        const from = newClient()
        yield* Effect.forEach(times(10), () => call("/api/search/all", { from }))
        const answer = yield* post(toolCall("search_everything", { query: "bridges" }), { from })
        const retryAfter = Number(answer.headers.get("retry-after"))
        expect([answer.status, spent(answer)]).toEqual([200, '"unified";r=0'])
        expect(retryAfter).toBeGreaterThan(0)
        const { isError, structured, text } = yield* called(answer)
        expect([isError, structured]).toEqual([true, undefined])
        expect(JSON.parse(text)).toEqual({
          success: false,
          error: "Rate limit exceeded",
          details: { group: "unified", limit: 10, window_seconds: 60, retry_after: retryAfter }
        })
        expect((yield* call("/api/search/all", { from })).status).toBe(429)
        expect(spent(yield* post(toolCall("search_web", {}), { from }))).toBe('"search";r=29')
        expect(spent(yield* post(toolCall("search_everything", {}), {}))).toBe('"unified";r=9')
      })
    )

    it.effect("a batch in which a call is over it has Retry-After, whatever comes after", () =>
      Effect.gen(function* () {
        const from = newClient()
        yield* Effect.forEach(times(10), () => call("/api/search/all", { from }))
        const answer = yield* post([toolCall("search_everything", {}, 1), toolCall("search_web", {}, 2)], { from })
        expect([answer.status, spent(answer)]).toEqual([200, '"search";r=29'])
        expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0)
      })
    )

    it.effect("another message over it is a 429", () =>
      Effect.gen(function* () {
        const from = newClient()
        const pings = times(40).map((id) => message("ping", {}, id))
        expect(spent(yield* post(pings, { from }))).toBe('"info";r=20')
        yield* Effect.forEach(times(20), () => call("/health", { from }))
        for (const one of [message("tools/list"), message("notifications/initialized", {}, null), [message("ping")]]) {
          const answer = yield* post(one, { from })
          expect([answer.status, spent(answer)]).toEqual([429, '"info";r=0'])
          expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0)
          const { code, data, id } = yield* fault(answer)
          expect([code, id]).toEqual([-32_000, "id" in one ? one.id : null])
          expect(data).toMatchObject({ group: "info", limit: 60, window_seconds: 60 })
        }
        expect(spent(yield* post(toolCall("search_web", {}), { from }))).toBe('"search";r=29')
      })
    )

    it.effect("a call spends whatever its arguments and its parameters are", () =>
      Effect.gen(function* () {
        const from = newClient()
        for (const [index, args] of [[], "", "garbage", 5, true, null].entries()) {
          expect(spent(yield* post(toolCall("fetch_content", args), { from }))).toBe(`"content";r=${29 - index}`)
        }
        const calls = times(99).map((id) => toolCall("search_everything", [], id + 1))
        const answer = yield* post([message("ping", {}, 0), ...calls], { from })
        expect([answer.status, spent(answer)]).toEqual([200, '"unified";r=0'])
        expect(answer.text.match(/Rate limit exceeded/g)).toHaveLength(89)
        const silent = times(30).map(() => message("tools/call", { name: "search_web" }, null))
        expect(spent(yield* post(silent, { from }))).toBe('"info";r=29')
      })
    )

    it.effect("a batch spends for each of its messages, and what is refused counts", () =>
      Effect.gen(function* () {
        const from = newClient()
        const batch = [toolCall("search_web", {}, 1), toolCall("search_news", {}, 2), toolCall("search_news", {}, 3)]
        expect(spent(yield* post(batch, { from }))).toBe('"search";r=27')
        expect(spent(yield* post([message("ping"), toolCall("nothing", {}, 2)], { from }))).toBe('"info";r=58')
        expect(spent(yield* postRaw("{", { from }))).toBe('"info";r=57')
        expect(spent(yield* postRaw(null, { from, method: "GET" }))).toBe('"info";r=56')
        expect(spent(yield* post(message("ping"), { from, headers: { Origin: "https://evil.example" } }))).toBe(
          '"info";r=55'
        )
        const modern = { "Mcp-Protocol-Version": "2026-07-28" }
        const refused = yield* post(toolCall("search_web", {}), { from, headers: modern })
        expect([refused.status, spent(refused)]).toEqual([400, '"info";r=54'])
      })
    )
  }
)
