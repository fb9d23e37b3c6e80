import { assert, it } from "@effect/vitest"
import { Effect, Layer, TestClock } from "effect"
import { EngineHealth, type AttemptResult } from "../../../../../src/services/engine/runtime/health/EngineHealth.ts"
import { isWithinRest, type Ticket } from "../../../../../src/services/engine/runtime/health/State.ts"
import { type Engine } from "../../../../../src/services/engine/Engine.ts"
import { makeLog } from "../../../../support/Logged.ts"
import { testSettings } from "../../../../support/Settings.ts"

const engineOf = (name: string): Engine => ({
  name,
  website: "https://example.com",
  documentation: "https://example.com",
  access: "api",
  sources: {}
})

const [a, b, c] = ["a", "b", "c"].map(engineOf)

type Outcome = AttemptResult["outcome"]

/** The service with the log of what it says of the outgoing connection. */
const withHealth = <A, E>(
  use: (health: ReturnType<typeof asks>, log: ReturnType<typeof makeLog>) => Effect.Effect<A, E>,
  settings: Readonly<Record<string, string>> = {}
) =>
  Effect.suspend(() => {
    const log = makeLog()
    return Effect.flatMap(EngineHealth, (health) => use(asks(health), log)).pipe(
      Effect.provide([EngineHealth.layerMemory.pipe(Layer.provide(testSettings(settings))), log.layer])
    )
  })

/** Of the answer that shows an outcome, where there is one. */
const statusOf = (outcome: Outcome): number | null =>
  ["dns_error", "connect_error", "tls_error", "proxy_error"].includes(outcome) ? null : 200

const asks = (health: EngineHealth["Type"]) => {
  const begin = (engine: Engine | undefined, named = false) =>
    Effect.gen(function* () {
      if (engine === undefined) return yield* Effect.dieMessage("no engine")
      const admission = yield* health.admit(engine, { named, timeLeftMs: 10_000 })
      if (admission._tag === "Refused") return yield* Effect.dieMessage(`${engine.name} was refused`)
      return { engine, ticket: admission.ticket }
    })
  const end = (
    { engine, ticket }: { readonly engine: Engine; readonly ticket: Ticket },
    outcome: Outcome,
    status = statusOf(outcome),
    isConnected = true
  ) => {
    const told = { outcome, status, tookMs: 10, retryAfter: undefined, isConnected }
    return Effect.zipRight(
      Effect.unless(health.answered, () => status === null),
      health.record(engine, ticket, told)
    )
  }
  return {
    begin,
    end,
    /** One ask from its beginning to its end. */
    ask: (engine: Engine | undefined, outcome: Outcome, status?: number) =>
      Effect.flatMap(begin(engine), (begun) => end(begun, outcome, status)),
    rests: (engine: Engine | undefined) =>
      Effect.zipWith(health.look(engine?.name ?? ""), TestClock.currentTimeMillis, isWithinRest),
    strikes: (engine: Engine | undefined) =>
      Effect.map(health.look(engine?.name ?? ""), ({ strikes }) => strikes.connection),
    rest: (engine: Engine | undefined) => Effect.map(health.look(engine?.name ?? ""), ({ rest }) => rest)
  }
}

const outgoing = /^outgoing connection/

it.effect("lets nobody rest while every engine fails to connect", () =>
  withHealth(({ ask, rests, strikes }, log) =>
    Effect.gen(function* () {
      for (let round = 0; round < 5; round += 1) {
        yield* ask(a, "connect_error")
        yield* ask(b, "dns_error")
        yield* TestClock.adjust("5 seconds")
      }
      assert.deepStrictEqual([yield* rests(a), yield* rests(b)], [false, false])
      assert.deepStrictEqual([yield* strikes(a), yield* strikes(b)], [0, 0])
      assert.deepStrictEqual(
        log.matching(outgoing).map(({ annotations, level, text }) => [level, text, annotations]),
        [["WARN", "outgoing connection is down: connections fail", { fault: "connect_error", engines: 2 }]]
      )
      yield* ask(a, "ok")
      assert.deepStrictEqual(
        log.matching(outgoing).map(({ level }) => level),
        ["WARN", "INFO"]
      )
      // From here on each is held against its engine again.
      yield* ask(b, "connect_error")
      yield* TestClock.adjust("5 seconds")
      yield* ask(b, "connect_error")
      assert.isTrue(yield* rests(b))
    })
  )
)

it.effect("lets nobody rest while no engine can be connected to in time, and warns of it", () =>
  withHealth(({ begin, end, rests, strikes }, log) =>
    Effect.gen(function* () {
      for (let round = 0; round < 5; round += 1) {
        const attempts = [yield* begin(a), yield* begin(b)]
        yield* TestClock.adjust("10 seconds")
        for (const attempt of attempts) yield* end(attempt, "timeout", null, false)
      }
      assert.deepStrictEqual([yield* rests(a), yield* rests(b)], [false, false])
      assert.deepStrictEqual([yield* strikes(a), yield* strikes(b)], [0, 0])
      assert.deepStrictEqual(
        log.matching(outgoing).map(({ level, text }) => [level, text]),
        [["WARN", "outgoing connection is down: connections fail"]]
      )
    })
  )
)

