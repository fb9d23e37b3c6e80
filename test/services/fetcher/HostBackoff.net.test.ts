import { assert, describe, it, layer } from "@effect/vitest"
import { Effect, Fiber, Layer, TestClock } from "effect"
import { Fetcher } from "../../../src/services/fetcher/Fetcher.ts"
import { guarded } from "../../../src/services/fetcher/GuardedConnection.ts"
import { make } from "../../../src/services/fetcher/HostBackoff.ts"
import { networkOf } from "../../../src/domain/Network.ts"
import { testSettings } from "../../support/Settings.ts"
import { plain, rawServer, targetOf } from "../http-client/RawServer.ts"

const resting = (rest: Effect.Effect.Success<ReturnType<typeof make>>, host: string) =>
  Effect.match(rest.check(host), { onFailure: () => true, onSuccess: () => false })

describe("a host", () => {
  it.effect("rests after three connections in a row that failed, ever longer", () =>
    Effect.gen(function* () {
      const rest = yield* make()
      const fail = rest.notConnected("a 80")
      yield* fail
      yield* fail
      assert.isFalse(yield* resting(rest, "a 80"))
      yield* fail
      assert.isTrue(yield* resting(rest, "a 80"))
      assert.isFalse(yield* resting(rest, "a 443"))
      for (const seconds of [30, 60, 120, 240, 300, 300]) {
        yield* TestClock.adjust(`${seconds - 1} seconds`)
        assert.isTrue(yield* resting(rest, "a 80"), `${seconds}`)
        yield* TestClock.adjust("1 seconds")
        assert.isFalse(yield* resting(rest, "a 80"), `${seconds}`)
        yield* fail
      }
      yield* TestClock.adjust("301 seconds")
      yield* rest.connected("a 80")
      yield* fail
      yield* fail
      assert.isFalse(yield* resting(rest, "a 80"))
    })
  )

  it.effect("has failures forgotten that lie a minute back, and told once that came together", () =>
    Effect.gen(function* () {
      const rest = yield* make()
      for (let failure = 0; failure < 10; failure++) {
        yield* rest.notConnected("a 80")
        yield* TestClock.adjust("61 seconds")
      }
      assert.isFalse(yield* resting(rest, "a 80"))
      for (let failure = 0; failure < 10; failure++) yield* rest.notConnected("b 80")
      yield* TestClock.adjust("31 seconds")
      assert.isFalse(yield* resting(rest, "b 80"))
    })
  )

  it.effect("rests as long as its Retry-After says, an hour at most", () =>
    Effect.gen(function* () {
      const rest = yield* make()
      yield* rest.answered("a 80", 429, "120")
      yield* rest.connected("a 80")
      yield* TestClock.adjust("119 seconds")
      assert.isTrue(yield* resting(rest, "a 80"))
      yield* TestClock.adjust("2 seconds")
      assert.isFalse(yield* resting(rest, "a 80"))
      yield* rest.answered("a 80", 503, "999999999")
      yield* TestClock.adjust("59 minutes")
      assert.isTrue(yield* resting(rest, "a 80"))
      yield* TestClock.adjust("2 minutes")
      assert.isFalse(yield* resting(rest, "a 80"))
      for (const [status, header] of [
        [429, undefined],
        [503, "soon"],
        [500, "60"],
        [404, "60"],
        [200, "60"]
      ] as const) {
        yield* rest.answered("a 80", status, header)
        assert.isFalse(yield* resting(rest, "a 80"), `${status} ${header}`)
      }
    })
  )

  it.effect("takes bounded memory, however many there are", () =>
    Effect.gen(function* () {
      const rest = yield* make(100)
      for (let host = 0; host < 1_000; host++) yield* rest.answered(`${host} 80`, 429, "60")
      assert.isFalse(yield* resting(rest, "899 80"))
      assert.isTrue(yield* resting(rest, "900 80"))
      assert.isTrue(yield* resting(rest, "999 80"))
    })
  )

  it.scoped("that lets people wait for a connection until they go is one that cannot be connected to", () =>
    Effect.gen(function* () {
      const rest = yield* make()
      const policy = {
        allowedNetworks: [networkOf("10.0.0.1")].filter((one) => one !== null),
        allowedPorts: new Set([80])
      }
      const open = guarded(
        policy,
        () => Effect.succeed(["10.0.0.1"]),
        rest,
        () => Effect.never
      )
      const giveUpAfter = (seconds: number) =>
        Effect.gen(function* () {
          const waiting = yield* Effect.fork(Effect.scoped(open({ host: "hole.test", port: 80 })))
          yield* TestClock.adjust(`${seconds} seconds`)
          yield* Fiber.interrupt(waiting)
        })
      yield* Effect.replicateEffect(giveUpAfter(1), 5)
      assert.isFalse(yield* resting(rest, "hole.test 80"))
      yield* Effect.replicateEffect(giveUpAfter(5), 3)
      assert.isTrue(yield* resting(rest, "hole.test 80"))
    })
  )
})

