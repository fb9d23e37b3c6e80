import { HttpServer } from "@effect/platform"
import { assert, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { connect } from "node:net"
import { Drain } from "../../src/http/Drain.ts"
import { serverLayers, SocketLimits } from "../../src/http/NodeServer.ts"
import { testSettings } from "../support/Settings.ts"

/** Milliseconds: far less than what is served with, so that the test is soon over. */
const limits = { headersTimeout: 500, requestTimeout: 1_000, keepAliveTimeout: 500, connectionsCheckingInterval: 50 }

const serving = Layer.unwrapEffect(
  Effect.map(serverLayers, ({ server }) => HttpServer.serve(Effect.never).pipe(Layer.provideMerge(server)))
).pipe(
  Layer.provide([testSettings({ HOST: "127.0.0.1", PORT: "0" }), Drain.layer, Layer.succeed(SocketLimits, limits)])
)

/** Says something and then a byte at a time for ever; what it hears until it is cut off. */
const dripping = (port: number, first: string, drop: string) =>
  Effect.async<string>((resume) => {
    const heard: Array<string> = []
    const socket = connect(port, "127.0.0.1", () => socket.write(first))
    const drops = setInterval(() => void (socket.writable && socket.write(drop)), 50)
    socket.on("error", () => undefined)
    socket.on("data", (data) => void heard.push(data.toString("utf8")))
    socket.on("close", () => {
      clearInterval(drops)
      resume(Effect.succeed(heard.join("")))
    })
  })

it.scopedLive("who is too slow with headers or body gets a 408 in the envelope, and is cut off", () =>
  Effect.gen(function* () {
    const { address } = yield* HttpServer.HttpServer
    const port = address._tag === "TcpAddress" ? address.port : 0
    const slow = [
      dripping(port, "GET /health HTTP/1.1\r\nHost: x\r\nX-A: ", "a"),
      dripping(port, "GET /he", "a"),
      dripping(port, "POST /ai/mcp HTTP/1.1\r\nHost: x\r\nContent-Length: 100000\r\n\r\n", "1"),
      dripping(port, "POST /ai/mcp HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n", "1\r\na\r\n")
    ]
    for (const heard of yield* Effect.all(slow, { concurrency: "unbounded" })) {
      assert.match(heard, /^HTTP\/1\.1 408 /)
      assert.include(heard, '{"success":false,"error":"Request timeout","details":null}')
    }
  }).pipe(Effect.provide(serving))
)

it.effect("ten seconds are for the headers, thirty for all", () =>
  Effect.gen(function* () {
    assert.deepInclude(yield* SocketLimits, { headersTimeout: 10_000, requestTimeout: 30_000 })
  })
)
