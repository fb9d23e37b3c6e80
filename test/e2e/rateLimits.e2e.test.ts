import { expect, it, layer } from "@effect/vitest"
import { Effect } from "effect"
import { type Answer, call, newClient, search } from "../support/Client.ts"
import { type Environment, Server } from "../support/Server.ts"

/** Needs no upstream: a request that fails validation is counted like any other. */
const serving = (environment: Environment) => Effect.provide(Server.layer(environment))

const numberIn = (answer: Answer, name: string) => Number(answer.headers.get(name))

const searches = ["text", "images", "videos", "news", "books"].map((kind) => `/api/search/${kind}`)

const groups = {
  search: { limit: 30, paths: searches },
  unified: { limit: 10, paths: ["/api/search/all"] },
  content: { limit: 30, paths: ["/api/content/fetch"] },
  info: { limit: 60, paths: ["/", "/health", "/openapi.json", "/nowhere", "/api/search", "/api/search/texts"] }
} as const

/** Eighty at once, over the paths of a group. */
const eighty = (paths: ReadonlyArray<string>, from: string) =>
  Effect.forEach(
    Array.from({ length: 80 }, (_, index) => paths[index % paths.length] ?? "/"),
    (path) => call(path, { from }),
    { concurrency: "unbounded" }
  )

/** What is left for a client after one more request, by the forwarded address it claims. */
const left = (forwarded: string | null, headers: Readonly<Record<string, string>> = {}) =>
  Effect.gen(function* () {
    const { baseUrl } = yield* Server
    const response = yield* Effect.promise(() =>
      fetch(`${baseUrl}/health`, {
        headers: { ...headers, ...(forwarded === null ? {} : { "X-Forwarded-For": forwarded }) }
      })
    )
    return Number(response.headers.get("x-ratelimit-remaining"))
  })

/** One server: every test is a client of its own. */
layer(Server.layer({ APP_ENV: "production", TRUST_PROXY: "1" }), { excludeTestServices: true })(
  "in production",
  (it) => {
    it.effect("budgets are exact under eighty parallel requests, each group for itself", () =>
      Effect.gen(function* () {
        const from = newClient()
        for (const [group, { limit, paths }] of Object.entries(groups)) {
          const answers = yield* eighty(paths, from)
          const admitted = answers.filter(({ status }) => status !== 429)
          expect(admitted, group).toHaveLength(limit)
          const remaining = admitted
            .map((answer) => numberIn(answer, "x-ratelimit-remaining"))
            .toSorted((a, b) => a - b)
          expect(remaining, group).toEqual(Array.from({ length: limit }, (_, index) => index))
          expect(new Set(answers.map((answer) => numberIn(answer, "x-ratelimit-reset"))).size, group).toBe(1)
          for (const refused of answers.filter(({ status }) => status === 429)) {
            const retryAfter = numberIn(refused, "retry-after")
            expect(retryAfter).toBeGreaterThanOrEqual(1)
            expect(retryAfter).toBeLessThanOrEqual(60)
            expect(Number.isInteger(retryAfter)).toBe(true)
            expect(numberIn(refused, "x-ratelimit-remaining")).toBe(0)
            expect(refused.body).toEqual({
              success: false,
              error: "Rate limit exceeded",
              details: { group, limit, window_seconds: 60, retry_after: retryAfter }
            })
          }
        }
      })
    )

    it.effect("no spelling of a path escapes its group", () =>
      Effect.gen(function* () {
        const from = newClient()
        yield* eighty(["/api/search/all"], from)
        const spellings = [
          "/API/search/all",
          "/api/search/all/",
          "//api//search/all",
          "/api/search/%61ll",
          "/api/./search/all"
        ]
        for (const spelling of spellings) {
          const answer = yield* search(spelling, { q: "bridges" }, { from })
          expect(answer.status, spelling).not.toBe(200)
          expect([404, 429], spelling).toContain(answer.status)
        }
      })
    )

    it.effect("a preflight spends nothing, a wrong method spends its path's budget", () =>
      Effect.gen(function* () {
        const from = newClient()
        const preflight = {
          from,
          method: "OPTIONS",
          headers: { Origin: "https://app.example", "Access-Control-Request-Method": "GET" }
        }
        for (let times = 0; times < 3; times++) {
          const answer = yield* call("/api/search/text", preflight)
          expect(answer.status).toBeLessThan(300)
          expect(numberIn(answer, "x-ratelimit-remaining")).toBe(30)
        }
        const wrong = yield* call("/api/search/text", { from, method: "DELETE" })
        expect([wrong.status, numberIn(wrong, "x-ratelimit-limit"), numberIn(wrong, "x-ratelimit-remaining")]).toEqual([
          405, 30, 29
        ])
      })
    )

    it.effect("with one hop trusted, the last address counts and what stands before it is nothing", () =>
      Effect.gen(function* () {
        expect(yield* left("203.0.113.1")).toBe(59)
        expect(yield* left("198.51.100.7, 203.0.113.1")).toBe(58)
        expect(yield* left("203.0.113.1, 203.0.113.2")).toBe(59)
        expect(yield* left("203.0.113.1", { "X-Real-IP": "203.0.113.9" })).toBe(57)
      })
    )

    it.effect("IPv6 is counted by its /64, a mapped address as the IPv4 one", () =>
      Effect.gen(function* () {
        expect(yield* left("2001:db8:1:2::1")).toBe(59)
        expect(yield* left("2001:db8:1:2:ffff:ffff:ffff:ffff")).toBe(58)
        expect(yield* left("2001:db8:1:3::1")).toBe(59)
        expect(yield* left("203.0.113.5")).toBe(59)
        expect(yield* left("::ffff:203.0.113.5")).toBe(58)
      })
    )
  }
)

