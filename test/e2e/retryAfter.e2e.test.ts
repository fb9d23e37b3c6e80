import { expect, layer } from "@effect/vitest"
import { Effect } from "effect"
import { isSlow } from "../support/Cases.ts"
import { type Answer, outcomes, search, unanswered } from "../support/Client.ts"
import { called, post, toolCall } from "../support/Posted.ts"
import { only, serve, upstreamWeb } from "../support/Quarry.ts"
import { connect } from "../support/RpcClient.ts"
import { TestWeb } from "../support/TestWeb.ts"
import * as Behaviour from "../support/upstream/Behaviour.ts"

const retryAfter = ({ headers }: Answer) => headers.get("retry-after")

const books = only("openlibrary", "gutendex")

layer(upstreamWeb, { excludeTestServices: true, timeout: "30 seconds" })("a failed search", (it) => {
  it.effect("says when to come back where engines rest: REST, unified, RPC and MCP", () =>
    Effect.gen(function* () {
      yield* Effect.flatMap(TestWeb, (web) => web.behaveAll(Behaviour.block))
      const first = yield* search("/api/search/books", { q: "bridges" })
      expect(outcomes((yield* unanswered(first)).sources)).toEqual({ openlibrary: "blocked", gutendex: "blocked" })
      // Three minutes, give or take a fifth.
      expect(Number(retryAfter(first))).toBeGreaterThanOrEqual(143)
      expect(Number(retryAfter(first))).toBeLessThanOrEqual(216)

      const before = Date.now()
      const second = yield* search("/api/search/books", { q: "more bridges" })
      const { sources } = yield* unanswered(second)
      expect(outcomes(sources)).toEqual({ openlibrary: "suspended", gutendex: "suspended" })
      const earliest = Math.min(...sources.map(({ until }) => Date.parse(until ?? "")))
      expect(Number(retryAfter(second))).toBeLessThanOrEqual(Math.ceil((earliest - before) / 1_000))
      expect(Number(retryAfter(second))).toBeGreaterThanOrEqual(Math.ceil((earliest - Date.now()) / 1_000))
      expect(sources.every(({ until = "" }) => /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(until))).toBe(true)

      const all = yield* search("/api/search/all", { q: "bridges of all kinds" })
      expect([all.status, retryAfter(all)]).toEqual([502, expect.stringMatching(/^[1-9]\d*$/)])
      const rpc = yield* connect()
      expect(yield* Effect.flip(rpc.books({ q: "bridges by call" }))).toMatchObject({
        _tag: "SearchFailed",
        retry_after: expect.any(Number)
      })
      const told = yield* Effect.flatMap(post(toolCall("search_books", { query: "bridges told" })), called)
      expect(told.advice).toMatch(/Try again in [1-9]\d* s;/)
    }).pipe(Effect.scoped, Effect.provide(serve(books)))
  )

  if (isSlow)
    it.effect("that was too slow says when to come back too", () =>
      Effect.gen(function* () {
        yield* Effect.flatMap(TestWeb, (web) => web.behaveAll(Behaviour.hang))
        const answer = yield* search("/api/search/books", { q: "slow bridges" })
        expect(answer.status).toBe(504)
        // Fifteen seconds, give or take a fifth.
        expect(Number(retryAfter(answer))).toBeGreaterThanOrEqual(11)
        expect(Number(retryAfter(answer))).toBeLessThanOrEqual(18)
      }).pipe(Effect.provide(serve({ ...books, SEARCH_TIMEOUT: "1.5" })))
    )

  it.effect("says nothing where no engine rests", () =>
    Effect.gen(function* () {
      yield* Effect.flatMap(TestWeb, (web) => web.behaveAll(Behaviour.status(404)))
      const answer = yield* search("/api/search/books", { q: "lost bridges" })
      expect([answer.status, retryAfter(answer)]).toEqual([502, null])
    }).pipe(Effect.provide(serve(books)))
  )
})
