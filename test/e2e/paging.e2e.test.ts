import { expect, layer } from "@effect/vitest"
import { Effect } from "effect"
import { type SearchKind, searchKinds } from "../../src/domain/SearchKind.ts"
import { found, search } from "../support/Client.ts"
import { isSlow, sample } from "../support/Cases.ts"
import { only, quarry, serve, upstreamWeb } from "../support/Quarry.ts"
import { type Recorded, TestWeb } from "../support/TestWeb.ts"
import * as Behaviour from "../support/upstream/Behaviour.ts"
import { everySource, type Upstream } from "../support/upstream/sites.ts"

const urlsOf = (kind: string, parameters: Readonly<Record<string, string | number>>) =>
  Effect.gen(function* () {
    const answer = yield* search(`/api/search/${kind}`, parameters)
    expect(answer.status, answer.text).toBe(200)
    const { results, results_count } = yield* found(answer)
    expect(results_count).toBe(results.length)
    return results.map(({ image, url }) => String(image ?? url))
  })

const pages = (kind: string, parameters: Readonly<Record<string, string | number>>) =>
  Effect.forEach([1, 2, 3, 4, 5], (page) => urlsOf(kind, { ...parameters, page }))

const spelt = ({ body, method, url }: Recorded) => `${method} ${url.href} ${body}`

layer(upstreamWeb, { excludeTestServices: true, timeout: "30 seconds" })("paging", (it) => {
  if (isSlow)
    it.effect("a hundred results are a hundred, of every kind", () =>
      Effect.gen(function* () {
        yield* Effect.flatMap(TestWeb, (web) => web.behaveAll(Behaviour.generated(300)))
        for (const kind of searchKinds) {
          const urls = yield* urlsOf(kind, { q: "hundred bridges", max_results: 100 })
          expect([urls.length, new Set(urls).size], kind).toEqual([100, 100])
        }
      }).pipe(Effect.provide(serve()))
    )

  it.effect("pages put together are the one long page", () =>
    Effect.gen(function* () {
      yield* Effect.flatMap(TestWeb, (web) => web.behaveAll(Behaviour.generated(300)))
      for (const kind of searchKinds) {
        const five = yield* pages(kind, { q: "ten bridges", max_results: 10 })
        expect(
          five.map(({ length }) => length),
          kind
        ).toEqual([10, 10, 10, 10, 10])
        expect(new Set(five.flat()).size, kind).toBe(50)
        expect(yield* urlsOf(kind, { q: "ten bridges", max_results: 50 }), kind).toEqual(five.flat())
        expect(yield* urlsOf(kind, { q: "ten bridges", max_results: 10, page: 2 }), kind).toEqual(five[1])
      }
    }).pipe(Effect.provide(serve()))
  )

  it.effect("what was fetched for one page is not fetched again for another", () =>
    Effect.gen(function* () {
      const web = yield* TestWeb
      yield* web.behaveAll(Behaviour.generated(300))
      for (const kind of searchKinds) {
        yield* web.forget
        const five = yield* pages(kind, { q: "bridges asked for once", max_results: 20 })
        expect(new Set(five.flat()).size, kind).toBe(100)
        const asked = (yield* web.requests()).map(spelt)
        expect(asked.length, kind).toBeGreaterThan(1)
        expect(asked.length, kind).toBe(new Set(asked).size)
        expect(yield* pages(kind, { q: "bridges asked for once", max_results: 20 }), kind).toEqual(five)
        expect((yield* web.requests()).length, kind).toBe(asked.length)
      }
    }).pipe(Effect.provide(serve()))
  )

  it.effect("a later page can be asked for first", () =>
    Effect.gen(function* () {
      yield* Effect.flatMap(TestWeb, (web) => web.behaveAll(Behaviour.generated(300)))
      const third = yield* urlsOf("text", { q: "third bridge", max_results: 20, page: 3 })
      expect(third).toHaveLength(20)
      const first = yield* urlsOf("text", { q: "third bridge", max_results: 40 })
      expect(new Set([...first, ...third]).size).toBe(60)
    }).pipe(Effect.provide(serve()))
  )
})

/** Several pages of an engine whose pages hold ten to thirty-five results; its pace allows no more at once. */
const usual = 47

/** Of those with longer pages. */
const long: ReadonlySet<Upstream> = new Set([
  "wikipedia",
  "hackernews",
  "stackexchange",
  "github",
  "marginalia",
  "openverse",
  "wikimedia",
  "dailymotion",
  "sepiasearch",
  "archive",
  "openlibrary",
  "gutendex",
  "googlebooks"
])

const totalOf = (engine: Upstream, kind: SearchKind): number => {
  // Four pages at once are more than it likes; its news have one page.
  if (engine === "startpage" || (engine === "brave" && kind === "news")) return 27
  return long.has(engine) ? 120 : usual
}

/** Reads all that an engine has of a query, forty results at a time. */
const expectWhole = (engine: Upstream, kind: SearchKind, parameters: Readonly<Record<string, string>>) =>
  Effect.gen(function* () {
    const total = totalOf(engine, kind)
    yield* Effect.flatMap(TestWeb, (web) => web.behave(engine, Behaviour.generated(total)))
    const query = { q: `bridges by ${engine}`, max_results: 40, ...parameters }
    const parts = yield* Effect.forEach([1, 2, 3, 4], (page) => urlsOf(kind, { ...query, page }))
    const label = `${engine} ${kind}`
    expect(
      parts.map(({ length }) => length),
      label
    ).toEqual([0, 40, 80, 120].map((from) => Math.max(0, Math.min(40, total - from))))
    expect(new Set(parts.flat()).size, label).toBe(total)
  })

layer(upstreamWeb, { excludeTestServices: true, timeout: "30 seconds" })(
  "each engine is paged as it pages itself, to its end:",
  (it) => {
    for (const kind of sample(["books", "text"] as const)) {
      it.effect(`those of ${kind}, by their names`, () =>
        Effect.forEach(
          everySource.filter((source) => source.kind === kind),
          ({ engine }) => expectWhole(engine, kind, { backend: engine })
        ).pipe(Effect.provide(serve()))
      )
    }

    const others = everySource.filter(({ kind }) => kind !== "text" && kind !== "books")
    for (const { engine, kind } of sample(others)) {
      it.effect(`${engine} ${kind}`, () => expectWhole(engine, kind, {}).pipe(Effect.provide(serve(only(engine)))))
    }
  }
)

layer(quarry(), { excludeTestServices: true, timeout: "30 seconds" })("asking once", (it) => {
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
