import { FetchHttpClient } from "@effect/platform"
import { NodeHttpServer } from "@effect/platform-node"
import { expect, it, layer } from "@effect/vitest"
import { Effect, Layer, Logger, Schema, Stream } from "effect"
import { createServer } from "node:http"
import { MountedApps } from "../../src/http/MountedApps.ts"
import { rpcClient } from "../../src/http/Rpc/RpcClient.ts"
import { rpcApp } from "../../src/http/Rpc/RpcApp.ts"
import { httpApp } from "../../src/http/Server.ts"
import { Content } from "../../src/services/content/Content.ts"
import { Engines } from "../../src/services/engine/Engines.ts"
import { Health } from "../../src/services/health/Health.ts"
import { RateLimiter } from "../../src/services/rate-limiter/RateLimiter.ts"
import { RateLimiterStore } from "../../src/services/rate-limiter/Store.ts"
import { Search } from "../../src/services/search/Search.ts"
import { type Answer, type Call, call, failed, newClient } from "../support/Client.ts"
import { listen } from "../support/Listening.ts"
import { Server } from "../support/Server.ts"
import { testSettings } from "../support/Settings.ts"

const post = (body: string | Uint8Array, options: Call = {}) =>
  call("/rpc", { method: "POST", body, headers: { "Content-Type": "application/ndjson" }, ...options })

const request = (id: string, tag: string, payload?: unknown) =>
  `${JSON.stringify({ _tag: "Request", id, tag, payload, headers: [] })}\n`

const Message = Schema.Struct({ _tag: Schema.String, requestId: Schema.optional(Schema.String) })
const decode = Schema.decodeUnknownSync(Schema.parseJson(Message))

const messages = (answer: Answer) =>
  answer.text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => decode(line))

const remaining = (answer: Answer) => [
  answer.headers.get("ratelimit-policy"),
  answer.headers.get("x-ratelimit-remaining")
]

layer(Server.layer({ APP_ENV: "production", TRUST_PROXY: "1" }), { excludeTestServices: true })("/rpc", (it) => {
  it.effect("is for POST only", () =>
    Effect.gen(function* () {
      for (const method of ["GET", "HEAD", "PUT", "DELETE", "PATCH"]) {
        const answer = yield* call("/rpc", { method })
        expect(answer.status, method).toBe(405)
        expect(answer.headers.get("allow"), method).toBe("POST, OPTIONS")
      }
      const options = yield* call("/rpc", { method: "OPTIONS" })
      expect([options.status, options.headers.get("allow")]).toEqual([204, "POST, OPTIONS"])
    })
  )

  it.effect("says what is wrong with a body, and counts it", () =>
    Effect.gen(function* () {
      const from = newClient()
      const cases = [
        { body: "{", status: 400, error: "Malformed JSON" },
        { body: "", status: 422, error: "Invalid parameters" },
        { body: "\n\n", status: 422, error: "Invalid parameters" },
        { body: "null", status: 422, error: "Invalid parameters" },
        { body: "[]", status: 422, error: "Invalid parameters" },
        { body: '{"_tag":"Request","tag":"health"}', status: 422, error: "Invalid parameters" },
        { body: '{"_tag":"Request","id":"x","tag":"health"}', status: 422, error: "Invalid parameters" },
        { body: '{"_tag":"Request","id":"01","tag":"health"}', status: 422, error: "Invalid parameters" },
        { body: '{"_tag":"Request","id":7,"tag":"health"}', status: 422, error: "Invalid parameters" },
        { body: '{"_tag":"Nothing"}', status: 422, error: "Invalid parameters" },
        { body: `${request("1", "health")}{"_tag":`, status: 400, error: "Malformed JSON" },
        { body: request("1", "health") + request("1", "health"), status: 422, error: "Invalid parameters" },
        { body: new Uint8Array([0xff, 0xfe, 0x00]), status: 400, error: "Malformed JSON" },
        { body: " ".repeat(1_048_577), status: 413, error: "Payload too large" }
      ]
      for (const { body, error, status } of cases) {
        const answer = yield* post(body, { from })
        expect(answer.status, String(body).slice(0, 80)).toBe(status)
        expect((yield* failed(answer)).error).toBe(error)
      }
      const typed = yield* post(request("1", "health"), { from, headers: { "Content-Type": "text/plain" } })
      expect(typed.status).toBe(415)
      expect(remaining(yield* post(request("1", "health"), { from }))).toEqual(['"info";q=60;w=60', "44"])
    })
  )

  it.effect("answers every request of a body, without regard to its last line feed", () =>
    Effect.gen(function* () {
      const body = `${request("1", "health")}{"_tag":"Ping"}\n${request("2", "nothing")}${request("3", "text", {}).trim()}`
      const answer = yield* post(body)
      expect(answer.status).toBe(200)
      expect(messages(answer).map(({ _tag, requestId }) => [_tag, requestId])).toEqual([
        ["Pong", undefined],
        ["Exit", "2"],
        ["Exit", "3"],
        ["Exit", "1"]
      ])
    })
  )

  it.effect("refuses bodies that nest a hundred thousand deep, and bodies of thousands of requests", () =>
    Effect.gen(function* () {
      const deep = "[".repeat(100_000) + "]".repeat(100_000)
      for (const [tag, payload] of [
        ["text", `{"q":${deep}}`],
        ["text", deep],
        ["fetchMultiple", `{"urls":[${deep}]}`]
      ] as const) {
        const answer = yield* post(`{"_tag":"Request","id":"1","tag":"${tag}","payload":${payload}}`)
        expect([answer.status, answer.text]).toEqual([400, expect.stringContaining("Malformed JSON")])
      }
      const many = Array.from({ length: 10_000 }, (_, index) => request(String(index), "health"))
      const answers = messages(yield* post(many.slice(0, 100).join("")))
      expect(new Set(answers.map(({ requestId }) => requestId)).size).toBe(100)
      expect((yield* post(many.join(""))).status).toBe(422)
    })
  )

  it.effect("refuses parameters that are no object", () =>
    Effect.gen(function* () {
      for (const payload of [undefined, null, "q", 7, [], true]) {
        const answer = yield* post(request("1", "text", payload))
        expect(answer.status).toBe(200)
        expect(answer.text, String(payload)).toContain("InvalidParameters")
      }
    })
  )

  it.effect("shows on every answer the budget that was spent", () =>
    Effect.gen(function* () {
      const from = newClient()
      const wrong = [
        ["text", '"search";q=30;w=60', "29"],
        ["books", '"search";q=30;w=60', "28"],
        ["all", '"unified";q=10;w=60', "9"],
        ["searchAll", '"unified";q=10;w=60', "8"],
        ["fetch", '"content";q=30;w=60', "29"],
        ["fetchMultiple", '"content";q=30;w=60', "28"],
        ["health", '"info";q=60;w=60', "59"],
        ["nothing", '"info";q=60;w=60', "58"]
      ] as const
      for (const [tag, policy, left] of wrong) {
        expect(remaining(yield* post(request("1", tag, {}), { from })), tag).toEqual([policy, left])
      }
      for (let spent = 0; spent < 8; spent++) yield* post(request("1", "all", {}), { from })
      const over = yield* post(request("1", "all", {}), { from })
      expect(over.status).toBe(200)
      expect(Number(over.headers.get("retry-after"))).toBeGreaterThan(0)
      expect(over.text).toContain("RateLimitExceeded")
    })
  )

  it.effect("lets pages of other origins ask", () =>
    Effect.gen(function* () {
      const headers = {
        Origin: "https://app.example",
        "Access-Control-Request-Method": "POST",
        "Access-Control-Request-Headers": "content-type"
      }
      const preflight = yield* call("/rpc", { method: "OPTIONS", headers })
      expect(preflight.headers.get("access-control-allow-methods")).toContain("POST")
      expect(preflight.headers.get("access-control-allow-headers")).toBe("content-type")
    })
  )
})

