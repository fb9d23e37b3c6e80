import { assert, it } from "@effect/vitest"
import { Effect, Layer, TestClock } from "effect"
import { RateLimiter } from "../../../src/services/rate-limiter/RateLimiter.ts"
import { RateLimiterStore } from "../../../src/services/rate-limiter/Store.ts"
import { testSettings } from "../../support/Settings.ts"

const limiter = (capacity?: number) =>
  RateLimiter.layer.pipe(Layer.provide([RateLimiterStore.layerMemory(capacity), testSettings()]))

it.effect("spends a budget to the last request and opens the next window a minute after the first", () =>
  Effect.gen(function* () {
    const { spend } = yield* RateLimiter
    const first = yield* spend("1.2.3.4", "unified")
    assert.deepInclude(first, { limit: 10, remaining: 9, resetAt: 60, resetIn: 60, exceeded: null })
    yield* TestClock.adjust("30500 millis")
    for (let left = 8; left >= 0; left--) assert.strictEqual((yield* spend("1.2.3.4", "unified")).remaining, left)

    const refused = yield* spend("1.2.3.4", "unified")
    assert.strictEqual(refused.remaining, 0)
    assert.strictEqual(refused.resetAt, 60)
    assert.deepInclude(refused.exceeded, { group: "unified", limit: 10, window_seconds: 60, retry_after: 30 })

    yield* TestClock.adjust("29500 millis")
    assert.deepInclude(yield* spend("1.2.3.4", "unified"), { remaining: 9, resetAt: 120, exceeded: null })
  }).pipe(Effect.provide(limiter()))
)

it.effect("keeps clients and groups apart, and a peek costs nothing", () =>
  Effect.gen(function* () {
    const { peek, spend } = yield* RateLimiter
    yield* spend("a", "search")
    assert.strictEqual((yield* spend("b", "search")).remaining, 29)
    assert.strictEqual((yield* spend("a", "info")).remaining, 59)
    assert.strictEqual((yield* peek("a", "search")).remaining, 29)
    assert.strictEqual((yield* peek("a", "search")).remaining, 29)
    assert.deepInclude(yield* peek("new", "content"), { remaining: 30, resetAt: 60 })
  }).pipe(Effect.provide(limiter()))
)

it.effect("is exact under concurrent requests", () =>
  Effect.gen(function* () {
    const { spend } = yield* RateLimiter
    const answers = yield* Effect.all(
      Array.from({ length: 80 }, () => spend("a", "search")),
      { concurrency: "unbounded" }
    )
    assert.strictEqual(answers.filter(({ exceeded }) => exceeded === null).length, 30)
  }).pipe(Effect.provide(limiter()))
)

it.effect("keeps no more windows than its capacity, dropping those that close first", () =>
  Effect.gen(function* () {
    const store = yield* RateLimiterStore
    for (const key of ["a", "b", "c"]) {
      yield* store.hit(key, 60_000)
      yield* TestClock.adjust("1 seconds")
    }
    yield* store.hit("d", 60_000)
    assert.strictEqual((yield* store.peek("a", 60_000)).count, 0)
    assert.strictEqual((yield* store.peek("b", 60_000)).count, 1)
    assert.strictEqual((yield* store.peek("d", 60_000)).count, 1)
  }).pipe(Effect.provide(RateLimiterStore.layerMemory(3)))
)
