import { expect, layer } from "@effect/vitest"
import { Effect } from "effect"
import { failed, found, outcomes, search, unanswered } from "../support/Client.ts"
import { only, serve, upstreamWeb } from "../support/Quarry.ts"
import { TestWeb } from "../support/TestWeb.ts"
import * as Behaviour from "../support/upstream/Behaviour.ts"

/** Engines of one kind each, so that what befalls one kind is nothing to another. */
const few = {
  SEARCH_TIMEOUT: "1.5",
  ...only("mojeek", "wikipedia", "openverse", "wikimedia", "dailymotion", "googlenews", "openlibrary", "gutendex")
}

layer(upstreamWeb, { excludeTestServices: true, timeout: "30 seconds" })("some engines failing", (it) => {
  it.effect("leaves the others, and both are told", () =>
    Effect.gen(function* () {
      const web = yield* TestWeb
      yield* web.behaveAll(Behaviour.generated(5))
      yield* web.behave("duckduckgo", Behaviour.block)
      yield* web.behave("wikipedia", Behaviour.hang)
      const answer = yield* search("/api/search/text", { q: "half a bridge" })
      const { results, sources } = yield* found(answer)
      expect(answer.status).toBe(200)
      expect(outcomes(sources)).toEqual({ duckduckgo: "blocked", mojeek: "ok", wikipedia: "timeout" })
      expect(results.map(({ engines: from }) => from)).toEqual(Array.from({ length: 5 }, () => ["mojeek"]))
    }).pipe(Effect.provide(serve({ ...few, ...only("duckduckgo", "mojeek", "wikipedia") })))
  )

  it.effect("is a success beside an empty answer, and a 502 where not all were late", () =>
    Effect.gen(function* () {
      const web = yield* TestWeb
      yield* web.behaveAll(Behaviour.hang)
      yield* web.behave("mojeek", Behaviour.empty)
      yield* web.behave("openlibrary", Behaviour.block)
      const text = yield* search("/api/search/text", { q: "nothing, slowly" })
      const nothing = yield* found(text)
      expect([text.status, nothing.results_count]).toEqual([200, 0])
      expect(outcomes(nothing.sources)).toEqual({ mojeek: "empty", wikipedia: "timeout" })
      const books = yield* search("/api/search/books", { q: "nothing, slowly" })
      expect([books.status, (yield* failed(books)).error]).toEqual([502, "Search failed"])
      expect(outcomes((yield* unanswered(books)).sources)).toEqual({ openlibrary: "blocked", gutendex: "timeout" })
    }).pipe(Effect.provide(serve(few)))
  )

  it.effect("of one kind never fails the unified search", () =>
    Effect.gen(function* () {
      const web = yield* TestWeb
      yield* web.behaveAll(Behaviour.generated(5))
      yield* web.behave("wikimedia", Behaviour.block)
      yield* web.behave("openverse", Behaviour.hang)
      const answer = yield* search("/api/search/all", { q: "all but pictures" })
      expect(answer.status).toBe(200)
      expect(answer.body).toMatchObject({
        success: true,
        sources: {
          text: { results_count: 5, error: null },
          images: {
            results_count: 0,
            error: { error: "Search failed", details: { sources: expect.any(Array) } },
            engines: expect.arrayContaining([
              expect.objectContaining({ engine: "wikimedia", outcome: "blocked" }),
              expect.objectContaining({ engine: "openverse", outcome: "timeout" })
            ])
          },
          videos: { error: null },
          news: { error: null },
          books: { error: null }
        }
      })
    }).pipe(Effect.provide(serve(few)))
  )

  it.effect("in all five kinds fails the unified search: too late where all were late", () =>
    Effect.gen(function* () {
      const web = yield* TestWeb
      yield* web.behaveAll(Behaviour.hang)
      const slow = yield* search("/api/search/all", { q: "all too slow" })
      expect([slow.status, (yield* failed(slow)).error]).toEqual([504, "Search timed out"])
    }).pipe(Effect.provide(serve(few)))
  )

  it.effect("in all five kinds fails the unified search: failed where one was something else", () =>
    Effect.gen(function* () {
      const web = yield* TestWeb
      yield* web.behaveAll(Behaviour.hang)
      yield* web.behave("gutendex", Behaviour.reset)
      const mixed = yield* search("/api/search/all", { q: "all broken" })
      expect([mixed.status, (yield* failed(mixed)).error]).toEqual([502, "Search failed"])
      expect((yield* failed(mixed)).details).toMatchObject({
        sources: { text: { error: { error: "Search timed out" } }, books: { error: { error: "Search failed" } } }
      })
    }).pipe(Effect.provide(serve(few)))
  )
})
