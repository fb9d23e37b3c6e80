import { expect, layer } from "@effect/vitest"
import { Effect } from "effect"
import { createHash } from "node:crypto"
import { type Call, call, failed, newClient } from "../support/Client.ts"
import { Server } from "../support/Server.ts"

const hash = (key: string) => createHash("sha256").update(key).digest("hex")

const bearer = (key: string) => ({ Authorization: `Bearer ${key}` })

const environment = {
  APP_ENV: "production",
  TRUST_PROXY: "1",
  LOG_LEVEL: "trace",
  API_KEYS: `alice:${hash("open-sesame-1")},alice:${hash("open-sesame-2")},bob:${hash("open-sesame-3")}`
}

const ping = { jsonrpc: "2.0", id: 1, method: "ping" }
const mcp = { json: ping }
const ndjson = { "Content-Type": "application/ndjson" }
const rpc = { headers: ndjson, body: '{"_tag":"Request","id":"1","tag":"health"}\n' }

/** Each asks for something that fails further in: no engine is bothered. */
const locked = [
  { path: "/api/search/text", options: {}, status: 422 },
  { path: "/api/search/all", options: {}, status: 422 },
  { path: "/api/content/fetch", options: {}, status: 422 },
  { path: "/api/content/fetch-multiple", options: { json: {} }, status: 422 },
  { path: "/api/content/fetch-multiple", options: { method: "GET" }, status: 405 },
  { path: "/api/engines", options: { method: "HEAD" }, status: 200 },
  { path: "/api/nowhere", options: {}, status: 404 },
  { path: "/ai/mcp", options: mcp, status: 200 },
  { path: "/ai/mcp", options: { method: "GET" }, status: 405 },
  { path: "/rpc", options: rpc, status: 200 }
] as const

const headersOf = (options: Call) => options.headers ?? {}

layer(Server.layer(environment), { excludeTestServices: true, timeout: "30 seconds" })("with keys set", (it) => {
  it.effect("nothing but the pages and health is open without one", () =>
    Effect.gen(function* () {
      const wrong = [
        {},
        bearer("open-sesame-4"),
        bearer(""),
        bearer(hash("open-sesame-1")),
        { Authorization: "open-sesame-1" },
        { Authorization: `Basic ${btoa("alice:open-sesame-1")}` },
        { "X-Api-Key": "open-sesame-1" }
      ]
      for (const { options, path } of locked) {
        for (const headers of wrong) {
          const answer = yield* call(path, { ...options, headers: { ...headersOf(options), ...headers } })
          expect(answer.status, `${path} ${JSON.stringify(headers)}`).toBe(401)
          if (!("method" in options && options.method === "HEAD")) {
            expect(yield* failed(answer)).toEqual({ success: false, error: "Unauthorized", details: null })
          }
          expect(answer.headers.get("www-authenticate")).toMatch(/^Bearer\b/)
          expect(answer.headers.get("ratelimit-policy")).toBe('"info";q=60;w=60')
          expect(answer.headers.get("access-control-allow-origin")).toBe("*")
        }
      }
      for (const path of ["/", "/health", "/docs", "/redoc", "/openapi.json"]) {
        expect((yield* call(path)).status, path).toBe(200)
      }
      expect((yield* call("/nowhere")).status).toBe(404)
      const preflight = yield* call("/api/search/text", {
        method: "OPTIONS",
        headers: {
          Origin: "https://app.example",
          "Access-Control-Request-Method": "GET",
          "Access-Control-Request-Headers": "authorization"
        }
      })
      expect([preflight.status, preflight.headers.get("access-control-allow-headers")]).toEqual([204, "authorization"])
    })
  )

  it.effect("everything is open with one, by each interface", () =>
    Effect.gen(function* () {
      for (const key of ["open-sesame-1", "open-sesame-2", "open-sesame-3"]) {
        for (const { options, path, status } of locked) {
          expect(
            (yield* call(path, { ...options, headers: { ...headersOf(options), ...bearer(key) } })).status,
            `${path} ${key}`
          ).toBe(status)
        }
      }
      expect((yield* call("/api/engines", { headers: { authorization: "bearer  open-sesame-3 " } })).status).toBe(200)
    })
  )

  it.effect("budgets are those of a name, over all its keys, addresses and interfaces", () =>
    Effect.gen(function* () {
      const remaining = (key: string, path: string, from = newClient()) =>
        Effect.map(call(path, { from, headers: bearer(key) }), ({ headers }) =>
          Number(headers.get("x-ratelimit-remaining"))
        )
      const first = yield* remaining("open-sesame-1", "/api/search/all")
      expect(yield* remaining("open-sesame-2", "/api/search/all")).toBe(first - 1)
      const body = '{"_tag":"Request","id":"1","tag":"all","payload":{}}\n'
      yield* call("/rpc", { body, headers: { ...ndjson, ...bearer("open-sesame-1") } })
      expect(yield* remaining("open-sesame-1", "/api/search/all")).toBe(first - 3)
      const before = yield* remaining("open-sesame-3", "/api/search/all", "10.1.2.3")
      yield* Effect.replicateEffect(call("/api/search/all", { from: "10.1.2.3" }), 20)
      expect(yield* remaining("open-sesame-3", "/api/search/all", "10.1.2.3")).toBe(before - 1)
    })
  )

  it.effect("guessing runs into the guesser's own limit", () =>
    Effect.gen(function* () {
      const from = newClient()
      const guess = (number: number) => call("/api/engines", { from, headers: bearer(`guess-${number}`) })
      const answers = yield* Effect.forEach(
        Array.from({ length: 70 }, (_, number) => number),
        guess,
        { concurrency: 8 }
      )
      expect(answers.filter(({ status }) => status === 401)).toHaveLength(60)
      expect(answers.filter(({ status }) => status === 429)).toHaveLength(10)
      expect((yield* call("/api/engines", { from, headers: bearer("open-sesame-3") })).status).toBe(200)
    })
  )

  it.effect("no key is in a log or an answer", () =>
    Effect.gen(function* () {
      const server = yield* Server
      const engines = yield* call("/api/engines", { headers: bearer("open-sesame-3") })
      for (const text of [engines.text, yield* server.stderr, yield* server.stdout]) {
        expect(text).not.toContain("sesame")
        expect(text).not.toContain(hash("open-sesame-3"))
      }
    })
  )
})