it.live("development has the larger table, and a batch is one request", () =>
  Effect.gen(function* () {
    const limits = yield* Effect.forEach(
      ["/api/search/text", "/api/search/all", "/api/content/fetch", "/health"],
      (path) => Effect.map(call(path), (answer) => numberIn(answer, "x-ratelimit-limit"))
    )
    expect(limits).toEqual([100, 50, 100, 200])
    const batch = yield* call("/api/content/fetch-multiple", {
      json: { urls: ["http://127.0.0.1:1/", "http://[::1]/"] }
    })
    expect(numberIn(batch, "x-ratelimit-remaining")).toBe(99)
  }).pipe(serving({ APP_ENV: "development", TRUST_PROXY: "1" }))
)

it.live("nobody's forwarded address is believed unless told", () =>
  Effect.gen(function* () {
    expect(yield* left(null)).toBeLessThan(60)
    const first = yield* left("203.0.113.1")
    expect(yield* left("203.0.113.2")).toBe(first - 1)
    const names = ["Forwarded", "X-Real-IP", "CF-Connecting-IP", "True-Client-IP", "X-Client-IP", "X-Forwarded-Host"]
    expect(yield* left(null, Object.fromEntries(names.map((name) => [name, "203.0.113.9"])))).toBe(first - 2)
  }).pipe(serving({ APP_ENV: "production" }))
)

it.live("with networks trusted, the last address outside of them counts", () =>
  Effect.gen(function* () {
    expect(yield* left("203.0.113.1")).toBe(59)
    expect(yield* left("203.0.113.1, 10.1.2.3")).toBe(58)
    expect(yield* left("198.51.100.7, 203.0.113.1, 10.1.2.3, 127.0.0.9")).toBe(57)
    expect(yield* left("10.1.2.3, 203.0.113.2")).toBe(59)
  }).pipe(serving({ APP_ENV: "production", TRUST_PROXY: "127.0.0.0/8, 10.0.0.0/8" }))
)

it.live("a network that the peer is not of is believed nothing", () =>
  Effect.gen(function* () {
    const first = yield* left("203.0.113.1")
    expect(yield* left("203.0.113.2")).toBe(first - 1)
  }).pipe(serving({ APP_ENV: "production", TRUST_PROXY: "192.0.2.0/24" }))
)
