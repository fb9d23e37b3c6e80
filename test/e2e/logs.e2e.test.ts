import { expect, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { createHash } from "node:crypto"
import { call, search } from "../support/Client.ts"
import { ContentWeb } from "../support/ContentWeb.ts"
import { post, toolCall } from "../support/Posted.ts"
import { quarry } from "../support/Quarry.ts"
import { Server } from "../support/Server.ts"
import { TestWeb } from "../support/TestWeb.ts"
import * as Behaviour from "../support/upstream/Behaviour.ts"

const Line = Schema.parseJson(
  Schema.Struct({
    message: Schema.String,
    logLevel: Schema.String,
    annotations: Schema.Record({ key: Schema.String, value: Schema.Unknown })
  })
)

const from = "203.0.113.77"
const key = "planted-client-key"
const environment = {
  APP_ENV: "production",
  API_KEYS: `operator:${createHash("sha256").update(key).digest("hex")}`,
  EXA_API_KEY: "planted-engine-key",
  GOOGLE_CSE_ID: "planted-engine-id",
  SEARCH_TIMOUT: "planted-value",
  ENGINES_DISABLED: "bing,exa"
}
const authorized = { Authorization: `Bearer ${key}`, Cookie: "session=planted-cookie" }

const sent = Effect.gen(function* () {
  const web = yield* TestWeb
  const content = yield* ContentWeb
  const options = { from, headers: authorized }
  const url = content.url("/article?planted=target-query")
  const query = { q: "planted query" }
  const withId = (id: string) => ({ ...options, headers: { ...authorized, "X-Request-Id": id } })
  yield* web.behaveAll(Behaviour.generated(5))
  yield* search("/api/search/books", query, withId("ok"))
  yield* search("/api/content/fetch", { url }, withId("fetched"))
  yield* search("/api/content/fetch", { url: "http://alice:planted@10.0.0.1/planted" }, withId("refused"))
  yield* search("/api/content/fetch", { url: content.url("/status/500?planted=1") }, withId("bad-target"))
  yield* search("/api/search/text", { ...query, max_results: 0, region: "planted" }, withId("invalid"))
  yield* call("/planted/path?planted=1", withId("unknown"))
  yield* search("/api/search/text", query, {
    from,
    headers: { "X-Request-Id": "locked", Authorization: "Bearer planted" }
  })
  yield* post(toolCall("search_books", { query: query.q }), withId("tool"))
  yield* post(toolCall("fetch_content", { url }), withId("fetch-tool"))
  yield* post(toolCall("planted_tool", { url }), withId("no-tool"))
  const requests = [
    { _tag: "Request", id: "1", tag: "books", payload: query, headers: [] },
    { _tag: "Request", id: "2", tag: "fetch", payload: { url }, headers: [] }
  ]
  const body = requests.map((request) => `${JSON.stringify(request)}\n`).join("")
  const rpc = withId("procedures")
  yield* call("/rpc", { ...rpc, body, headers: { ...rpc.headers, "Content-Type": "application/ndjson" } })
  yield* web.behaveAll(Behaviour.reset)
  yield* search("/api/search/videos", { q: "planted failure" }, withId("all-down"))
  yield* post(toolCall("search_videos", { query: "planted failure" }), withId("tool-down"))
})

/** The members of the access lines, by request id. */
const expected = {
  ok: ["GET", "/api/search/books", 200, { engines: expect.objectContaining({ openlibrary: "ok" }) }],
  fetched: ["GET", "/api/content/fetch", 200, { targets: ["127.0.0.1"] }],
  refused: ["GET", "/api/content/fetch", 403, { targets: ["10.0.0.1"] }],
  "bad-target": ["GET", "/api/content/fetch", 502, { targets: ["127.0.0.1"] }],
  invalid: ["GET", "/api/search/text", 422, {}],
  unknown: ["GET", "unknown", 404, {}],
  locked: ["GET", "/api/search/text", 401, {}],
  tool: ["POST", "/ai/mcp", 200, { calls: ["search_books"], engines: expect.any(Object) }],
  "fetch-tool": ["POST", "/ai/mcp", 200, { calls: ["fetch_content"], targets: ["127.0.0.1"] }],
  "no-tool": ["POST", "/ai/mcp", expect.any(Number), {}],
  procedures: [
    "POST",
    "/rpc",
    200,
    {
      calls: expect.arrayContaining(["books", "fetch"]),
      engines: expect.objectContaining({ openlibrary: "ok" }),
      targets: ["127.0.0.1"]
    }
  ],
  "all-down": [
    "GET",
    "/api/search/videos",
    502,
    { engines: expect.objectContaining({ dailymotion: "connect_error" }) }
  ],
  "tool-down": ["POST", "/ai/mcp", 200, { calls: ["search_videos"], engines: expect.any(Object) }]
} as const

it.live("each request has one access line, each failure its reasons, and no line anything private", () =>
  Effect.gen(function* () {
    const server = yield* Server
    yield* sent
    yield* server.stop("SIGTERM")
    const stderr = yield* server.stderr
    expect(stderr).not.toMatch(/planted-|planted(?: |\+|%20|\/|=|_)|alice|203\.0\.113\.77|p%40ss|p@ss|target-query/)
    const lines = stderr
      .trimEnd()
      .split("\n")
      .map((line) => Schema.decodeUnknownSync(Line)(line))
    const of = (message: string) => lines.filter((line) => line.message === message)

    const access = new Map(of("request").map(({ annotations: { request_id, ...members } }) => [request_id, members]))
    // One more is that of the test's own look at /health.
    expect(of("request")).toHaveLength(Object.keys(expected).length + 1)
    for (const [id, [method, route, status, more]] of Object.entries(expected)) {
      const always = { ms: expect.any(Number), client: expect.stringMatching(/^[0-9a-f]{12}$/) }
      expect(access.get(id), id).toEqual({ method, route, status, ...always, ...more })
    }
    expect(new Set(Array.from(access.values(), ({ client }) => client)).size).toBe(3)

    const warned = (id: string) =>
      lines.filter((line) => line.logLevel === "WARN" && line.annotations["request_id"] === id)
    const down = { engines: expect.objectContaining({ dailymotion: expect.any(String) }) }
    expect(warned("all-down")).toMatchObject([{ message: "search failed", annotations: down }])
    expect(warned("tool-down")).toMatchObject([{ message: "search failed", annotations: down }])
    expect(warned("bad-target")).toMatchObject([
      { message: "fetch failed", annotations: { target: "127.0.0.1", reason: "http_status", status_code: 500 } }
    ])
    expect(of("SEARCH_TIMOUT is not a setting; did you mean SEARCH_TIMEOUT?")).toHaveLength(1)
    expect(of("GOOGLE_CSE_ID has no effect without GOOGLE_API_KEY")).toHaveLength(1)
    expect(of("listening")).toMatchObject([
      {
        annotations: {
          proxy: expect.stringMatching(/^127\.0\.0\.1:\d+$/),
          url: server.baseUrl,
          version: expect.any(String),
          environment: "production",
          engines: expect.arrayContaining(["mojeek"]),
          engines_left_out: { bing: "disabled", exa: "disabled", tavily: "needs TAVILY_API_KEY" },
          rate_limits: { window_seconds: 60, search: 30, unified: 10, content: 30, info: 60 }
        }
      }
    ])
  }).pipe(Effect.provide(quarry(environment)))
)
