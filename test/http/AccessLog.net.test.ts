import { NodeHttpServer } from "@effect/platform-node"
import { expect, it } from "@effect/vitest"
import { Effect, Layer, Logger, Schema } from "effect"
import { createServer } from "node:http"
import { vi } from "vitest"
import { httpApp } from "../../src/http/Server.ts"
import { Content } from "../../src/services/content/Content.ts"
import { EngineClient } from "../../src/services/engine/runtime/client/EngineClient.ts"
import { EngineHealth } from "../../src/services/engine/runtime/health/EngineHealth.ts"
import { EnginePages } from "../../src/services/engine/runtime/EnginePages.ts"
import { Engines } from "../../src/services/engine/Engines.ts"
import { type Engine } from "../../src/services/engine/Engine.ts"
import { Health } from "../../src/services/health/Health.ts"
import { logging } from "../../src/services/logging/Logging.ts"
import { RateLimiter } from "../../src/services/rate-limiter/RateLimiter.ts"
import { RateLimiterStore } from "../../src/services/rate-limiter/Store.ts"
import { Search } from "../../src/services/search/Search.ts"
import { testSettings } from "../support/Settings.ts"

const throwing: Engine = {
  name: "throwing",
  website: "https://example.com",
  documentation: "https://example.com",
  access: "api",
  sources: {
    text: {
      weight: 1,
      honours: [],
      request: () => ({ method: "GET", url: "https://example.com/", persona: "program", follow: false }),
      parse: (_, { text }) => {
        throw new RangeError(`cannot read https://engine.example/find/planted?q=${encodeURIComponent(text)} of ${text}`)
      }
    }
  }
}

const client = Layer.succeed(EngineClient, {
  send: ({ url }) => Effect.succeed({ status: 200, headers: {}, url, body: "" })
})

const Entry = Schema.parseJson(
  Schema.Struct({
    message: Schema.String,
    logLevel: Schema.String,
    cause: Schema.optional(Schema.String),
    annotations: Schema.Record({ key: Schema.String, value: Schema.Unknown })
  })
)

/** What a server over the throwing engine writes to stderr for one search. */
const logOfSearch = (level: string) =>
  Effect.gen(function* () {
    const spy = yield* Effect.acquireRelease(
      Effect.sync(() => vi.spyOn(console, "error").mockImplementation(() => undefined)),
      (installed) => Effect.sync(() => installed.mockRestore())
    )
    const server = createServer()
    const answered = Effect.promise(
      () => new Promise<void>((resolve) => server.on("request", (_, response) => response.once("close", resolve)))
    )
    const services = Layer.mergeAll(
      Search.layer,
      Health.layer,
      Layer.mock(Content, {}),
      RateLimiter.layer.pipe(Layer.provide(RateLimiterStore.layerMemory()))
    ).pipe(
      Layer.provideMerge(Engines.layerOf([throwing])),
      Layer.provide([client, EngineHealth.layerMemory, EnginePages.layerMemory()])
    )
    yield* httpApp.pipe(
      Layer.provide(services),
      Layer.provide(logging),
      Layer.provide(testSettings({ LOG_LEVEL: level })),
      Layer.provide(NodeHttpServer.layer(() => server, { port: 0, host: "127.0.0.1" })),
      Layer.provide(Logger.remove(Logger.defaultLogger)),
      Layer.build
    )
    const address = server.address()
    const port = typeof address === "object" && address !== null ? address.port : 0
    const [response] = yield* Effect.all(
      [Effect.promise(() => fetch(`http://127.0.0.1:${port}/api/search/text?q=planted+words`)), answered],
      { concurrency: "unbounded" }
    )
    // The line is written right after the answer has ended.
    yield* Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))
    const lines = spy.mock.calls.map((args) => args.join(" "))
    const entries = lines.map((line) => Schema.decodeUnknownSync(Entry)(line))
    return { status: response.status, id: response.headers.get("x-request-id"), text: lines.join("\n"), entries }
  })

it.scopedLive("logs a throwing engine with its stack, a 502 with its reasons, and one access line", () =>
  Effect.gen(function* () {
    const { entries, id, status, text } = yield* logOfSearch("info")
    expect(status).toBe(502)
    expect(text).not.toContain("planted")
    const of = (message: string) => entries.filter((entry) => entry.message === message)
    const [defect] = of("engine defect")
    expect(defect).toMatchObject({
      logLevel: "ERROR",
      annotations: { engine: "throwing", kind: "text", request_id: id }
    })
    expect(defect?.cause).toContain("RangeError: cannot read https://engine.example/(hidden) of (hidden)")
    expect(defect?.cause).toMatch(/\n\s+at .*AccessLog\.net\.test\.ts:\d+:\d+/)
    const engines = { throwing: "layout_changed" }
    expect(of("search failed")).toMatchObject([{ logLevel: "WARN", annotations: { request_id: id, engines } }])
    const [access, ...more] = of("request")
    expect(more).toEqual([])
    expect(access).toMatchObject({
      logLevel: "INFO",
      annotations: { request_id: id, method: "GET", route: "/api/search/text", status: 502, engines }
    })
    expect(access?.annotations).toMatchObject({
      ms: expect.any(Number),
      client: expect.stringMatching(/^[0-9a-f]{12}$/)
    })
  })
)

it.scopedLive("LOG_LEVEL=warn silences access lines, and no warning", () =>
  Effect.gen(function* () {
    const { entries } = yield* logOfSearch("warn")
    expect(entries.map(({ message }) => message).toSorted()).toEqual(["engine defect", "search failed"])
  })
)
