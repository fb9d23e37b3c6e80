import { assert, it } from "@effect/vitest"
import { Effect, Either, Fiber, Layer, Ref, Schema, TestClock } from "effect"
import { EngineReport } from "../../../src/domain/EngineReport.ts"
import { rawText } from "../../../src/domain/RawResult.ts"
import { type EngineFault } from "../../../src/domain/Outcome.ts"
import { EngineClient, EngineUnreachable } from "../../../src/services/engine/runtime/client/EngineClient.ts"
import { EngineHealth } from "../../../src/services/engine/runtime/health/EngineHealth.ts"
import { EnginePages } from "../../../src/services/engine/runtime/EnginePages.ts"
import { type AskOptions, type Candidate, Engines } from "../../../src/services/engine/Engines.ts"
import { empty, type Engine, fault, firstPage, type Pace, results, step } from "../../../src/services/engine/Engine.ts"
import { testSettings } from "../../support/Settings.ts"

/** What the network brings: a body, a status with headers, or a fault; after so many milliseconds. */
interface Brought {
  readonly body?: string
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly unreachable?: EngineFault
  readonly delay?: number
}

/** The body says what its page is. */
const engineOf = (pace?: Pace): Engine => ({
  name: "own",
  website: "https://example.com",
  documentation: "https://example.com/docs",
  access: "api",
  ...(pace && { pace }),
  sources: {
    text: {
      weight: 1,
      honours: ["region"],
      request: (query, cursor) => ({
        method: "GET",
        url: `https://example.com/${query.text}/${cursor.page}`,
        persona: "program",
        follow: false
      }),
      parse: ({ body }, _query, cursor) => {
        if (body === "step" && cursor.form === null) return step(cursor.page, [["token", "x"]])
        if (body === "empty") return empty
        if (body === "blocked") return fault("blocked")
        const url = "https://example.com/"
        return body === "" ? fault("layout_changed") : results([rawText({ title: body, url })], null)
      }
    }
  }
})

/** An engine with the network it is on; what was sent there is in `sent`. */
const made = (brings: (url: string) => Brought, pace?: Pace) =>
  Effect.gen(function* () {
    const sent = yield* Ref.make<ReadonlyArray<string>>([])
    const client = Layer.succeed(EngineClient, {
      send: ({ url }) =>
        Effect.gen(function* () {
          yield* Ref.update(sent, (urls) => [...urls, url.replace("https://example.com/", "")])
          const { body = "", delay = 0, headers = {}, status = 200, unreachable } = brings(url)
          yield* Effect.sleep(delay)
          if (unreachable !== undefined) return yield* new EngineUnreachable({ fault: unreachable, cause: null })
          return { status, headers, url, body }
        })
    })
    const context = yield* Layer.build(
      Engines.layerOf([engineOf(pace)]).pipe(
        Layer.provideMerge(EngineHealth.layerMemory),
        Layer.provide([client, EnginePages.layerMemory(), testSettings({ SEARCH_TIMEOUT: "8" })])
      )
    )
    const { ask, distrust, forKind, late, report, resting } = yield* Effect.provide(Engines, context)
    const [candidate] = forKind("text")
    if (candidate === undefined) return yield* Effect.dieMessage("no candidate")
    return {
      sent: Ref.get(sent),
      ask: (text: string, asking: Partial<AskOptions> = {}) => asked(ask, candidate, text, asking),
      reply: (text: string, asking: Partial<AskOptions> = {}) => replied(ask, candidate, text, asking),
      rests: resting("own"),
      distrust: distrust("own"),
      late: (waitedMs: number) => late("own", waitedMs),
      rest: Effect.map(report, ([one]) => one?.rest ?? null),
      report
    }
  })

const replied = (
  ask: Engines["Type"]["ask"],
  candidate: Candidate<"text">,
  text: string,
  { named = false, oldest = 0, timeoutMs = 8_000 }: Partial<AskOptions>
) =>
  ask(
    candidate,
    {
      text,
      region: { code: "wt-wt", name: "", language: "en", country: null },
      safesearch: "off",
      timelimit: null,
      now: 0
    },
    firstPage,
    { named, oldest, timeoutMs }
  )