const secret = "the password is swordfish"

const broken = Layer.mergeAll(
  Layer.mock(Search, {
    backendProblems: () => [],
    run: () => Effect.dieMessage(secret),
    all: () => Effect.die(new TypeError(secret)),
    stream: () => Stream.die(new Error(secret))
  }),
  Layer.mock(Content, {
    // No answer that its Schema would let pass.
    fetch: () => Effect.succeed(JSON.parse(`{"url":"${secret}"}`))
  }),
  Layer.mock(Health, { report: Effect.die({ secret }), readiness: Effect.die({ secret }) }),
  Layer.mock(Engines, { forKind: () => [], report: Effect.die({ secret }) }),
  RateLimiter.layer.pipe(Layer.provide(RateLimiterStore.layerMemory()))
)

it.scopedLive("tells the log of a defect, and the client no more than the request id", () =>
  Effect.gen(function* () {
    const log: Array<string> = []
    const logger = Logger.map(Logger.logfmtLogger, (line) => void log.push(line))
    const server = createServer()
    const app = httpApp.pipe(
      Layer.provide(Layer.scoped(MountedApps, Effect.all([rpcApp]))),
      Layer.provide(broken),
      Layer.provide(testSettings()),
      Layer.provide(NodeHttpServer.layer(() => server, { port: 0, host: "127.0.0.1" })),
      Layer.provide(Logger.replace(Logger.defaultLogger, logger))
    )
    yield* Layer.build(app)
    const address = server.address()
    const baseUrl = `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`
    const rpc = yield* Effect.provide(rpcClient({ baseUrl }), FetchHttpClient.layer)
    const failures = yield* Effect.all([
      Effect.flip(rpc.text({ q: "bridges" })),
      Effect.flip(rpc.all({ q: "bridges" })),
      Effect.flip(Stream.runDrain(rpc.searchAll({ q: "bridges" }))),
      Effect.flip(rpc.fetch({ url: "https://example.com/" })),
      Effect.flip(rpc.health()),
      Effect.flip(rpc.ready()),
      Effect.flip(rpc.engines())
    ])
    for (const failure of failures) {
      expect(failure).toMatchObject({ _tag: "InternalError", request_id: expect.stringMatching(/^[0-9a-f]{32}$/) })
      expect(JSON.stringify(failure)).not.toContain("swordfish")
    }
    expect(log.filter((line) => line.includes("swordfish"))).toHaveLength(6)
    for (const failure of failures) {
      expect(log.join()).toContain("request_id" in failure ? failure.request_id : "an id")
    }
  })
)

it.scopedLive("a client is told of an answer that comes from no procedure", () =>
  Effect.gen(function* () {
    const { port } = yield* listen(
      createServer((_, response) => {
        response.writeHead(502, { "Content-Type": "text/html" }).end("<h1>Bad Gateway</h1>")
      })
    )
    const rpc = yield* Effect.provide(rpcClient({ baseUrl: `http://127.0.0.1:${port}` }), FetchHttpClient.layer)
    expect((yield* Effect.flip(rpc.health()))._tag).toBe("RpcClientError")
    expect((yield* Effect.flip(Stream.runDrain(rpc.searchAll({ q: "bridges" }))))._tag).toBe("RpcClientError")
  })
)
