import { assert, it } from "@effect/vitest"
import { Effect, Layer, TestClock } from "effect"
import { type SearchKind, searchKinds } from "../../../src/domain/SearchKind.ts"
import { EngineClient } from "../../../src/services/engine/runtime/client/EngineClient.ts"
import { EngineHealth } from "../../../src/services/engine/runtime/health/EngineHealth.ts"
import { EnginePages } from "../../../src/services/engine/runtime/EnginePages.ts"
import { Engines } from "../../../src/services/engine/Engines.ts"
import { empty, type Engine, type Source } from "../../../src/services/engine/Engine.ts"
import { Health } from "../../../src/services/health/Health.ts"
import { testSettings } from "../../support/Settings.ts"

const source = <K extends SearchKind>(): Source<K> => ({
  weight: 1,
  honours: [],
  request: () => ({ method: "GET", url: "https://example.com/", persona: "program", follow: false }),
  parse: () => empty
})

const engine = (name: string, sources: Engine["sources"]): Engine => ({
  name,
  website: "https://example.com",
  documentation: "https://example.com",
  access: "api",
  sources
})

const over = (...engines: ReadonlyArray<Engine>) =>
  Health.layer.pipe(
    Layer.provideMerge(Engines.layerOf(engines)),
    Layer.provideMerge(EngineHealth.layerMemory),
    Layer.provide([
      EnginePages.layerMemory(),
      Layer.succeed(EngineClient, { send: ({ url }) => Effect.succeed({ status: 200, headers: {}, url, body: "" }) }),
      testSettings()
    ])
  )

it.effect("is degraded while a kind has no engine", () =>
  Effect.gen(function* () {
    const { readiness, report } = yield* Health
    assert.deepStrictEqual(yield* readiness, ["images", "videos", "news", "books"])
    assert.strictEqual((yield* report).status, "degraded")
  }).pipe(Effect.provide(over(engine("one", { text: source() }))))
)

it.effect("is degraded while all engines of a kind rest, until one is due for a probe", () =>
  Effect.gen(function* () {
    const { late } = yield* Engines
    const { readiness, report } = yield* Health
    assert.deepStrictEqual(yield* readiness, [])
    yield* late("one", 1_000)
    assert.deepStrictEqual(yield* readiness, ["news"])
    yield* late("two", 1_000)
    assert.deepStrictEqual(yield* readiness, searchKinds)
    assert.strictEqual((yield* report).status, "degraded")
    yield* TestClock.adjust("6 minutes")
    assert.deepStrictEqual(yield* readiness, [])
    assert.strictEqual((yield* report).status, "healthy")
    assert.strictEqual((yield* report).uptime_seconds, 360)
  }).pipe(
    Effect.provide(
      over(
        engine("one", { text: source(), images: source(), videos: source(), news: source(), books: source() }),
        engine("two", { text: source(), images: source(), videos: source(), books: source() })
      )
    )
  )
)
