import { expect, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { Authority } from "../support/Certificates.ts"
import { call, failed, found, outcomes, search, unanswered } from "../support/Client.ts"
import { ContentWeb } from "../support/ContentWeb.ts"
import { post, toolCall } from "../support/Posted.ts"
import { quarry } from "../support/Quarry.ts"
import { Server, start } from "../support/Server.ts"
import { SocksProxy } from "../support/SocksProxy.ts"
import { TestWeb } from "../support/TestWeb.ts"
import * as Behaviour from "../support/upstream/Behaviour.ts"
import { allOf } from "../support/upstream/sites.ts"
import { isSlow, sample } from "../support/Cases.ts"

it.live("without allowed networks no fetch reaches this machine, by whatever name", () =>
  Effect.gen(function* () {
    const web = yield* ContentWeb
    const { port } = new URL(web.url("/"))
    const hosts = [
      "127.0.0.1",
      "localhost",
      "LOCALHOST.",
      "127.1",
      "2130706433",
      "0x7f.0.0.1",
      "[::ffff:127.0.0.1]",
      "[::]"
    ]
    for (const host of hosts) {
      const answer = yield* search("/api/content/fetch", { url: `http://${host}:${port}/article` })
      expect([answer.status, (yield* failed(answer)).error], host).toEqual([403, "URL not allowed"])
      expect((yield* failed(answer)).details, host).toMatchObject({ reason: "private_address" })
    }
    expect(yield* web.visits()).toEqual([])
  }).pipe(Effect.provide(Layer.merge(ContentWeb.layer, Server.layer({ APP_ENV: "development" }))))
)

it.live("an allowed network is allowed on any port, and what lies beside it is not", () =>
  Effect.gen(function* () {
    const web = yield* ContentWeb
    expect((yield* search("/api/content/fetch", { url: web.url("/article") })).status).toBe(200)
    const beside = yield* search("/api/content/fetch", { url: web.url("/article").replace("127.0.0.1", "127.0.0.2") })
    expect((yield* failed(beside)).details).toMatchObject({ reason: "private_address" })
  }).pipe(
    Effect.provide(
      Layer.merge(
        ContentWeb.layer,
        Server.layer({ FETCH_ALLOWED_NETWORKS: "127.0.0.1, 192.0.2.0/24", FETCH_ALLOWED_PORTS: "443" })
      )
    )
  )
)

it.live("only the named origins may call from a browser", () =>
  Effect.gen(function* () {
    const allowed = (origin: string, options: { readonly method?: string } = {}) =>
      Effect.map(
        call("/health", { ...options, headers: { Origin: origin, "Access-Control-Request-Method": "GET" } }),
        ({ headers }) => headers.get("access-control-allow-origin")
      )
    for (const method of ["GET", "OPTIONS"]) {
      expect(yield* allowed("https://app.example", { method })).toBe("https://app.example")
      expect(yield* allowed("https://other.example", { method })).toBe("https://other.example")
      for (const origin of ["https://evil.example", "https://app.example.evil.example", "http://app.example", "null"]) {
        expect(yield* allowed(origin, { method }), `${method} ${origin}`).toBeNull()
      }
    }
    const { headers } = yield* call("/health", { headers: { Origin: "https://app.example" } })
    expect(headers.get("vary")).toMatch(/origin/i)
  }).pipe(
    Effect.provide(Server.layer({ CORS_ORIGINS: "https://app.example, https://other.example/", TRUST_PROXY: "1" }))
  )
)

it.live("no cache means that every first page is asked anew, and later pages still follow it", () =>
  Effect.gen(function* () {
    const web = yield* TestWeb
    yield* web.behaveAll(Behaviour.generated(60))
    const page = (number: number) =>
      Effect.flatMap(search("/api/search/books", { q: "fresh bridge", page: number, max_results: 20 }), found)
    const first = yield* page(1)
    const second = yield* page(2)
    expect(new Set([...first.results, ...second.results].map(({ url }) => url)).size).toBe(40)
    yield* web.forget
    yield* page(1)
    expect((yield* web.requests("openlibrary")).length).toBeGreaterThan(0)
  }).pipe(Effect.provide(quarry({ CACHE_TTL: "0" })))
)

if (isSlow)
  it.live("the proxy turns away a wrong password, and needs none where it asks for none", () =>
    Effect.gen(function* () {
      const web = yield* TestWeb
      const proxy = yield* SocksProxy
      const { file } = yield* Authority
      yield* web.behaveAll(Behaviour.generated(5))
      const asked = (url: string) =>
        search("/api/search/books", { q: "bridge" }).pipe(
          Effect.provide(Layer.scoped(Server, start({ SEARCH_PROXY: url, NODE_EXTRA_CA_CERTS: file })))
        )
      expect((yield* asked(proxy.url)).status).toBe(200)
      expect((yield* asked(proxy.url.replace("socks5h:", "socks5:"))).status).toBe(200)
      expect((yield* proxy.connects).map(({ type }) => type)).not.toContain("ipv4")
      for (const login of sample(["quarry:wrong@", "", "nobody:p%40ss%3Aw%2Frd@"])) {
        const answer = yield* asked(`socks5h://${login}127.0.0.1:${proxy.port}`)
        expect(outcomes((yield* unanswered(answer)).sources), login).toEqual(allOf("books", "proxy_error"))
      }
      const open = yield* SocksProxy.pipe(
        Effect.map(({ url }) => url),
        Effect.flatMap(asked),
        Effect.provide(SocksProxy.layer({ route: (host) => web.route(host) }))
      )
      expect(open.status).toBe(200)
    }).pipe(Effect.provide(quarry()))
  )

if (isSlow)
  it.live("logs one JSON object a line to stderr, nothing to stdout, and no query or address", () =>
    Effect.gen(function* () {
      const web = yield* TestWeb
      const server = yield* Server
      const content = yield* ContentWeb
      const from = "203.0.113.77"
      const query = "a private bridge"
      const urls = ["/article", "/status/404", "/reset"].map((path) => content.url(`${path}?of=private-bridge`))
      const [url = "", ...others] = [...urls, "http://nowhere.invalid/private-bridge", "http://10.0.0.1/private-bridge"]
      yield* web.behaveAll(Behaviour.reset)
      yield* search("/api/search/all", { q: query }, { from })
      yield* search("/api/search/text", { q: query, page: 0, region: "private bridge" }, { from })
      yield* search("/api/content/fetch", { url }, { from })
      yield* call("/api/content/fetch-multiple", { json: { urls: others }, from })
      yield* call("/private-bridge", { from })
      yield* post(toolCall("search_books", { query, page: "private bridge" }), { from })
      yield* post([toolCall("search_books", { query }), toolCall("fetch_content", { url }, 2)], { from })
      const procedures = [
        { _tag: "Request", id: "1", tag: "books", payload: { q: query }, headers: [] },
        { _tag: "Request", id: "2", tag: "fetch", payload: { url }, headers: [] }
      ]
      const body = procedures.map((procedure) => `${JSON.stringify(procedure)}\n`).join("")
      yield* call("/rpc", { body, headers: { "Content-Type": "application/ndjson" }, from })
      yield* server.stop("SIGTERM")
      const lines = (yield* server.stderr).trimEnd().split("\n")
      for (const line of lines) expect(() => JSON.parse(line), line).not.toThrow()
      expect(lines.join("\n")).not.toMatch(/private(?: |\+|%20|-)bridge|203\.0\.113\.77|p%40ss|p@ss/)
      expect(yield* server.stdout).toBe("")
    }).pipe(Effect.provide(quarry({ APP_ENV: "production" })))
  )
