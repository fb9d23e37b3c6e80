import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Ref, TestClock } from "effect"
import { sample } from "../../support/Cases.ts"
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

const ten = (name: string) => Array.from({ length: 10 }, (_, index) => `${name}${index + 1}`)

const api = (name: string, given: Partial<Player> = {}): Player => ({ name, play: () => ten(name), ...given })
const page = (name: string, given: Partial<Player> = {}): Player => api(name, { access: "page", ...given })

/** A search, given all the time it has, and who was asked for which page in which order. */
const searched = (players: ReadonlyArray<Player>, changes: Partial<QueryOf["text"]> = {}) =>
  Effect.gen(function* () {
    const asked = yield* Ref.make<ReadonlyArray<string>>([])
    const answer = yield* Effect.gen(function* () {
      const { run } = yield* Search
      const fiber = yield* Effect.fork(run("text", query(changes)))
      yield* TestClock.adjust("10 seconds")
      return yield* Fiber.join(fiber)
    }).pipe(Effect.provide(searchOver(players, asked)))
    return {
      asked: yield* Ref.get(asked),
      titles: answer.results.map(({ title }) => title),
      outcomes: Object.fromEntries(answer.sources.map(({ engine, outcome }) => [engine, outcome])),
      tookMs: answer.took_ms
    }
  })

const many = [api("a1"), api("a2"), api("a3"), api("a4"), page("p1"), page("p2"), page("p3")]

const blocked: Partial<Player> = { play: () => "blocked" }
const hanging: Partial<Player> = { play: () => "hang" }

describe("asking under auto", () => {
  it.effect("asks three sources made for programs and two pages, no more when they fill the window", () =>
    Effect.gen(function* () {
      const { asked, outcomes } = yield* searched(many)
      assert.deepStrictEqual(asked, ["a1:1", "a2:1", "a3:1", "p1:1", "p2:1"])
      assert.deepStrictEqual(Object.keys(outcomes), ["a1", "a2", "a3", "p1", "p2"])
    })
  )

  it.effect("asks in the place of one that fails the next of its sort, then the next of all", () =>
    Effect.gen(function* () {
      const { asked, outcomes } = yield* searched([
        ...many.filter(({ name }) => !["p1", "p3", "a2", "a4"].includes(name)),
        page("p4", blocked),
        page("p5", blocked),
        api("a5", blocked)
      ])
      assert.deepStrictEqual(asked, ["a1:1", "a3:1", "a5:1", "p2:1", "p4:1", "p5:1"])
      assert.deepStrictEqual(outcomes, { a1: "ok", a3: "ok", a5: "blocked", p2: "ok", p4: "blocked", p5: "blocked" })
    })
  )

  it.effect("asks everybody before it gives up", () =>
    Effect.gen(function* () {
      const players = many.map((one) => ({
        ...one,
        play: () => (one.name === "p3" ? ["found"] : ("blocked" as const))
      }))
      const { asked, outcomes, titles } = yield* searched(players)
      assert.deepStrictEqual(titles, ["found"])
      assert.strictEqual(new Set(asked).size, asked.length)
      assert.strictEqual(Object.values(outcomes).filter((outcome) => outcome === "blocked").length, 6)
    })
  )

  it.effect("hedges one that dawdles, and waits for nobody once patience is over", () =>
    Effect.gen(function* () {
      const players = [page("p1", hanging), page("p2", { delay: 300 }), page("p3", { delay: 300 })]
      const { asked, outcomes, tookMs } = yield* searched(players)
      assert.deepStrictEqual(asked, ["p1:1", "p2:1", "p3:1"])
      assert.deepStrictEqual(outcomes, { p1: "timeout", p2: "ok", p3: "ok" })
      assert.strictEqual(tookMs, 2_500)
    })
  )

  it.effect("answers with any two of a kind blocked, hanging or silent", () =>
    Effect.gen(function* () {
      for (const fault of sample([hanging, blocked, { play: () => "layout_changed" as const }])) {
        for (let one = 0; one < many.length; one += 1) {
          for (let other = one + 1; other < many.length; other += 1) {
            const players = many.map((player, at) => (at === one || at === other ? { ...player, ...fault } : player))
            const { outcomes, titles, tookMs } = yield* searched(players)
            assert.strictEqual(titles.length, 10)
            assert.isAtMost(tookMs, 3_750)
            for (const bad of [one, other]) assert.notStrictEqual(outcomes[many[bad]?.name ?? ""], "ok")
          }
        }
      }
    })
  )

  it.effect("passes over those that rest, and says so", () =>
    Effect.gen(function* () {
      const { asked, outcomes } = yield* searched([api("a1", { rests: true }), api("a2"), page("p1", { rests: true })])
      assert.deepStrictEqual(asked, ["a2:1"])
      assert.deepStrictEqual(outcomes, { a1: "suspended", a2: "ok", p1: "suspended" })
    })
  )

  it.effect("reads on where there is more, and brings others in when that is not enough", () =>
    Effect.gen(function* () {
      const { asked, titles } = yield* searched(
        [api("a1", { pages: 2, play: (at) => ten(`a1-${at}-`) }), api("a2"), api("a3"), api("a4")],
        { max_results: 50 }
      )
      assert.strictEqual(new Set(titles).size, 50)
      assert.deepStrictEqual(asked, ["a1:1", "a2:1", "a3:1", "a1:2", "a4:1"])
    })
  )

  it.effect("gives the same order whoever answers first", () =>
    Effect.gen(function* () {
      const orders = yield* Effect.forEach([0, 1, 2, 3, 4], (first) =>
        Effect.map(
          searched(many.slice(0, 5).map((one, at) => ({ ...one, delay: ((at + first) % 5) * 10 }))),
          ({ titles }) => titles.join()
        )
      )
      assert.strictEqual(new Set(orders).size, 1)
    })
  )

  it.effect("calls an answer without any word of the query irrelevant where an engine is known to poison", () =>
    Effect.gen(function* () {
      const poisoned = page("p1", { poisons: true, delay: 10 })
      const { asked, outcomes, titles } = yield* searched([poisoned, page("p2"), page("p3")])
      assert.deepStrictEqual(outcomes, { p1: "irrelevant", p2: "ok", p3: "ok" })
      assert.notIncludeMembers(titles, ten("p1"))
      assert.deepStrictEqual(asked, ["p1:1", "p2:1", "p1 distrusted", "p3:1"])

      const fitting = yield* searched([{ ...poisoned, body: "Needles and pins" }])
      assert.deepStrictEqual(fitting.outcomes, { p1: "ok" })
      const named = yield* searched([poisoned, page("p2")], { backend: "p1" })
      assert.deepStrictEqual(named.outcomes, { p1: "ok" })
    })
  )

  it.effect("puts what is plainly of another language behind the rest", () =>
    Effect.gen(function* () {
      const body = "Купить велосипед в Москве недорого с доставкой по всей России, отзывы покупателей."
      const { titles } = yield* searched([api("ru", { body, play: () => ["r1", "r2"] }), api("own", { weight: 0.5 })], {
        max_results: 20
      })
      assert.deepStrictEqual(titles, [...ten("own"), "r1", "r2"])
    })
  )
})

