import { assert, it } from "@effect/vitest"
import { Effect, Layer, Ref, TestClock } from "effect"
import { rawText } from "../../../src/domain/RawResult.ts"
import { type EngineFault } from "../../../src/domain/Outcome.ts"
import { type QueryOf } from "../../../src/domain/Query.ts"
import { EngineClient, EngineUnreachable } from "../../../src/services/engine/runtime/client/EngineClient.ts"
import { EngineHealth } from "../../../src/services/engine/runtime/health/EngineHealth.ts"
import { EnginePages } from "../../../src/services/engine/runtime/EnginePages.ts"
import { Engines } from "../../../src/services/engine/Engines.ts"
import { type Engine, fault, type Pace, results } from "../../../src/services/engine/Engine.ts"
import { Search } from "../../../src/services/search/Search.ts"
import { makeLog } from "../../support/Logged.ts"
import { testSettings } from "../../support/Settings.ts"

const engineOf = (name: string, pace?: Pace): Engine => ({
  name,
  website: "https://example.com",
  documentation: "https://example.com",
  access: "api",
  ...(pace && { pace }),
  sources: {
    text: {
      weight: 1,
      honours: ["region"],
      request: () => ({ method: "GET", url: `https://${name}.example/`, persona: "program", follow: false }),
      parse: ({ body, url }) =>
        body === "blocked"
          ? fault("blocked")
          : results(
              [rawText({ title: body, url })].filter((one) => one !== null),
              null
            )
    }
  }
})

/** The search over engines `a` to `e` on a network that brings what `brings` holds: a page, or a fault. */
const withNetwork = <A, E>(
  use: (
    search: (q: string, backend?: string) => ReturnType<Search["Type"]["run"]>,
    brings: (host: (engine: string) => EngineFault | "page" | "blocked") => Effect.Effect<void>,
    log: ReturnType<typeof makeLog>
  ) => Effect.Effect<A, E>,
  pace?: Pace
) =>
  Effect.gen(function* () {
    const network = yield* Ref.make((_: string): EngineFault | "page" | "blocked" => "page")
    const client = Layer.succeed(EngineClient, {
      send: ({ url }) =>
        Effect.gen(function* () {
          const brought = (yield* Ref.get(network))(new URL(url).hostname.replace(".example", ""))
          if (brought === "page" || brought === "blocked") return { status: 200, headers: {}, url, body: brought }
          return yield* new EngineUnreachable({ fault: brought, cause: null })
        })
    })
    const log = makeLog()
    const services = Search.layer.pipe(
      Layer.provide(Engines.layerOf(["a", "b", "c", "d", "e"].map((name) => engineOf(name, pace)))),
      Layer.provide([client, EngineHealth.layerMemory, EnginePages.layerMemory()]),
      Layer.provide(testSettings())
    )
    return yield* Effect.flatMap(Search, ({ run }) =>
      use(
        (q, backend = "auto") => run("text", { ...query, q, backend }),
        (host) => Ref.set(network, host),
        log
      )
    ).pipe(Effect.provide([services, log.layer]))
  })

const query: QueryOf["text"] = {
  q: "",
  region: "us-en",
  safesearch: "moderate",
  max_results: 10,
  page: 1,
  backend: "auto"
}

const outcomes = (sources: unknown) =>
  Array.isArray(sources) ? sources.map(({ outcome }: { readonly outcome: string }) => outcome) : sources

it.effect("asks every engine at once when the network is back, and has warned of it once", () =>
  withNetwork((search, brings, log) =>
    Effect.gen(function* () {
      yield* brings(() => "connect_error")
      for (const q of ["one", "two", "three", "four"]) {
        const failure = yield* Effect.flip(search(q))
        assert.strictEqual(failure._tag, "SearchFailed")
        if (failure._tag !== "SearchFailed") return
        assert.deepStrictEqual(outcomes(failure.sources), Array(5).fill("connect_error"))
        assert.isUndefined(failure.retry_after)
        yield* TestClock.adjust("1 second")
      }
      yield* brings(() => "page")
      const { sources } = yield* search("five", "a,b,c,d,e")
      assert.deepStrictEqual(outcomes(sources), Array(5).fill("ok"))
      assert.deepStrictEqual(
        log.matching(/^outgoing connection/).map(({ level, text }) => `${level} ${text}`),
        ["WARN outgoing connection is down: connections fail", "INFO outgoing connection is back"]
      )
      assert.deepStrictEqual(log.matching(/^engine rests/), [])
    })
  )
)

it.effect("says until when engines rest, and when to search again", () =>
  withNetwork((search, brings) =>
    Effect.gen(function* () {
      yield* brings(() => "blocked")
      const first = yield* Effect.flip(search("one"))
      assert.strictEqual(first._tag, "SearchFailed")
      if (first._tag !== "SearchFailed") return
      // Three minutes, give or take a fifth.
      const wait = first.retry_after ?? 0
      assert.isTrue(wait >= 144 && wait <= 216, `${wait}`)
      yield* TestClock.adjust("100 seconds")
      const second = yield* Effect.flip(search("two"))
      assert.strictEqual(second._tag, "SearchFailed")
      if (second._tag !== "SearchFailed" || !("length" in second.sources)) return
      assert.strictEqual(second.retry_after, wait - 100)
      const untils = second.sources.map(({ until }) => Date.parse(until ?? ""))
      assert.strictEqual(Math.ceil(Math.min(...untils) / 1_000), wait)
      assert.deepStrictEqual(outcomes(second.sources), Array(5).fill("suspended"))
    })
  )
)

it.effect("says when the next token of an engine comes that has used up its pace", () =>
  withNetwork(
    (search, brings) =>
      Effect.gen(function* () {
        yield* brings(() => "layout_changed")
        yield* Effect.flip(search("one"))
        yield* TestClock.adjust(9_500)
        const failure = yield* Effect.flip(search("two"))
        assert.strictEqual(failure._tag, "SearchFailed")
        if (failure._tag !== "SearchFailed") return
        assert.deepStrictEqual(outcomes(failure.sources), Array(5).fill("paced"))
        assert.strictEqual(failure.retry_after, 51)
      }),
    { perMinute: 1, burst: 1 }
  )
)

it.effect("says nothing of when to search again where no engine rests", () =>
  withNetwork((search, brings) =>
    Effect.gen(function* () {
      yield* brings(() => "layout_changed")
      const failure = yield* Effect.flip(search("one"))
      assert.strictEqual(failure._tag, "SearchFailed")
      if (failure._tag === "SearchFailed") assert.isFalse("retry_after" in failure)
    })
  )
)