/** What an ask comes to, in a word. */
const asked = (...given: Parameters<typeof replied>) =>
  Effect.map(replied(...given), ({ parsed }) => (parsed._tag === "Fault" ? parsed.fault : parsed._tag))

it.scoped("does not ask twice for the same page, unless it must be fresh", () =>
  Effect.gen(function* () {
    const { reply, sent } = yield* made(() => ({ body: "found" }))
    assert.isFalse((yield* reply("a")).fromCache)
    const again = yield* reply("a")
    assert.isTrue(again.fromCache)
    assert.strictEqual(again.parsed._tag, "Results")
    yield* TestClock.adjust("1 second")
    assert.isFalse((yield* reply("a", { oldest: 1_000 })).fromCache)
    assert.isTrue((yield* reply("a", { oldest: 1_000 })).fromCache)
    assert.deepStrictEqual(yield* sent, ["a/1", "a/1"])
  })
)

it.scoped("keeps no faults", () =>
  Effect.gen(function* () {
    const { ask, sent } = yield* made(() => ({ body: "" }))
    assert.deepStrictEqual([yield* ask("a"), yield* ask("a")], ["layout_changed", "layout_changed"])
    assert.strictEqual((yield* sent).length, 2)
  })
)

it.scoped("does not ask a blocked engine again during its rest, then exactly once to probe", () =>
  Effect.gen(function* () {
    const { ask, rests, sent } = yield* made((url) => ({ body: url.includes("bad") ? "blocked" : "found", delay: 100 }))
    const ask100 = (text: string) =>
      Effect.flatMap(Effect.fork(ask(text)), (fiber) => Effect.zipRight(TestClock.adjust(100), Fiber.join(fiber)))
    assert.strictEqual(yield* ask100("bad"), "blocked")
    assert.isTrue(yield* rests)
    assert.strictEqual(yield* ask("a"), "suspended")
    yield* TestClock.adjust("217 seconds")
    assert.isFalse(yield* rests)
    const probes = yield* Effect.fork(Effect.forEach(["b", "c", "d", "e"], (text) => ask(text), { concurrency: 4 }))
    yield* TestClock.adjust(50)
    assert.isTrue(yield* rests)
    yield* TestClock.adjust(50)
    assert.deepStrictEqual((yield* Fiber.join(probes)).toSorted(), ["Results", "suspended", "suspended", "suspended"])
    assert.strictEqual((yield* sent).length, 2)
    assert.isFalse(yield* rests)
    assert.strictEqual(yield* ask100("f"), "Results")
  })
)

it.scoped("gives kept pages of an engine that rests", () =>
  Effect.gen(function* () {
    const { ask } = yield* made((url) => ({ body: url.includes("bad") ? "blocked" : "found" }))
    yield* ask("a")
    yield* ask("bad")
    assert.deepStrictEqual([yield* ask("a"), yield* ask("b")], ["Results", "suspended"])
  })
)

it.scoped("returns exactly when a 429 says", () =>
  Effect.gen(function* () {
    const { ask, sent } = yield* made((url) =>
      url.includes("much") ? { status: 429, headers: { "retry-after": "120" } } : { body: "found" }
    )
    assert.strictEqual(yield* ask("much"), "rate_limited")
    yield* TestClock.adjust(119_999)
    assert.strictEqual(yield* ask("a"), "suspended")
    yield* TestClock.adjust(1)
    assert.strictEqual(yield* ask("a"), "Results")
    assert.deepStrictEqual(yield* sent, ["much/1", "a/1"])
  })
)

it.scoped("rests after server errors in a row, not after other statuses", () =>
  Effect.gen(function* () {
    const { ask, rests } = yield* made((url) => ({ status: url.includes("five") ? 503 : 404 }))
    for (const text of ["a", "b", "c"]) yield* ask(text)
    assert.isFalse(yield* rests)
    yield* ask("five")
    assert.isFalse(yield* rests)
    yield* ask("five")
    assert.isTrue(yield* rests)
  })
)