layer(Layer.provide(Fetcher.layer, testSettings({ FETCH_ALLOWED_NETWORKS: "127.0.0.0/8" })))("a fetch", (it) => {
  const reasonOf = (url: string) =>
    Effect.flatMap(Fetcher, (service) => service.fetch(url)).pipe(
      Effect.map(({ status }) => String(status)),
      Effect.catchAll(({ reason }) => Effect.succeed(reason))
    )

  it.scoped("leaves a host alone that asked for it, and comes back", () =>
    Effect.gen(function* () {
      const server = yield* rawServer((socket, head) =>
        socket.end(targetOf(head) === "/busy" ? plain("429 Too Many", ["Retry-After: 60"]) : plain("200 OK", [], "ok"))
      )
      const base = `http://127.0.0.1:${server.port}`
      assert.strictEqual(yield* reasonOf(`${base}/`), "200")
      assert.strictEqual(yield* reasonOf(`${base}/busy`), "http_status")
      const before = yield* server.connections
      const error = yield* Effect.flip(Effect.flatMap(Fetcher, (service) => service.fetch(`${base}/`)))
      assert.deepInclude(
        { ...error },
        { _tag: "FetchFailed", url: `${base}/`, reason: "host_resting", status_code: null }
      )
      assert.strictEqual(yield* server.connections, before)
      yield* TestClock.adjust("61 seconds")
      assert.strictEqual(yield* reasonOf(`${base}/`), "200")
    })
  )

  it.scoped("leaves a host alone that refuses connections", () =>
    Effect.gen(function* () {
      const { port } = yield* Effect.scoped(rawServer(() => undefined))
      const url = `http://127.0.0.1:${port}/`
      const reasons = yield* Effect.replicateEffect(reasonOf(url), 4)
      assert.deepStrictEqual(reasons, ["connect_error", "connect_error", "connect_error", "host_resting"])
      yield* TestClock.adjust("31 seconds")
      assert.strictEqual(yield* reasonOf(url), "connect_error")
    })
  )

  it.scoped("keeps asking a host whose pages fail, break off, are too slow or no text", () =>
    Effect.gen(function* () {
      const answers: Readonly<Record<string, string>> = {
        "/404": plain("404 Not Found", ["Retry-After: 60"]),
        "/500": plain("500 Oops", ["Retry-After: 60"]),
        "/503": plain("503 Busy", []),
        "/429": plain("429 Too Many", []),
        "/cut": "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\ncut",
        "/garbage": "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 4\r\n\r\nnope",
        "/hangup": "",
        "/": plain("200 OK", [], "ok")
      }
      const server = yield* rawServer((socket, head) => {
        const answer = answers[targetOf(head)]
        if (answer !== undefined) socket.end(answer)
      })
      const base = `http://127.0.0.1:${server.port}`
      for (let round = 0; round < 4; round++) {
        for (const path of Object.keys(answers)) {
          const reason = yield* reasonOf(`${base}${path}`)
          assert.notStrictEqual(reason, "host_resting", path)
        }
        const slow = yield* Effect.fork(reasonOf(`${base}/never`))
        yield* TestClock.adjust("30 seconds")
        yield* Fiber.interrupt(slow)
      }
      assert.strictEqual(yield* reasonOf(`${base}/`), "200")
    })
  )
})