describe("asking whom the user named", () => {
  it.effect("asks them all, resting or not, and nobody else", () =>
    Effect.gen(function* () {
      const players = many.map((one) => ({ ...one, rests: true }))
      const { asked, outcomes } = yield* searched(players, { backend: "a1,a2,a3,a4,p1,p2" })
      assert.deepStrictEqual(asked, ["a1:1", "a2:1", "a3:1", "a4:1", "p1:1", "p2:1"])
      assert.deepStrictEqual(new Set(Object.values(outcomes)), new Set(["ok"]))
    })
  )

  it.effect("asks one that fails once", () =>
    Effect.gen(function* () {
      const { asked, outcomes } = yield* searched([page("p1", { play: () => "layout_changed" }), page("p2")], {
        backend: "p1,p2"
      })
      assert.deepStrictEqual(asked, ["p1:1", "p2:1"])
      assert.deepStrictEqual(outcomes, { p1: "layout_changed", p2: "ok" })
    })
  )
})

describe("waiting for who is late", () => {
  const nothing: Partial<Player> = { play: () => "empty" }

  it.effect("asks those in reserve while one hangs and the others have nothing", () =>
    Effect.gen(function* () {
      const players = [
        api("a1", nothing),
        api("a2", hanging),
        api("a3", nothing),
        page("p1", nothing),
        page("p2", nothing)
      ]
      const { outcomes, titles, tookMs } = yield* searched([
        ...players,
        api("a4", { play: () => ["a4"] }),
        page("p3", { play: () => ["p3"] })
      ])
      assert.sameMembers(titles, ["a4", "p3"])
      assert.deepInclude(outcomes, { a2: "timeout", a4: "ok", p3: "ok" })
      assert.isAtMost(tookMs, 5_000)
    })
  )

  it.effect("gives up after half the time where nobody else has what is missing", () =>
    Effect.gen(function* () {
      const { titles, tookMs } = yield* searched([api("a1", { play: () => ["one"] }), api("a2", hanging)])
      assert.deepStrictEqual(titles, ["one"])
      assert.strictEqual(tookMs, 5_000)
    })
  )

  it.effect("waits for all of a slow web, not for its first answer alone", () =>
    Effect.gen(function* () {
      const slow = many.map((one, at) => ({ ...one, delay: 2_600 + at * 50 }))
      const { outcomes } = yield* searched(slow)
      for (const name of ["a1", "a2", "a3", "p1", "p2"]) assert.strictEqual(outcomes[name], "ok", name)
    })
  )

  it.effect("lets no hung engine that was named keep another one from being asked", () =>
    Effect.gen(function* () {
      const players = Array.from({ length: 12 }, (_, at) => page(`p${at}`, at < 11 ? hanging : {}))
      const { outcomes, titles } = yield* searched(players, { backend: players.map(({ name }) => name).join() })
      assert.strictEqual(outcomes["p11"], "ok")
      assert.strictEqual(titles.length, 10)
    })
  )

  it.effect("waits for the deadline where nobody answers at all", () =>
    Effect.gen(function* () {
      const { titles, tookMs } = yield* searched([api("a1", { delay: 9_000 }), api("a2", hanging)])
      assert.strictEqual(titles.length, 10)
      assert.strictEqual(tookMs, 9_625)
    })
  )
})