it.scoped("asks a resting engine that is named, once a minute", () =>
  Effect.gen(function* () {
    const { ask, sent } = yield* made(() => ({ body: "blocked" }))
    const named = { named: true }
    yield* ask("a")
    assert.deepStrictEqual([yield* ask("b", named), yield* ask("c", named)], ["blocked", "suspended"])
    yield* TestClock.adjust("60 seconds")
    assert.deepStrictEqual([yield* ask("d"), yield* ask("e", named)], ["suspended", "blocked"])
    assert.deepStrictEqual(yield* sent, ["a/1", "b/1", "e/1"])
  })
)

it.scoped("blames an engine for a timeout only when it was given a second", () =>
  Effect.gen(function* () {
    const { ask, rest, rests } = yield* made(() => ({ delay: 60_000 }))
    const hurried = yield* Effect.fork(ask("a", { timeoutMs: 999 }))
    yield* TestClock.adjust(999)
    assert.strictEqual(yield* Fiber.join(hurried), "timeout")
    assert.isFalse(yield* rests)
    const dawdling = yield* Effect.fork(ask("a", { timeoutMs: 1_000 }))
    yield* TestClock.adjust(1_000)
    assert.strictEqual(yield* Fiber.join(dawdling), "timeout")
    assert.strictEqual((yield* rest)?.reason, "timeout")
  })
)

it.scoped("does not blame an engine for who left, but for being late in a search that ended without it", () =>
  Effect.gen(function* () {
    const { ask, late, rest, rests } = yield* made(() => ({ delay: 60_000 }))
    const left = yield* Effect.fork(ask("a"))
    yield* TestClock.adjust(5_000)
    yield* Fiber.interrupt(left)
    assert.isFalse(yield* rests)
    yield* late(999)
    assert.isFalse(yield* rests)
    yield* late(1_000)
    assert.strictEqual((yield* rest)?.reason, "timeout")
  })
)

it.scoped("leaves the probe to the next when it was given up", () =>
  Effect.gen(function* () {
    const { ask, sent } = yield* made((url) => ({
      body: url.includes("bad") ? "blocked" : "found",
      delay: url.includes("slow") ? 60_000 : 0
    }))
    yield* ask("bad")
    yield* TestClock.adjust("217 seconds")
    const probe = yield* Effect.fork(ask("slow"))
    yield* TestClock.adjust(1_000)
    assert.strictEqual(yield* ask("a"), "suspended")
    yield* Fiber.interrupt(probe)
    assert.strictEqual(yield* ask("a"), "Results")
    assert.deepStrictEqual(yield* sent, ["bad/1", "slow/1", "a/1"])
  })
)

it.scoped("never sends more than an engine's pace allows", () =>
  Effect.gen(function* () {
    const { ask, rests, sent } = yield* made(() => ({ body: "found" }), { perMinute: 20, burst: 2 })
    assert.deepStrictEqual(yield* Effect.forEach(["a", "b", "c"], (text) => ask(text)), ["Results", "Results", "paced"])
    assert.isFalse(yield* rests)
    yield* TestClock.adjust(3_000)
    assert.deepStrictEqual([yield* ask("d"), yield* ask("e")], ["Results", "paced"])
    assert.strictEqual((yield* sent).length, 3)
  })
)

it.scoped("lets who names an engine wait for its pace, as far as the time allows", () =>
  Effect.gen(function* () {
    const { ask, sent } = yield* made(() => ({ body: "found" }), { perMinute: 20, burst: 1 })
    yield* ask("a")
    assert.strictEqual(yield* ask("b", { named: true, timeoutMs: 3_000 }), "paced")
    const givenUp = yield* Effect.fork(ask("c", { named: true }))
    yield* TestClock.adjust(1_000)
    yield* Fiber.interrupt(givenUp)
    const patient = yield* Effect.fork(ask("d", { named: true, timeoutMs: 3_000 }))
    yield* TestClock.adjust(1_999)
    assert.deepStrictEqual(yield* sent, ["a/1"])
    yield* TestClock.adjust(1)
    assert.strictEqual(yield* Fiber.join(patient), "Results")
    assert.deepStrictEqual(yield* sent, ["a/1", "d/1"])
  })
)

