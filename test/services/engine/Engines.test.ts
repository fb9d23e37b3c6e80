import { assert, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { rawText } from "../../../src/domain/RawResult.ts"
import { EngineClient } from "../../../src/services/engine/runtime/client/EngineClient.ts"
import { EngineHealth } from "../../../src/services/engine/runtime/health/EngineHealth.ts"
import { EnginePages } from "../../../src/services/engine/runtime/EnginePages.ts"
import { Engines } from "../../../src/services/engine/Engines.ts"
import { type Engine, firstPage, type Parsed, type Source } from "../../../src/services/engine/Engine.ts"
import { testSettings } from "../../support/Settings.ts"

const client = Layer.succeed(EngineClient, {
  send: ({ url }) => Effect.succeed({ status: 200, headers: {}, url, body: "" })
})

const item = (title: string) => {
  const found = rawText({ title, url: "https://example.com/" })
  if (found === null) throw new Error("no item")
  return found
}

const asking = { timeoutMs: 1_000, named: false, oldest: 0 }

/** What becomes of a page that an engine of one's own makes. */
const asked = (parse: Source<"text">["parse"]) =>
  Effect.gen(function* () {
    const engine: Engine = {
      name: "own",
      website: "https://example.com",
      documentation: "https://example.com",
      access: "api",
      sources: {
        text: {
          weight: 1,
          honours: [],
          request: () => ({ method: "GET", url: "https://example.com/", persona: "program", follow: false }),
          parse
        }
      }
    }
    const query = {
      text: "needle",
      region: { code: "wt-wt", name: "", language: "en", country: null },
      safesearch: "off" as const,
      timelimit: null,
      now: 0
    }
    return yield* Effect.gen(function* () {
      const { ask, forKind } = yield* Engines
      const [candidate] = forKind("text")
      return candidate === undefined ? null : (yield* ask(candidate, query, firstPage, asking)).parsed
    }).pipe(
      Effect.provide(
        Engines.layerOf([engine]).pipe(
          Layer.provide([client, EngineHealth.layerMemory, EnginePages.layerMemory()]),
          Layer.provide(testSettings())
        )
      )
    )
  })

const results = (items: ReadonlyArray<ReturnType<typeof item>>): Parsed<"text"> => ({
  _tag: "Results",
  items,
  next: null
})

it.effect("leaves out items that are none", () =>
  Effect.gen(function* () {
    const broken = { ...item("broken"), body: JSON.parse("5") }
    const some = yield* asked(() => results([item("a"), broken]))
    assert.deepStrictEqual(some, results([item("a")]))
    assert.deepStrictEqual(yield* asked(() => results([broken])), { _tag: "Fault", fault: "layout_changed" })
  })
)

it.effect("takes an engine that throws for one whose page has changed", () =>
  Effect.gen(function* () {
    const thrown = yield* asked(() => {
      throw new Error("a bug")
    })
    assert.deepStrictEqual(thrown, { _tag: "Fault", fault: "layout_changed" })
  })
)

it.effect("cuts pages of thousands of items", () =>
  Effect.gen(function* () {
    const many = yield* asked(() => results(Array.from({ length: 5_000 }, (_, index) => item(`item ${index}`))))
    assert.strictEqual(many?._tag === "Results" ? many.items.length : 0, 300)
  })
)
