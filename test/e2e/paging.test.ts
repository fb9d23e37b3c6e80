import { expect, layer } from "@effect/vitest"
import { Effect } from "effect"
import { searchKinds } from "../../src/domain/SearchKind.ts"
import { found, outcomes, search } from "../support/Client.ts"
import { quarry } from "../support/Quarry.ts"
import { TestWeb } from "../support/TestWeb.ts"
import * as Behaviour from "../support/upstream/Behaviour.ts"
import { everySource } from "../support/upstream/sites.ts"

const urlsOf = (kind: string, parameters: Readonly<Record<string, string | number>>) =>
  Effect.gen(function* () {
    const answer = yield* search(`/api/search/${kind}`, parameters)
    expect(answer.status, answer.text).toBe(200)
    const { results, results_count } = yield* found(answer)
    expect(results_count).toBe(results.length)
    return results.map(({ image, url }) => String(image ?? url))
  })

layer(quarry(), { excludeTestServices: true, timeout: "30 seconds" })("paging", (it) => {
  it.effect("a hundred results are a hundred, of every kind", () =>
    Effect.gen(function* () {
      yield* Effect.flatMap(TestWeb, (web) => web.behaveAll(Behaviour.generated(300)))
      for (const kind of searchKinds) {
        const urls = yield* urlsOf(kind, { q: "hundred bridges", max_results: 100 })
        expect([urls.length, new Set(urls).size], kind).toEqual([100, 100])
      }
    })
  )

  it.effect("pages put together are the one long page", () =>
    Effect.gen(function* () {
      yield* Effect.flatMap(TestWeb, (web) => web.behaveAll(Behaviour.generated(300)))
      for (const kind of searchKinds) {
        const pages = yield* Effect.forEach([1, 2, 3, 4, 5], (page) =>
          urlsOf(kind, { q: "ten bridges", max_results: 10, page })
        )
        expect(
          pages.map(({ length }) => length),
          kind
        ).toEqual([10, 10, 10, 10, 10])
        expect(new Set(pages.flat()).size, kind).toBe(50)
        expect(yield* urlsOf(kind, { q: "ten bridges", max_results: 50 }), kind).toEqual(pages.flat())
        expect(yield* urlsOf(kind, { q: "ten bridges", max_results: 10, page: 2 }), kind).toEqual(pages[1])
      }
    })
  )

  it.effect("each engine is paged as it pages itself, to its end", () =>
    Effect.gen(function* () {
      const web = yield* TestWeb
      for (const { engine, kind } of everySource) {
        yield* web.behaveAll(Behaviour.empty)
        yield* web.behave(engine, Behaviour.generated(47))
        const urls = yield* urlsOf(kind, { q: `bridges by ${engine}`, max_results: 100 })
        expect([urls.length, new Set(urls).size], engine).toEqual([47, 47])
        expect(yield* urlsOf(kind, { q: `bridges by ${engine}`, max_results: 40, page: 2 }), engine).toEqual(
          urls.slice(40)
        )
        expect(yield* urlsOf(kind, { q: `bridges by ${engine}`, max_results: 50, page: 2 }), engine).toEqual([])
      }
    })
  )

  it.effect("a later page can be asked for first", () =>
    Effect.gen(function* () {
      yield* Effect.flatMap(TestWeb, (web) => web.behaveAll(Behaviour.generated(300)))
      const third = yield* urlsOf("text", { q: "third bridge", max_results: 20, page: 3 })
      expect(third).toHaveLength(20)
      const first = yield* urlsOf("text", { q: "third bridge", max_results: 40 })
      expect(new Set([...first, ...third]).size).toBe(60)
    })
  )

  it.effect("the same page of two engines is one result that names both", () =>
    Effect.gen(function* () {
      const web = yield* TestWeb
      yield* web.behaveAll(Behaviour.empty)
      yield* web.behave("duckduckgo", Behaviour.generated(8, "shared"))
      yield* web.behave("mojeek", Behaviour.generated(8, "shared"))
      const { results, sources } = yield* Effect.flatMap(search("/api/search/text", { q: "one bridge" }), found)
      expect(results.map(({ engines }) => engines.toSorted())).toEqual(
        Array.from({ length: 8 }, () => ["duckduckgo", "mojeek"])
      )
      expect(results.map(({ title }) => title)).toEqual(
        Array.from({ length: 8 }, (_, index) => `one bridge shared ${index + 1}`)
      )
      expect(outcomes(sources)).toEqual({ duckduckgo: "ok", mojeek: "ok", wikipedia: "empty" })
    })
  )

  it.effect("an answer that was good is given again without asking", () =>
    Effect.gen(function* () {
      const web = yield* TestWeb
      yield* web.behaveAll(Behaviour.generated(30))
      const first = yield* search("/api/search/books", { q: "kept bridge" })
      yield* web.forget
      const again = yield* search("/api/search/books", { q: "kept bridge" })
      expect(yield* web.requests()).toEqual([])
      expect((yield* found(again)).results).toEqual((yield* found(first)).results)
      expect([first.body, again.body]).toMatchObject([{ cached: false }, { cached: true }])
    })
  )

  it.effect("who asks the same at the same time shares one asking", () =>
    Effect.gen(function* () {
      const web = yield* TestWeb
      yield* web.behaveAll(Behaviour.generated(30))
      yield* web.forget
      const answers = yield* Effect.all(
        Array.from({ length: 10 }, () => search("/api/search/books", { q: "shared bridge" })),
        { concurrency: "unbounded" }
      )
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
      expect(yield* web.requests("openlibrary")).toHaveLength(1)
    })
  )

  it.effect("the unified search gives as many of each kind as asked, in order", () =>
    Effect.gen(function* () {
      yield* Effect.flatMap(TestWeb, (web) => web.behaveAll(Behaviour.generated(60)))
      const { body } = yield* search("/api/search/all", { q: "all bridges", max_results_per_type: 3 })
      const times = (type: string) => Array.from({ length: 3 }, () => expect.objectContaining({ type }))
      expect(body).toMatchObject({
        success: true,
        query: "all bridges",
        results_count: 15,
        results: [...times("text"), ...times("image"), ...times("video"), ...times("news"), ...times("book")],
        sources: Object.fromEntries(
          searchKinds.map((kind) => [kind, expect.objectContaining({ results_count: 3, error: null })])
        )
      })
    })
  )
})
