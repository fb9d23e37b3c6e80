import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Ref, TestClock } from "effect"
import { type QueryOf } from "../../../src/domain/Query.ts"
import { Search } from "../../../src/services/search/Search.ts"
import { type Player, searchOver } from "../../support/Engines.ts"

const query = (changes: Partial<QueryOf["text"]> = {}): QueryOf["text"] => ({
  q: "needle",
  region: "us-en",
  safesearch: "moderate",
  max_results: 10,
  page: 1,
  backend: "auto",
  ...changes
})

const numbered = (prefix: string, from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => `${prefix}${from + index}`)

/** Ten results a page, five pages. */
const paged = (name: string): Player => ({
  name,
  pages: 5,
  play: (page) => numbered(name, (page - 1) * 10 + 1, page * 10)
})

const withSearch = <A, E>(
  players: ReadonlyArray<Player>,
  use: (search: Search["Type"], asked: Ref.Ref<ReadonlyArray<string>>) => Effect.Effect<A, E>,
  settings: Readonly<Record<string, string>> = {}
) =>
  Effect.gen(function* () {
    const asked = yield* Ref.make<ReadonlyArray<string>>([])
    return yield* Effect.flatMap(Search, (search) => use(search, asked)).pipe(
      Effect.provide(searchOver(players, asked, settings))
    )
  })

const titles = (answer: { readonly results: ReadonlyArray<{ readonly title: string }> }) =>
  answer.results.map(({ title }) => title)

const outcomes = (answer: { readonly sources: ReadonlyArray<{ readonly engine: string; readonly outcome: string }> }) =>
  Object.fromEntries(answer.sources.map(({ engine, outcome }) => [engine, outcome]))

