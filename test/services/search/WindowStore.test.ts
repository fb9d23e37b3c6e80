import { assert, describe, it } from "@effect/vitest"
import { Effect, MutableRef } from "effect"
import { rawText } from "../../../src/domain/RawResult.ts"
import { type QueryOf } from "../../../src/domain/Query.ts"
import { openWindow } from "../../../src/services/search/Window.ts"
import { type Held, makeWindowStore } from "../../../src/services/search/WindowStore.ts"

const query = (q: string, page = 1): QueryOf["text"] => ({
  q,
  region: "us-en",
  safesearch: "moderate",
  max_results: 10,
  page,
  backend: "auto"
})

const store = () => makeWindowStore<"text">(() => openWindow({ order: [], unsupported: [], isNamed: false }))

const fill = (held: Held<"text">, count: number) => {
  const found = rawText({ title: "a", url: "https://example.com/" })
  if (found === null) throw new Error("no item")
  MutableRef.update(held.state, (window) => ({
    ...window,
    fused: Array.from({ length: count }, (_, index) => ({ identity: String(index), found, engines: [] }))
  }))
}

describe("the window store", () => {
  it.effect("finds the window of a query whatever its page, until it is a quarter of an hour old", () =>
    Effect.gen(function* () {
      const windows = store()
      const first = yield* windows.find(query("a"), 0)
      assert.strictEqual(yield* windows.find(query("a", 3), 899_999), first)
      assert.notStrictEqual(yield* windows.find(query("b"), 0), first)
      assert.notStrictEqual(yield* windows.find(query("a"), 900_000), first)
    })
  )

  it.effect("lets go of what was used longest ago when the results become too many", () =>
    Effect.gen(function* () {
      const windows = store()
      const old = yield* windows.find(query("old"), 0)
      const used = yield* windows.find(query("used"), 0)
      const fresh = yield* windows.find(query("fresh"), 0)
      for (const held of [old, used, fresh]) fill(held, 4_000)
      yield* windows.find(query("used"), 1)
      yield* windows.evict
      assert.notStrictEqual(yield* windows.find(query("old"), 2), old)
      assert.strictEqual(yield* windows.find(query("used"), 2), used)
      assert.strictEqual(yield* windows.find(query("fresh"), 2), fresh)
    })
  )
})