it.effect("lets engines rest that were connected to and silent, or not reached while another answered", () =>
  Effect.gen(function* () {
    const timedOut = (isConnected: boolean, doesAnswer: boolean) =>
      withHealth(({ ask, begin, end, rests }, log) =>
        Effect.gen(function* () {
          for (let round = 0; round < 5 && !(yield* rests(a)); round += 1) {
            const attempts = [yield* begin(a), yield* begin(b)]
            yield* TestClock.adjust("5 seconds")
            if (doesAnswer) yield* ask(c, "ok")
            yield* TestClock.adjust("5 seconds")
            for (const attempt of attempts) yield* end(attempt, "timeout", null, isConnected)
          }
          assert.deepStrictEqual(log.matching(outgoing), [])
          return [yield* rests(a), yield* rests(b)]
        })
      )
    assert.deepStrictEqual(yield* timedOut(true, false), [true, true])
    assert.deepStrictEqual(yield* timedOut(false, true), [true, true])
  })
)

it.effect("takes back the rest that one engine was given just before the others failed too", () =>
  withHealth(({ ask, rests, strikes }) =>
    Effect.gen(function* () {
      yield* ask(a, "connect_error")
      yield* ask(a, "connect_error")
      assert.isTrue(yield* rests(a))
      yield* TestClock.adjust(900)
      yield* ask(b, "connect_error")
      assert.deepStrictEqual([yield* rests(a), yield* strikes(a), yield* strikes(b)], [false, 0, 0])
    })
  )
)

it.effect("lets one engine rest that fails while others answer, and the only one that there is", () =>
  Effect.gen(function* () {
    yield* withHealth(({ ask, rests }) =>
      Effect.gen(function* () {
        yield* ask(a, "connect_error")
        yield* ask(b, "ok")
        yield* ask(a, "connect_error")
        assert.deepStrictEqual([yield* rests(a), yield* rests(b)], [true, false])
      })
    )
    yield* withHealth(({ ask, rests }, log) =>
      Effect.gen(function* () {
        yield* ask(a, "connect_error")
        yield* ask(a, "connect_error")
        assert.isTrue(yield* rests(a))
        assert.deepStrictEqual(log.matching(outgoing), [])
      })
    )
  })
)

it.effect("lets two engines rest that fail again and again while a slower one answers", () =>
  withHealth(({ ask, begin, end, rests }, log) =>
    Effect.gen(function* () {
      for (let round = 0; round < 2; round += 1) {
        const slow = yield* begin(c)
        yield* ask(a, "connect_error")
        yield* ask(b, "connect_error")
        yield* TestClock.adjust("3 seconds")
        yield* end(slow, "ok")
      }
      assert.deepStrictEqual([yield* rests(a), yield* rests(b), yield* rests(c)], [true, true, false])
      assert.deepStrictEqual(log.matching(outgoing), [])
    })
  )
)

it.effect("keeps the rest of an engine whose probe fell into an outage, and lets the next one probe", () =>
  withHealth(({ ask, begin, rest, rests }) =>
    Effect.gen(function* () {
      yield* ask(a, "blocked")
      const before = yield* rest(a)
      assert.isNotNull(before)
      yield* TestClock.adjust("216 seconds")
      yield* ask(b, "connect_error")
      yield* ask(c, "connect_error")
      yield* ask(a, "connect_error")
      assert.deepStrictEqual(yield* rest(a), before)
      assert.isFalse(yield* rests(a))
      yield* begin(a)
    })
  )
)

it.effect("gives back the rest of a probe that was the first to fail", () =>
  withHealth(({ ask, rest }) =>
    Effect.gen(function* () {
      yield* ask(a, "blocked")
      const before = yield* rest(a)
      yield* TestClock.adjust("216 seconds")
      yield* ask(a, "connect_error")
      assert.notDeepEqual(yield* rest(a), before)
      yield* ask(b, "connect_error")
      assert.deepStrictEqual(yield* rest(a), before)
    })
  )
)

it.effect("counts a connection that broke within an answer against its engine", () =>
  withHealth(({ ask, rests }) =>
    Effect.gen(function* () {
      for (const engine of [a, b, a, b]) yield* ask(engine, "connect_error", 200)
      assert.deepStrictEqual([yield* rests(a), yield* rests(b)], [true, true])
    })
  )
)

it.effect("warns once a minute while the proxy makes no connections, without its password", () =>
  withHealth(
    ({ ask, rests }, log) =>
      Effect.gen(function* () {
        for (let second = 0; second < 120; second += 1) {
          yield* ask(a, "proxy_error")
          yield* TestClock.adjust("1 second")
        }
        assert.isFalse(yield* rests(a))
        const warned = {
          level: "WARN",
          text: "outgoing connection is down: the proxy makes no connections",
          annotations: { fault: "proxy_error", engines: 1, proxy: "[::1]:1080" }
        }
        assert.deepStrictEqual(log.matching(outgoing), [warned, warned])
      }),
    { SEARCH_PROXY: "socks5h://user:secret@[::1]:1080" }
  )
)