describe("Search", () => {
  it.effect("fuses what the engines give and says what each did", () =>
    withSearch(
      [
        { name: "one", play: () => ["a", "b"] },
        { name: "two", play: () => ["b", "c"] },
        { name: "none", play: () => "empty" },
        { name: "wall", play: () => "blocked" }
      ],
      (search) =>
        Effect.gen(function* () {
          const answer = yield* search.run("text", query())
          assert.deepStrictEqual(titles(answer), ["b", "a", "c"])
          assert.deepStrictEqual(answer.results[0]?.engines, ["two", "one"])
          assert.deepStrictEqual(outcomes(answer), { one: "ok", two: "ok", none: "empty", wall: "blocked" })
          assert.deepInclude(answer, { success: true, query: "needle", results_count: 3, page: 1, cached: false })
        })
    )
  )

  it.effect("an empty answer is a success, a block alone is not", () =>
    Effect.gen(function* () {
      const nothing = yield* withSearch([{ name: "none", play: () => "empty" }], (search) =>
        search.run("text", query())
      )
      assert.strictEqual(nothing.results_count, 0)
      const blocked = yield* withSearch([{ name: "wall", play: () => "blocked" }], (search) =>
        Effect.flip(search.run("text", query()))
      )
      assert.strictEqual(blocked._tag, "SearchFailed")
    })
  )

  it.effect("gives what has come when half the time is up, with the late ones as timeout", () =>
    withSearch(
      [
        { name: "quick", play: () => ["a"], delay: 50 },
        { name: "late", play: () => "hang" }
      ],
      (search) =>
        Effect.gen(function* () {
          const fiber = yield* Effect.fork(search.run("text", query()))
          yield* TestClock.adjust("2 seconds")
          const answer = yield* Fiber.join(fiber)
          assert.deepStrictEqual(titles(answer), ["a"])
          assert.deepStrictEqual(outcomes(answer), { quick: "ok", late: "timeout" })
          assert.strictEqual(answer.took_ms, 1_000)
        }),
      { SEARCH_TIMEOUT: "2" }
    )
  )

  it.effect("is timed out only when all were", () =>
    Effect.gen(function* () {
      const run = (players: ReadonlyArray<Player>) =>
        withSearch(players, (search) =>
          Effect.gen(function* () {
            const fiber = yield* Effect.fork(Effect.flip(search.run("text", query())))
            yield* TestClock.adjust("10 seconds")
            return (yield* Fiber.join(fiber))._tag
          })
        )
      assert.strictEqual(yield* run([{ name: "late", play: () => "hang" }]), "SearchTimedOut")
      assert.strictEqual(
        yield* run([
          { name: "late", play: () => "hang" },
          { name: "wall", play: () => "blocked" }
        ]),
        "SearchFailed"
      )
    })
  )

  it.effect("pages on: disjoint pages, nothing asked twice", () =>
    withSearch([paged("one"), paged("two")], (search, asked) =>
      Effect.gen(function* () {
        const pages = yield* Effect.forEach([1, 2, 3, 4], (page) =>
          search.run("text", query({ page, max_results: 15 }))
        )
        const all = pages.flatMap(titles)
        assert.strictEqual(all.length, 60)
        assert.strictEqual(new Set(all).size, 60)
        assert.deepStrictEqual(yield* Ref.get(asked), ["one:1", "two:1", "one:2", "two:2", "one:3", "two:3"])
      })
    )
  )

  it.effect("fills a large window in one request", () =>
    withSearch([paged("one"), paged("two")], (search) =>
      Effect.gen(function* () {
        const answer = yield* search.run("text", query({ max_results: 100 }))
        assert.strictEqual(new Set(titles(answer)).size, 100)
        const beyond = yield* search.run("text", query({ max_results: 100, page: 2 }))
        assert.deepInclude(beyond, { results_count: 0, success: true })
      })
    )
  )

  it.effect("does not let an engine that hangs keep the others from filling the window", () =>
    withSearch([paged("one"), { name: "stuck", play: () => "hang" }, paged("two")], (search, asked) =>
      Effect.gen(function* () {
        const fiber = yield* Effect.fork(search.run("text", query({ max_results: 100 })))
        yield* TestClock.adjust("2500 millis")
        const answer = yield* Fiber.join(fiber)
        assert.strictEqual(new Set(titles(answer)).size, 100)
        assert.deepStrictEqual(outcomes(answer), { one: "ok", stuck: "timeout", two: "ok" })
        assert.strictEqual(answer.took_ms, 1_250)
        assert.strictEqual((yield* Ref.get(asked)).filter((name) => name === "stuck:1").length, 1)
      })
    )
  )

  it.effect("takes in what a slow engine says while the others are read on", () =>
    withSearch(
      [
        { ...paged("quick"), delay: 100 },
        { name: "slow", play: () => ["s1"], delay: 2_600 },
        { ...paged("steady"), delay: 700 }
      ],
      (search) =>
        Effect.gen(function* () {
          const fiber = yield* Effect.fork(search.run("text", query({ max_results: 60 })))
          yield* TestClock.adjust("10 seconds")
          const answer = yield* Fiber.join(fiber)
          assert.deepStrictEqual(outcomes(answer), { quick: "ok", slow: "ok", steady: "ok" })
          assert.include(titles(answer), "s1")
          assert.strictEqual(answer.results_count, 60)
        })
    )
  )

  it.effect("keeps pages disjoint when an engine recovers in between", () => {
    let calls = 0
    const moody: Player = {
      name: "moody",
      pages: 2,
      play: (page) => (calls++ === 0 ? "blocked" : [`m${page}`, "one1"])
    }
    return withSearch([paged("one"), moody], (search) =>
      Effect.gen(function* () {
        const first = yield* search.run("text", query())
        yield* TestClock.adjust("30 seconds")
        const second = yield* search.run("text", query({ page: 2 }))
        assert.deepStrictEqual(titles(first), numbered("one", 1, 10))
        assert.notIncludeMembers(titles(second), titles(first))
        assert.include(titles(second), "m1")
        assert.deepStrictEqual(outcomes(second), { one: "ok", moody: "ok" })
      })
    )
  })

  it.effect("gives a good answer again for CACHE_TTL, and asks afresh after it", () =>
    withSearch(
      [paged("one")],
      (search, asked) =>
        Effect.gen(function* () {
          assert.isFalse((yield* search.run("text", query())).cached)
          yield* TestClock.adjust("59 seconds")
          assert.isTrue((yield* search.run("text", query())).cached)
          assert.strictEqual((yield* Ref.get(asked)).length, 1)
          yield* TestClock.adjust("2 seconds")
          assert.isFalse((yield* search.run("text", query())).cached)
          assert.strictEqual((yield* Ref.get(asked)).length, 2)
        }),
      { CACHE_TTL: "60" }
    )
  )

  it.effect("keeps no answer with CACHE_TTL=0, and none that an engine failed in", () =>
    Effect.gen(function* () {
      const twice = (players: ReadonlyArray<Player>, settings: Readonly<Record<string, string>>) =>
        withSearch(
          players,
          (search) =>
            search
              .run("text", query())
              .pipe(
                Effect.zipRight(TestClock.adjust("10 seconds")),
                Effect.zipRight(Effect.map(search.run("text", query()), ({ cached }) => cached))
              ),
          settings
        )
      assert.isFalse(yield* twice([paged("one")], { CACHE_TTL: "0" }))
      assert.isFalse(yield* twice([paged("one"), { name: "wall", play: () => "blocked" }], {}))
      assert.isTrue(yield* twice([paged("one"), { name: "busy", play: () => "paced" }], {}))
    })
  )

  it.effect("asks once for what several want at the same time", () =>
    withSearch([{ name: "slow", play: () => ["a"], delay: 500 }], (search, asked) =>
      Effect.gen(function* () {
        const fiber = yield* Effect.fork(
          Effect.all(
            [1, 2, 3].map(() => search.run("text", query())),
            { concurrency: "unbounded" }
          )
        )
        yield* TestClock.adjust("1 seconds")
        const answers = yield* Fiber.join(fiber)
        assert.deepStrictEqual(answers.map(titles), [["a"], ["a"], ["a"]])
        assert.deepStrictEqual(yield* Ref.get(asked), ["slow:1"])
      })
    )
  )

  it.effect("under auto prefers engines that honour the filters; named ones are asked all the same", () =>
    withSearch(
      [
        { name: "able", play: () => ["a"], honours: ["timelimit"] },
        { name: "unable", play: () => ["b"] }
      ],
      (search) =>
        Effect.gen(function* () {
          const preferred = yield* search.run("text", query({ timelimit: "w" }))
          assert.deepStrictEqual(outcomes(preferred), { able: "ok", unable: "unsupported" })
          const named = yield* search.run("text", query({ timelimit: "w", backend: "unable" }))
          assert.deepStrictEqual(outcomes(named), { unable: "ok" })
        })
    )
  )

  it.effect("refuses engines that are not there", () =>
    withSearch([paged("one")], (search) =>
      Effect.gen(function* () {
        const refused = yield* Effect.flip(search.run("text", query({ backend: "one,altavista" })))
        assert.strictEqual(refused._tag, "InvalidParameters")
        assert.deepInclude(search.backendProblems("text", "altavista")[0], {
          field: "backend",
          allowed: ["auto", "one"]
        })
        assert.deepStrictEqual(search.backendProblems("text", "one"), [])
      })
    )
  )

  it.effect("unified: one kind failing never fails the rest", () =>
    withSearch([paged("one")], (search) =>
      Effect.gen(function* () {
        const answer = yield* search.all({
          q: "needle",
          region: "us-en",
          safesearch: "moderate",
          max_results_per_type: 3
        })
        assert.deepStrictEqual(
          answer.results.map(({ title, type }) => `${type} ${title}`),
          ["text one1", "text one2", "text one3"]
        )
        assert.isNull(answer.sources.text.error)
        assert.strictEqual(answer.sources.books.error?.error, "Search failed")
        assert.strictEqual(answer.sources.text.engines[0]?.outcome, "ok")
      })
    )
  )
})
