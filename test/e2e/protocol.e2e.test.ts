import { expect, layer } from "@effect/vitest"
import { Effect } from "effect"
import { connect } from "node:net"
import { type Answer, type Call, call, failed, search } from "../support/Client.ts"
import { ContentWeb } from "../support/ContentWeb.ts"
import { quarry } from "../support/Quarry.ts"
import { Server } from "../support/Server.ts"
import { TestWeb } from "../support/TestWeb.ts"
import * as Behaviour from "../support/upstream/Behaviour.ts"
import { upstreamsOf } from "../support/upstream/sites.ts"

const json = { "Content-Type": "application/json" }
const batch = "/api/content/fetch-multiple"

/** What every response says of the budget spent, in both spellings. */
const expectBudget = (answer: Answer, group: string, limit: number) => {
  const header = (name: string) => answer.headers.get(name) ?? `(no ${name})`
  const now = Date.now() / 1000
  expect(header("x-ratelimit-limit")).toBe(String(limit))
  expect(header("x-ratelimit-remaining")).toMatch(/^\d+$/)
  expect(header("x-ratelimit-reset")).toMatch(/^\d+$/)
  expect(Number(header("x-ratelimit-reset"))).toBeGreaterThan(now - 1)
  expect(Number(header("x-ratelimit-reset"))).toBeLessThan(now + 62)
  expect(header("ratelimit")).toMatch(new RegExp(`^"${group}";r=${header("x-ratelimit-remaining")};t=\\d+$`))
  expect(header("ratelimit-policy")).toBe(`"${group}";q=${limit};w=60`)
  expect(header("x-request-id")).toMatch(/^[A-Za-z0-9._-]{1,128}$/)
}

interface Case {
  readonly path: string
  readonly options?: Call
  readonly status: number
  readonly group: "search" | "unified" | "content" | "info"
}

const limits = { search: 100, unified: 50, content: 100, info: 200 } as const

const cases: ReadonlyArray<Case> = [
  { path: "/", status: 200, group: "info" },
  { path: "/", options: { method: "HEAD" }, status: 200, group: "info" },
  { path: "/health", status: 200, group: "info" },
  { path: "/health", options: { method: "HEAD" }, status: 200, group: "info" },
  { path: "/openapi.json", status: 200, group: "info" },
  { path: "/api/engines", status: 200, group: "info" },
  { path: "/api/engines", options: { method: "HEAD" }, status: 200, group: "info" },
  { path: "/nowhere", status: 404, group: "info" },
  { path: "/nowhere", options: { method: "HEAD" }, status: 404, group: "info" },
  { path: "/nowhere", options: { method: "POST", body: "{", headers: json }, status: 404, group: "info" },
  { path: "/api", status: 404, group: "info" },
  { path: "/health", options: { method: "POST", body: "x" }, status: 405, group: "info" },
  { path: "/api/search/text?q=bridges", status: 200, group: "search" },
  { path: "/api/search/text?q=bridges", options: { method: "HEAD" }, status: 200, group: "search" },
  { path: "/api/search/text", status: 422, group: "search" },
  { path: "/api/search/text", options: { method: "HEAD" }, status: 422, group: "search" },
  { path: "/api/search/text", options: { method: "PUT", body: "x" }, status: 405, group: "search" },
  { path: "/api/search/news?q=nobody", status: 502, group: "search" },
  { path: "/api/search/all?q=bridges", status: 200, group: "unified" },
  { path: "/api/search/all", options: { method: "POST" }, status: 405, group: "unified" },
  { path: "/api/content/fetch", status: 422, group: "content" },
  { path: "/api/content/fetch?url=http://10.0.0.1/", status: 403, group: "content" },
  { path: "/api/content/fetch?url=http://127.0.0.1:1/", status: 502, group: "content" },
  { path: "/api/content/fetch", options: { method: "DELETE" }, status: 405, group: "content" },
  { path: batch, status: 405, group: "content" },
  { path: batch, options: { method: "HEAD" }, status: 405, group: "content" },
  { path: batch, options: { json: { urls: [] } }, status: 422, group: "content" },
  { path: batch, options: { body: "{", headers: json }, status: 400, group: "content" },
  { path: batch, options: { body: "x", headers: { "Content-Type": "text/plain" } }, status: 415, group: "content" },
  { path: batch, options: { body: " ".repeat(1_100_000), headers: json }, status: 413, group: "content" },
  {
    path: "/api/search/text",
    options: { method: "OPTIONS", headers: { Origin: "https://app.example", "Access-Control-Request-Method": "GET" } },
    status: 204,
    group: "search"
  }
]

