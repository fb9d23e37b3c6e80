import { NodeHttpServer } from "@effect/platform-node"
import { expect, it } from "@effect/vitest"
import { Effect, Layer, Logger, Schema } from "effect"
import { createServer } from "node:http"
import { MountedApps } from "../../src/http/MountedApps.ts"
import { httpApp } from "../../src/http/Server.ts"
import { Content } from "../../src/services/content/Content.ts"
import { Engines } from "../../src/services/engine/Engines.ts"
import { Health } from "../../src/services/health/Health.ts"
import { RateLimiter } from "../../src/services/rate-limiter/RateLimiter.ts"
import { RateLimiterStore } from "../../src/services/rate-limiter/Store.ts"
import { Search } from "../../src/services/search/Search.ts"
import { testSettings } from "../support/Settings.ts"

const secret = "the password is swordfish"
const dies = Effect.die(new TypeError(secret))

const broken = Layer.mergeAll(
  Layer.mock(Search, { backendProblems: () => [], run: () => dies, all: () => dies }),
  Layer.mock(Content, {
    // No answer that its Schema would let pass.
    fetch: () => Effect.succeed(JSON.parse(`{"url":"${secret}"}`)),
    fetchAll: () => dies
  }),
  Layer.mock(Health, { report: dies, readiness: dies }),
  Layer.mock(Engines, { forKind: () => [], report: dies }),
  RateLimiter.layer.pipe(Layer.provide(RateLimiterStore.layerMemory()))
)

const batch = {
  method: "POST",
  headers: { "Content-Type": "application/json" },
  body: '{"urls":["https://a.example/"]}'
}

const asked: ReadonlyArray<readonly [path: string, init: RequestInit]> = [
  ["/api/search/text?q=bridges", {}],
  ["/api/search/all?q=bridges", {}],
  ["/api/content/fetch?url=https://a.example/", {}],
  ["/api/content/fetch-multiple", batch],
  ["/api/engines", {}],
  ["/health", {}],
  ["/health", { method: "HEAD" }]
]

const Envelope = Schema.parseJson(
  Schema.Struct({
    success: Schema.Literal(false),
    error: Schema.Literal("Internal server error"),
    details: Schema.Struct({ request_id: Schema.String.pipe(Schema.pattern(/^[0-9a-f]{32}$/)) })
  })
)

const decode = Schema.decodeUnknownSync(Envelope, { onExcessProperty: "error" })

it.scopedLive("a defect is in the log, and shows the client its request id and nothing else", () =>
  Effect.gen(function* () {
    const log: Array<string> = []
    const server = createServer()
    const app = httpApp.pipe(
      Layer.provide(Layer.succeed(MountedApps, [])),
      Layer.provide(broken),
      Layer.provide(testSettings()),
      Layer.provide(NodeHttpServer.layer(() => server, { port: 0, host: "127.0.0.1" })),
      Layer.provide(
        Logger.replace(
          Logger.defaultLogger,
          Logger.map(Logger.logfmtLogger, (line) => void log.push(line))
        )
      )
    )
    yield* Layer.build(app)
    const address = server.address()
    const baseUrl = `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`
    for (const [path, init] of asked) {
      const response = yield* Effect.promise(() => fetch(`${baseUrl}${path}`, init))
      const text = yield* Effect.promise(() => response.text())
      expect(response.status, `${path} ${text}`).toBe(500)
      expect(JSON.stringify([...response.headers]), path).not.toContain("swordfish")
      const id = response.headers.get("x-request-id") ?? "an id"
      if (init.method === "HEAD") expect(text).toBe("")
      else expect(decode(text).details.request_id, path).toBe(id)
      expect(
        log.filter((line) => line.includes(id) && line.includes("level=ERROR")),
        path
      ).toHaveLength(1)
    }
    // What is wrong with an answer is told in other words.
    expect(log.filter((line) => line.includes("swordfish"))).toHaveLength(asked.length - 1)
  })
)
