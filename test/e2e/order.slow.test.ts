import { expect, layer } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { searchKinds } from "../../src/domain/SearchKind.ts"
import { type Answer, found, outcomes, search } from "../support/Client.ts"
import { only, serve, upstreamWeb } from "../support/Quarry.ts"
import { TestWeb } from "../support/TestWeb.ts"
import * as Behaviour from "../support/upstream/Behaviour.ts"

const query = { q: "orderly bridges", max_results: 30 }

/** What has to be the same whenever the engines answer the same. */
const lasting = (answer: Answer) =>
  Effect.map(found(answer), ({ results, results_count, sources }) => ({
    results_count,
    // Ages are told against the clock.
    results: results.map(({ date: _date, published: _published, ...item }) => item),
    sources: sources.map(({ engine, outcome, results_count }) => ({ engine, outcome, results_count }))
  }))

const everyKind = Effect.forEach(searchKinds, (kind) => Effect.flatMap(search(`/api/search/${kind}`, query), lasting))

/** As many that list the same things as list their own. */
const answering = Effect.gen(function* () {
  const web = yield* TestWeb
  yield* web.behaveAll(Behaviour.generated(40))
  for (const engine of ["marginalia", "mojeek", "duckduckgo", "gutendex", "openlibrary"] as const)
    yield* web.behave(engine, Behaviour.generated(40, "shared"))
  return web
})

layer(upstreamWeb, { excludeTestServices: true, timeout: "30 seconds" })("the order", (it) => {
  it.effect("is the same for the same query, at whichever server", () =>
    Effect.gen(function* () {
      yield* answering
      const one = yield* Effect.provide(everyKind, serve())
      const other = yield* Effect.provide(everyKind, serve())
      expect(one.map(({ results_count }) => results_count)).toEqual([30, 30, 30, 30, 30])
      expect(other).toEqual(one)
    })
  )

  it.effect("does not depend on who answers first", () =>
    Effect.gen(function* () {
      const web = yield* answering
      const names = ["marginalia", "mwmbl", "mojeek", "brave"] as const
      const text = Effect.flatMap(search("/api/search/text", query), lasting)
      const inTurn = yield* Effect.provide(text, serve(only(...names)))
      yield* web.forget
      const { open, opened } = Behaviour.gate()
      yield* web.behave("marginalia", Behaviour.held(opened, Behaviour.generated(40, "shared")))
      const last = yield* Effect.gen(function* () {
        const searching = yield* Effect.fork(text)
        for (const name of ["mwmbl", "mojeek", "brave"] as const) {
          yield* web.arrived(name, 1)
          yield* Effect.forEach(yield* web.requests(name), ({ over }) => over)
        }
        yield* open
        return yield* Fiber.join(searching)
      }).pipe(Effect.provide(serve({ SEARCH_TIMEOUT: "60", ...only(...names) })))
      expect(last).toEqual(inTurn)
    })
  )

  it.effect("puts first what two engines found, and names both", () =>
    Effect.gen(function* () {
      const web = yield* TestWeb
      yield* web.behaveAll(Behaviour.empty)
      yield* web.behave("marginalia", Behaviour.generated(4))
      yield* web.behave("brave", Behaviour.generated(8, "shared"))
      yield* web.behave("mojeek", Behaviour.generated(8, "shared"))
      const { results, sources } = yield* Effect.flatMap(
        search("/api/search/text", { q: "one bridge", max_results: 12 }),
        found
      )
      const shared = results.slice(0, 8)
      expect(shared.map(({ engines }) => engines.toSorted())).toEqual(
        Array.from({ length: 8 }, () => ["brave", "mojeek"])
      )
      expect(shared.map(({ title }) => title)).toEqual(
        Array.from({ length: 8 }, (_, index) => `one bridge shared ${index + 1}`)
      )
      expect(results.slice(8).map(({ engines }) => engines)).toEqual(Array.from({ length: 4 }, () => ["marginalia"]))
      expect(outcomes(sources)).toEqual({ marginalia: "ok", mojeek: "ok", brave: "ok" })
    }).pipe(Effect.provide(serve(only("marginalia", "mojeek", "brave"))))
  )
})