layer(quarry({ SEARCH_TIMEOUT: "2" }), { excludeTestServices: true, timeout: "30 seconds" })("the protocol", (it) => {
  it.effect("every response carries the budget and a request id", () =>
    Effect.gen(function* () {
      const web = yield* TestWeb
      yield* web.behaveAll(Behaviour.generated(5))
      for (const engine of upstreamsOf("news")) yield* web.behave(engine, Behaviour.status(500))
      for (const { group, options, path, status } of cases) {
        const answer = yield* call(path, options)
        const label = `${options?.method ?? ""} ${path}`
        expect(answer.status, `${label} ${answer.text}`).toBe(status)
        expectBudget(answer, group, limits[group])
        if (options?.method === "HEAD" || status === 204) expect(answer.text, label).toBe("")
        else expect(answer.headers.get("content-type"), label).toMatch(/^application\/json/)
        if (status >= 400 && options?.method !== "HEAD") yield* failed(answer)
      }
    })
  )

  it.effect("says that a path is unknown, whatever the method", () =>
    Effect.gen(function* () {
      for (const method of ["GET", "POST", "PUT", "DELETE", "PATCH"]) {
        const answer = yield* call("/api/search/maps", { method })
        expect([answer.status, answer.body]).toEqual([404, { success: false, error: "Not found", details: null }])
      }
    })
  )

  it.effect("says which methods a path has", () =>
    Effect.gen(function* () {
      for (const path of ["/", "/health", "/api/search/text", "/api/search/all", "/api/content/fetch", batch]) {
        const wrong = path === batch ? "GET" : "POST"
        const answer = yield* call(path, { method: wrong })
        const allow = (answer.headers.get("allow") ?? "").split(/, */)
        expect(answer.status, path).toBe(405)
        expect(allow, path).toEqual(expect.arrayContaining(path === batch ? ["POST"] : ["GET", "HEAD"]))
        expect(allow, path).not.toContain(wrong)
        expect(answer.body).toEqual({ success: false, error: "Method not allowed", details: { allowed: allow } })
      }
    })
  )

  it.effect("HEAD says what GET would, without a body", () =>
    Effect.gen(function* () {
      const path = "/api/search/text?q=heads"
      yield* Effect.flatMap(TestWeb, (web) => web.behaveAll(Behaviour.generated(5)))
      yield* call(path)
      const got = yield* call(path)
      const head = yield* call(path, { method: "HEAD" })
      expect([head.status, head.text]).toEqual([200, ""])
      expect(head.headers.get("content-type")).toBe(got.headers.get("content-type"))
    })
  )

  it.effect("keeps the caller's request id when it is one, and makes one up otherwise", () =>
    Effect.gen(function* () {
      const id = (given: string) =>
        Effect.map(call("/health", { headers: { "X-Request-Id": given } }), ({ headers }) =>
          headers.get("x-request-id")
        )
      expect(yield* id("trace.4-2_A")).toBe("trace.4-2_A")
      expect(yield* id("x".repeat(128))).toBe("x".repeat(128))
      const made = yield* Effect.forEach(["", "with space", "x".repeat(129), "<b>", "ünïcode"], id)
      for (const one of made) expect(one).toMatch(/^[A-Za-z0-9._-]{8,128}$/)
      expect(new Set(made).size).toBe(made.length)
    })
  )

  it.effect("browsers may call it from anywhere and read its headers", () =>
    Effect.gen(function* () {
      const headers = { Origin: "https://app.example" }
      const preflight = yield* call(batch, {
        method: "OPTIONS",
        headers: {
          ...headers,
          "Access-Control-Request-Method": "POST",
          "Access-Control-Request-Headers": "content-type"
        }
      })
      expect(preflight.headers.get("access-control-allow-origin")).toBe("*")
      expect(preflight.headers.get("access-control-allow-methods")).toContain("POST")
      expect(preflight.headers.get("access-control-allow-headers")?.toLowerCase()).toContain("content-type")
      for (const answer of [yield* call("/health", { headers }), yield* call("/nowhere", { headers })]) {
        expect(answer.headers.get("access-control-allow-origin")).toBe("*")
        const exposed = answer.headers.get("access-control-expose-headers")?.toLowerCase() ?? ""
        for (const name of [
          "x-ratelimit-limit",
          "x-ratelimit-remaining",
          "x-ratelimit-reset",
          "ratelimit",
          "ratelimit-policy",
          "retry-after",
          "x-request-id"
        ]) {
          expect(exposed.split(/, */)).toContain(name)
        }
      }
    })
  )

  it.effect("describes itself", () =>
    Effect.gen(function* () {
      const home = yield* call("/")
      expect(home.body).toMatchObject({
        name: expect.any(String),
        description: expect.any(String),
        version: expect.stringMatching(/^\d+\.\d+\.\d+/),
        environment: "development",
        endpoints: expect.arrayContaining([
          { method: "GET", path: "/api/search/text", description: expect.any(String) },
          { method: "POST", path: batch, description: expect.any(String) }
        ]),
        rate_limits: expect.anything(),
        documentation: expect.anything()
      })
      expect((yield* call("/health")).body).toEqual({
        status: "healthy",
        service: "quarry",
        version: expect.any(String),
        uptime_seconds: expect.any(Number)
      })
    })
  )

  it.effect("what Node's parser refuses is answered in the envelope too", () =>
    Effect.gen(function* () {
      const bad = yield* raw("NOT A REQUEST\r\n\r\n")
      expect(bad).toMatch(/^HTTP\/1\.1 400 /)
      expect(bad).toContain('{"success":false,"error":"Bad request","details":null}')
      const large = yield* raw(`GET /health HTTP/1.1\r\nHost: x\r\nX-Large: ${"x".repeat(70_000)}\r\n\r\n`)
      expect(large).toMatch(/^HTTP\/1\.1 431 /)
      expect(large).toContain('{"success":false,"error":"Headers too large","details":null}')
      expect((yield* call("/health")).status).toBe(200)
    })
  )

  it.effect("answers requests in one connection one after the other, and survives one that goes away", () =>
    Effect.gen(function* () {
      const web = yield* TestWeb
      yield* web.behaveAll(Behaviour.hang)
      const { baseUrl } = yield* Server
      const leaving = new AbortController()
      const gone = fetch(`${baseUrl}/api/search/text?q=leaving`, { signal: leaving.signal }).catch(() => "gone")
      yield* web.arrived("mojeek", 1)
      leaving.abort()
      expect(yield* Effect.promise(() => gone)).toBe("gone")
      const answers = yield* raw(
        ["GET /health", "GET /nowhere", "GET /health"]
          .map((line, index) => `${line} HTTP/1.1\r\nHost: x\r\n${index === 2 ? "Connection: close\r\n" : ""}\r\n`)
          .join("")
      )
      expect(answers.match(/HTTP\/1\.1 \d+/g)).toEqual(["HTTP/1.1 200", "HTTP/1.1 404", "HTTP/1.1 200"])
      const stderr = yield* Effect.flatMap(Server, (server) => server.stderr)
      expect(stderr).not.toMatch(/"level":"(ERROR|FATAL)"|defect/i)
    })
  )

  it.effect("never tells the outside of its inside", () =>
    Effect.gen(function* () {
      const content = yield* ContentWeb
      const answers = [
        yield* search("/api/content/fetch", { url: content.url("/reset") }),
        yield* call("/api/search/text?q=%00%ff"),
        yield* call("/api/search/text?q=a&max_results=%F0%28%8C%28"),
        yield* call("/%E0%A4%A"),
        yield* call("/api/../../etc/passwd")
      ]
      for (const answer of answers) {
        expect(answer.status, answer.text).not.toBe(500)
        expect(answer.text).not.toMatch(/node_modules|at [A-Za-z.]+ \(|\/work\/|dist\/main/)
      }
    })
  )
})

/** Sends bytes and gives all that comes back until the server hangs up. */
const raw = (bytes: string) =>
  Effect.gen(function* () {
    const { port } = yield* Server
    return yield* Effect.async<string>((resume) => {
      const heard: Array<string> = []
      const socket = connect(port, "127.0.0.1", () => void socket.write(bytes))
      socket.on("error", () => undefined)
      socket.on("data", (data) => void heard.push(data.toString("utf8")))
      socket.on("close", () => resume(Effect.succeed(heard.join(""))))
    })
  })