it.scoped("does not send what waited for its pace to an engine that meanwhile began to rest", () =>
  Effect.gen(function* () {
    const { ask, sent } = yield* made((url) => ({ body: url.includes("bad") ? "blocked" : "found", delay: 1_000 }), {
      perMinute: 20,
      burst: 1
    })
    const first = yield* Effect.fork(ask("bad"))
    yield* TestClock.adjust(1)
    const waiting = yield* Effect.fork(ask("a", { named: true }))
    yield* TestClock.adjust("5 seconds")
    assert.deepStrictEqual([yield* Fiber.join(first), yield* Fiber.join(waiting)], ["blocked", "suspended"])
    assert.deepStrictEqual(yield* sent, ["bad/1"])
    const named = yield* Effect.fork(ask("b", { named: true }))
    yield* TestClock.adjust("5 seconds")
    assert.strictEqual(yield* Fiber.join(named), "Results")
    assert.deepStrictEqual(yield* sent, ["bad/1", "b/1"])
  })
)

it.scoped("sends a step at once, and lets the next ask wait for the token that it owes", () =>
  Effect.gen(function* () {
    const { ask, sent } = yield* made(() => ({ body: "step" }), { perMinute: 20, burst: 1 })
    assert.strictEqual(yield* ask("a"), "Results")
    assert.strictEqual((yield* sent).length, 2)
    yield* TestClock.adjust(5_999)
    assert.strictEqual(yield* ask("b"), "paced")
    yield* TestClock.adjust(1)
    assert.strictEqual(yield* ask("b"), "Results")
  })
)

it.scoped("gives the token of an ask back that was never sent", () =>
  Effect.gen(function* () {
    const { ask, rests, sent } = yield* made(() => ({ body: "found" }), { perMinute: 20, burst: 1 })
    yield* ask("a")
    const waiting = yield* Effect.fork(ask("b", { named: true }))
    yield* TestClock.adjust(2_500)
    yield* Fiber.interrupt(waiting)
    assert.isFalse(yield* rests)
    yield* TestClock.adjust(500)
    assert.strictEqual(yield* ask("c"), "Results")
    assert.deepStrictEqual(yield* sent, ["a/1", "c/1"])
  })
)

it.scoped("rests an engine whose answers are irrelevant", () =>
  Effect.gen(function* () {
    const { ask, distrust, rest, rests } = yield* made(() => ({ body: "found" }))
    yield* ask("a")
    yield* distrust
    assert.isFalse(yield* rests)
    yield* ask("b")
    yield* distrust
    assert.strictEqual((yield* rest)?.reason, "irrelevant")
    assert.strictEqual(yield* ask("c"), "suspended")
  })
)

it.scoped("reports what an engine can do and how it fares", () =>
  Effect.gen(function* () {
    const { ask, report } = yield* made(
      (url) =>
        url.includes("bad")
          ? { body: "blocked" }
          : url.includes("broken")
            ? { unreachable: "connect_error" }
            : { body: url.includes("none") ? "empty" : "found", delay: 40 },
      { perMinute: 30, burst: 5 }
    )
    for (const text of ["a", "none", "broken", "bad"]) {
      const fiber = yield* Effect.fork(ask(text))
      yield* TestClock.adjust(40)
      yield* Fiber.join(fiber)
    }
    const [own] = yield* report
    assert.isTrue(Either.isRight(Schema.decodeUnknownEither(EngineReport)(own)))
    assert.deepStrictEqual(own?.pace, { per_minute: 30, burst: 5 })
    assert.deepStrictEqual(own?.kinds.text, { honours: ["region"], regions: { except: [] } })
    assert.isNull(own?.kinds.books)
    assert.isFalse(own?.needs_key)
    assert.deepInclude(own?.health, {
      successes: 1,
      empties: 1,
      latency_ms: { p50: 40, p95: 40 },
      last_error: { outcome: "blocked", at: "1970-01-01T00:00:00.120Z" }
    })
    assert.deepInclude(own?.health.failures, { blocked: 1, connect_error: 1, timeout: 0 })
    assert.deepInclude(own?.rest, { reason: "blocked", since: "1970-01-01T00:00:00.120Z", level: 1 })
  })
)
