import { HttpServer, HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { assert, describe, it, vi } from "@effect/vitest"
import { Deferred, Effect, Layer, Stream } from "effect"
import { connect } from "node:net"
import { Drain } from "../../src/http/Drain.ts"
import { serverLayers, SocketLimits } from "../../src/http/NodeServer.ts"
import { testSettings } from "../support/Settings.ts"

vi.setConfig({ testTimeout: 120_000 })

/** Milliseconds that no test takes: each test shortens the limits that it is about, and no other one can act first. */
const limits: SocketLimits["Type"] = {
  headersTimeout: 600_000,
  requestTimeout: 600_000,
  keepAliveTimeout: 600_000,
  connectionsCheckingInterval: 50,
  refusalTimeout: 600_000,
  restTimeout: 600_000,
  writeTimeout: 600_000
}

/** Answers `/early` at once, `/late` after a time in milliseconds, and `/endless` for ever. */
const appOf = (cut: Deferred.Deferred<void>, late: number) =>
  Effect.gen(function* () {
    const { url } = yield* HttpServerRequest.HttpServerRequest
    if (url === "/early") return HttpServerResponse.text("too much", { status: 413 })
    if (url === "/late") return yield* Effect.delay(HttpServerResponse.text("late"), late)
    if (url !== "/endless") return yield* Effect.never
    const body = Stream.repeatValue(Buffer.alloc(1024 * 1024))
    return HttpServerResponse.stream(Stream.ensuring(body, Deferred.succeed(cut, undefined)))
  })

/** The port, and what is done when `/endless` is read no more. */
const serving = (given: Partial<SocketLimits["Type"]>, late = 0) =>
  Effect.gen(function* () {
    const cut = yield* Deferred.make<void>()
    const layer = Layer.unwrapEffect(
      Effect.map(serverLayers, ({ server }) => HttpServer.serve(appOf(cut, late)).pipe(Layer.provideMerge(server)))
    ).pipe(
      Layer.provide([
        testSettings({ HOST: "127.0.0.1", PORT: "0" }),
        Drain.layer,
        Layer.succeed(SocketLimits, { ...limits, ...given })
      ])
    )
    const { address } = yield* Effect.map(Layer.build(layer), (context) =>
      HttpServer.HttpServer.pipe(Effect.provide(context))
    ).pipe(Effect.flatten)
    return { port: address._tag === "TcpAddress" ? address.port : 0, cut: Deferred.await(cut) }
  })

/** Says something and then a piece at a time for ever, whatever it hears, until the connection is gone. */
const dripping = (port: number, first: string, drop: string, every = 50) =>
  Effect.async<string>((resume) => {
    const heard: Array<string> = []
    // What it is told does not make it go: it has to be cut off.
    const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true }, () => {
      socket.write(first)
      const drops = setInterval(() => void (socket.writable && socket.write(drop)), every)
      socket.on("close", () => clearInterval(drops))
    })
    socket.on("error", () => undefined)
    socket.on("data", (data) => void heard.push(data.toString("utf8")))
    socket.on("close", () => resume(Effect.succeed(heard.join(""))))
    return Effect.sync(() => socket.destroy())
  })

const statusesOf = (text: string): ReadonlyArray<string> => text.match(/(?<=HTTP\/1\.1 )\d+/g) ?? []

const chunked = "Host: x\r\nTransfer-Encoding: chunked\r\n\r\n"

describe("a connection is cut off", () => {
  it.scopedLive("of who is too slow with headers or body, after a 408 in the envelope", () =>
    Effect.gen(function* () {
      const { port } = yield* serving({ headersTimeout: 500, requestTimeout: 1_000, refusalTimeout: 200 })
      const slow = [
        dripping(port, "GET /health HTTP/1.1\r\nHost: x\r\nX-A: ", "a"),
        dripping(port, "GET /he", "a"),
        dripping(port, "POST /ai/mcp HTTP/1.1\r\nHost: x\r\nContent-Length: 100000\r\n\r\n", "1"),
        dripping(port, `POST /ai/mcp HTTP/1.1\r\n${chunked}`, "1\r\na\r\n")
      ]
      for (const heard of yield* Effect.all(slow, { concurrency: "unbounded" })) {
        assert.match(heard, /^HTTP\/1\.1 408 /)
        assert.include(heard, '{"success":false,"error":"Request timeout","details":null}')
      }
    })
  )

  it.scopedLive("that is refused for what it says, and goes on saying it", () =>
    Effect.gen(function* () {
      const { port } = yield* serving({ refusalTimeout: 200 })
      for (const [first, status] of [
        ["nonsense\r\n\r\n", "400"],
        ["CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n", "400"],
        [`GET / HTTP/1.1\r\nX: ${"x".repeat(20_000)}`, "431"]
      ] as const) {
        assert.deepStrictEqual(statusesOf(yield* dripping(port, first, "more", 5)), [status])
      }
    })
  )

  it.scopedLive("that sends on and on after its request was answered", () =>
    Effect.gen(function* () {
      const { port } = yield* serving({ restTimeout: 200 })
      const piece = `10000\r\n${"x".repeat(0x10000)}\r\n`
      assert.deepStrictEqual(statusesOf(yield* dripping(port, `POST /early HTTP/1.1\r\n${chunked}`, piece, 5)), ["413"])
    })
  )

  it.scopedLive("that does not read its answers", () =>
    Effect.gen(function* () {
      const { cut, port } = yield* serving({ writeTimeout: 300 })
      const socket = connect(port, "127.0.0.1", () =>
        socket.write("GET /endless HTTP/1.1\r\nHost: x\r\n\r\n".repeat(2))
      )
      yield* Effect.addFinalizer(() => Effect.sync(() => socket.destroy()))
      socket.on("error", () => undefined).pause()
      yield* cut
    })
  )
})

it.scopedLive("who waits for an answer of ours, or sends the rest of a body in time, is left in peace", () =>
  Effect.gen(function* () {
    // Answers take longer than either limit. The client has all of that to send its next request, or the rest of one.
    const { port } = yield* serving({ restTimeout: 2_000, writeTimeout: 2_000 }, 3_000)
    const talk = (first: string, then: string, until: RegExp) =>
      Effect.async<string>((resume) => {
        let heard = ""
        const socket = connect(port, "127.0.0.1", () => socket.write(first))
        socket.on("error", () => undefined)
        socket.on("data", (data) => {
          if (heard === "") socket.write(then)
          heard += data.toString("utf8")
          if (until.test(heard)) socket.end()
        })
        socket.on("close", () => resume(Effect.succeed(heard)))
      })
    const early = "GET /early HTTP/1.1\r\nHost: x\r\n\r\n"
    const late = "GET /late HTTP/1.1\r\nHost: x\r\n\r\n"
    const talks = [
      talk(late, early, /too much$/),
      talk(`${early}${late}`, "", /late$/),
      talk(`POST /early HTTP/1.1\r\n${chunked}`, `1\r\na\r\n0\r\n\r\n${late}`, /late$/)
    ]
    assert.deepStrictEqual((yield* Effect.all(talks, { concurrency: "unbounded" })).map(statusesOf), [
      ["200", "413"],
      ["413", "200"],
      ["413", "200"]
    ])
  })
)

it.effect("ten seconds are for the headers, thirty for all; soon after an answer it is over", () =>
  Effect.gen(function* () {
    assert.deepInclude(yield* SocketLimits, {
      headersTimeout: 10_000,
      requestTimeout: 30_000,
      refusalTimeout: 1_000,
      restTimeout: 5_000,
      writeTimeout: 30_000
    })
  })
)
