import { expect, layer } from "@effect/vitest"
import { Clock, Effect, Fiber, Schema } from "effect"
import { EngineList } from "../../src/domain/Info.ts"
import { call, failed, found, outcomes, search, unanswered } from "../support/Client.ts"
import { only, serve, upstreamWeb } from "../support/Quarry.ts"
import { TestWeb } from "../support/TestWeb.ts"
import * as Behaviour from "../support/upstream/Behaviour.ts"
import { type Upstream } from "../support/upstream/sites.ts"

/** What a search for text says that each engine did. */
const asked = (q: string) => Effect.map(Effect.flatMap(search("/api/search/text", { q }), found), toldBy)

const toldBy = ({ sources }: Pick<Effect.Effect.Success<ReturnType<typeof found>>, "sources">) => outcomes(sources)

const restOf = (name: Upstream) =>
  call("/api/engines").pipe(
    Effect.flatMap(({ body }) => Effect.orDie(Schema.decodeUnknown(EngineList)(body))),
    Effect.map(({ engines }) => engines.find((engine) => engine.name === name)?.rest ?? null)
  )

const few = only("mojeek", "brave", "wikipedia", "duckduckgo", "openverse")

layer(upstreamWeb, { excludeTestServices: true, timeout: "30 seconds" })("an engine that rests", (it) => {
  it.effect("is not asked again, in any kind, and is listed as suspended with the reason", () =>
    Effect.gen(function* () {
      const web = yield* TestWeb
      yield* web.behaveAll(Behaviour.generated(20))
      yield* web.behave("brave", Behaviour.block)
      yield* web.forget
      expect(yield* asked("first bridge")).toMatchObject({ brave: "blocked", mojeek: "ok" })
      // Well again at once, which nobody can know.
      yield* web.behave("brave", Behaviour.generated(20))
      for (const q of ["second bridge", "third bridge"])
        expect(yield* asked(q)).toMatchObject({ brave: "suspended", mojeek: "ok" })
      const images = yield* Effect.flatMap(search("/api/search/images", { q: "pictures of bridges" }), found)
      expect(toldBy(images)).toMatchObject({ brave: "suspended", openverse: "ok" })
      expect(yield* web.requests("brave")).toHaveLength(1)

      const rest = yield* restOf("brave")
      expect(rest).toMatchObject({ reason: "blocked", level: 1 })
      // Three minutes, give or take a fifth.
      const length = Date.parse(rest?.until ?? "") - Date.parse(rest?.since ?? "")
      expect(Math.abs(length - 180_000)).toBeLessThanOrEqual(36_000)
    }).pipe(Effect.provide(serve(few)))
  )

  it.effect("is asked by its name all the same, at most once a minute", () =>
    Effect.gen(function* () {
      const web = yield* TestWeb
      yield* web.behaveAll(Behaviour.generated(20))
      yield* web.behave("brave", Behaviour.block)
      yield* web.forget
      const named = (q: string, backend = "brave") => search("/api/search/text", { q, backend })
      expect(yield* asked("first bridge")).toMatchObject({ brave: "blocked" })
      const insisting = yield* named("second bridge")
      expect([insisting.status, toldBy(yield* unanswered(insisting))]).toEqual([502, { brave: "blocked" }])
      const again = yield* named("third bridge")
      expect([again.status, (yield* failed(again)).error]).toEqual([502, "Search failed"])
      expect(toldBy(yield* unanswered(again))).toEqual({ brave: "suspended" })
      const beside = yield* Effect.flatMap(named("fourth bridge", "brave,mojeek"), found)
      expect(toldBy(beside)).toEqual({ brave: "suspended", mojeek: "ok" })
      expect(yield* web.requests("brave")).toHaveLength(2)
    }).pipe(Effect.provide(serve(few)))
  )

  it.effect("because it was asked to, is probed exactly once when that time is over, and is back after it", () =>
    Effect.gen(function* () {
      const web = yield* TestWeb
      yield* web.behaveAll(Behaviour.generated(20))
      yield* web.behave("brave", Behaviour.rateLimitedFor(1))
      yield* web.forget
      expect(yield* asked("first bridge")).toMatchObject({ brave: "rate_limited" })
      const rest = yield* restOf("brave")
      expect(rest).toMatchObject({ reason: "rate_limited" })
      const until = Date.parse(rest?.until ?? "")
      expect(until - Date.parse(rest?.since ?? "")).toBe(1_000)

      const { open, opened } = Behaviour.gate()
      yield* web.behave("brave", Behaviour.held(opened, Behaviour.generated(20)))
      yield* Effect.sleep(Math.max(0, until - (yield* Clock.currentTimeMillis)))
      const probing = yield* Effect.fork(asked("second bridge"))
      yield* web.arrived("brave", 2)
      for (const q of ["third bridge", "fourth bridge"]) expect(yield* asked(q)).toMatchObject({ brave: "suspended" })
      expect(yield* web.requests("brave")).toHaveLength(2)
      yield* open
      expect(yield* Fiber.join(probing)).toMatchObject({ brave: "ok" })
      expect(yield* asked("fifth bridge")).toMatchObject({ brave: "ok" })
      expect(yield* web.requests("brave")).toHaveLength(3)
      expect(yield* restOf("brave")).toBeNull()
    }).pipe(Effect.provide(serve({ ...few, SEARCH_TIMEOUT: "60" })))
  )
})
