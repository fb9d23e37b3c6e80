import { assert, it } from "@effect/vitest"
import { Effect, TestClock } from "effect"
import { rawText } from "../../../../src/domain/RawResult.ts"
import { regionOf } from "../../../../src/domain/Region.ts"
import { type EnginePage, EnginePages, type PageKey } from "../../../../src/services/engine/runtime/EnginePages.ts"
import { firstPage } from "../../../../src/services/engine/Engine.ts"

const key = (text: string, changes: Partial<PageKey<"text">> = {}): PageKey<"text"> => ({
  engine: "one",
  kind: "text",
  query: { text, region: regionOf("us-en"), safesearch: "off", timelimit: null, now: 0 },
  cursor: firstPage,
  ...changes
})

const page = (items: number, title = "title"): EnginePage<"text"> => ({
  _tag: "Results",
  items: Array.from({ length: items }, () => rawText({ title, url: "https://example.com/" })).filter(
    (item) => item !== null
  ),
  next: null
})

const wide = { pages: 100, items: 1_000, characters: 1_000_000 }

/** Which of these texts has a page; looks at them in this order. */
const found = (...texts: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const { get } = yield* EnginePages
    const kept = yield* Effect.forEach(texts, (text) => get(key(text), 0))
    return texts.filter((_, index) => kept[index] !== null)
  })

it.effect("gives the page that was put, whenever it is asked for", () =>
  Effect.gen(function* () {
    const { get, put } = yield* EnginePages
    yield* put(key("a"), page(2))
    yield* put(key("b"), { _tag: "Empty" })
    const { query } = key("a")
    assert.deepStrictEqual(yield* get(key("a", { query: { ...query, now: 5 } }), 0), page(2))
    assert.deepStrictEqual(yield* get(key("b"), 0), { _tag: "Empty" })
  }).pipe(Effect.provide(EnginePages.layerMemory()))
)

it.effect("tells pages apart by engine, kind, query and cursor", () =>
  Effect.gen(function* () {
    const { get, put } = yield* EnginePages
    yield* put(key("a"), page(1))
    const { query } = key("a")
    const others: ReadonlyArray<PageKey<"text">> = [
      key("A"),
      key("a", { engine: "other" }),
      key("a", { query: { ...query, region: regionOf("de-de") } }),
      key("a", { query: { ...query, timelimit: "d" } }),
      key("a", { query: { ...query, safesearch: "on" } }),
      key("a", { cursor: { page: 2, form: null } }),
      key("a", { cursor: { page: 1, form: [["token", "x"]] } })
    ]
    for (const other of others) assert.isNull(yield* get(other, 0))
    assert.isNull(yield* get({ ...key("a"), kind: "news" }, 0))
  }).pipe(Effect.provide(EnginePages.layerMemory()))
)

it.effect("keeps a page for ten minutes, and gives none older than is wanted", () =>
  Effect.gen(function* () {
    const { get, put } = yield* EnginePages
    yield* TestClock.setTime(1_000)
    yield* put(key("a"), page(1))
    assert.isNotNull(yield* get(key("a"), 1_000))
    assert.isNull(yield* get(key("a"), 1_001))
    yield* TestClock.adjust("599 seconds")
    assert.isNotNull(yield* get(key("a"), 0))
    yield* TestClock.adjust("1 second")
    assert.isNull(yield* get(key("a"), 0))
  }).pipe(Effect.provide(EnginePages.layerMemory()))
)

it.effect("lets go of the pages used longest ago", () =>
  Effect.gen(function* () {
    const { put } = yield* EnginePages
    for (const text of ["a", "b", "c"]) yield* put(key(text), page(1))
    yield* found("a")
    yield* put(key("d"), page(1))
    assert.deepStrictEqual(yield* found("a", "b", "c", "d"), ["a", "c", "d"])
  }).pipe(Effect.provide(EnginePages.layerMemory({ ...wide, pages: 3 })))
)

it.effect("bounds the items of all pages together", () =>
  Effect.gen(function* () {
    const { put } = yield* EnginePages
    yield* put(key("a"), page(4))
    yield* put(key("a"), page(4))
    yield* put(key("b"), page(4))
    assert.deepStrictEqual(yield* found("a", "b"), ["a", "b"])
    yield* put(key("c"), page(4))
    assert.deepStrictEqual(yield* found("a", "b", "c"), ["b", "c"])
    yield* put(key("d"), page(11))
    assert.deepStrictEqual(yield* found("b", "c", "d"), [])
  }).pipe(Effect.provide(EnginePages.layerMemory({ ...wide, items: 10 })))
)

it.effect("bounds what long items take", () =>
  Effect.gen(function* () {
    const { put } = yield* EnginePages
    yield* put(key("a"), page(1))
    yield* put(key("b"), page(1, "x".repeat(400)))
    assert.deepStrictEqual(yield* found("a", "b"), ["b"])
    yield* put(key("c"), page(1))
    assert.deepStrictEqual(yield* found("b", "c"), ["c"])
  }).pipe(Effect.provide(EnginePages.layerMemory({ ...wide, characters: 600 })))
)
