import { FetchHttpClient, HttpClient, HttpClientRequest } from "@effect/platform"
import { expect, layer } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { EngineList } from "../../src/domain/Info.ts"
import { restClient } from "../../src/http/Client.ts"
import { engines } from "../../src/services/engine/catalogue/registry.ts"
import { type Answer, call, failed, found, newClient, outcomes, search } from "../support/Client.ts"
import { quarry } from "../support/Quarry.ts"
import { connect } from "../support/RpcClient.ts"
import { Server } from "../support/Server.ts"
import { TestWeb } from "../support/TestWeb.ts"
import * as Behaviour from "../support/upstream/Behaviour.ts"
import { upstreamsOf } from "../support/upstream/sites.ts"

const decode = Schema.decodeUnknown(EngineList, { onExcessProperty: "error" })

const listed = Effect.flatMap(call("/api/engines"), ({ body, status }) => {
  expect(status).toBe(200)
  return Effect.orDie(decode(body))
})

const engine = (name: string) =>
  Effect.flatMap(listed, (list) => Effect.orDie(Effect.fromNullable(list.engines.find((one) => one.name === name))))

const rest = Effect.flatMap(Server, ({ baseUrl }) =>
  restClient({
    baseUrl,
    transformClient: HttpClient.mapRequest(HttpClientRequest.setHeader("X-Forwarded-For", newClient()))
  })
).pipe(Effect.provide(FetchHttpClient.layer))

const blocked = (kind: "books" | "videos", query: string) =>
  Effect.gen(function* () {
    const web = yield* TestWeb
    yield* web.behaveAll(Behaviour.block)
    const names = upstreamsOf(kind)
    // Named, every one of them is asked.
    const answer = yield* search(`/api/search/${kind}`, {
      q: query,
      ...(kind === "books" ? { backend: names.join() } : {})
    })
    expect(answer.status).toBe(502)
    return names
  })

const retryAfter = ({ headers }: Answer) => Number(headers.get("retry-after"))

const keyless = engines.filter(({ keys }) => keys?.required !== true)

layer(quarry(), { excludeTestServices: true })("GET /api/engines", (it) => {
  it.effect("lists what needs no key, and what it can do", () =>
    Effect.gen(function* () {
      const list = yield* listed
      expect(list.engines.map(({ name }) => name)).toEqual(keyless.map(({ name }) => name))
      expect(list.engines_count).toBe(keyless.length)
      const { health, kinds, needs_key, rest } = yield* engine("mojeek")
      expect([needs_key, rest, health.last_error]).toEqual([false, null, null])
      expect(kinds.text?.honours).toContain("region")
      expect(kinds.text?.regions).toEqual({ except: [] })
      expect((yield* engine("brave")).kinds.text?.regions?.except).toContain("is-is")
      expect((yield* engine("mwmbl")).kinds.text?.regions).toBeNull()
      expect(kinds.books).toBeNull()
    })
  )

  it.effect("tells of successes and empties, of a block with its rest and reason", () =>
    Effect.gen(function* () {
      const web = yield* TestWeb
      yield* web.behaveAll(Behaviour.generated(5))
      const good = yield* search("/api/search/text", { q: "tall bridges", backend: "wikipedia" })
      expect(good.status).toBe(200)
      yield* web.behave("wikipedia", Behaviour.empty)
      expect((yield* search("/api/search/text", { q: "no bridges", backend: "wikipedia" })).status).toBe(200)
      yield* web.behave("mojeek", Behaviour.block)
      expect((yield* search("/api/search/text", { q: "a blocked bridge", backend: "mojeek" })).status).toBe(502)

      expect(yield* engine("wikipedia")).toMatchObject({
        health: { successes: 1, empties: 1, last_error: null, latency_ms: { p50: expect.any(Number) } },
        rest: null
      })
      const { health, rest } = yield* engine("mojeek")
      expect(health).toMatchObject({ successes: 0, failures: { blocked: 1 }, last_error: { outcome: "blocked" } })
      expect(rest).toMatchObject({ reason: "blocked", level: 1 })
      expect(Date.parse(rest?.until ?? "")).toBeGreaterThan(Date.parse(rest?.since ?? ""))

      const after = yield* search("/api/search/text", { q: "another bridge" })
      expect(outcomes((yield* found(after)).sources)).toMatchObject({ mojeek: "suspended" })
    })
  )

  it.scoped("is the same over RPC and by the typed client", () =>
    Effect.gen(function* () {
      const list = yield* listed
      expect(yield* (yield* connect()).engines()).toEqual(list)
      expect(yield* (yield* rest).engines()).toEqual(list)
    })
  )
})

const key = "tavily-secret-of-the-operator"

layer(quarry({ TAVILY_API_KEY: key, ENGINES_DISABLED: "mojeek" }), { excludeTestServices: true })("the list", (it) => {
  it.effect("has the engines that have their key, without the key, and none that is disabled", () =>
    Effect.gen(function* () {
      const answer = yield* call("/api/engines")
      const names = (yield* Effect.orDie(decode(answer.body))).engines.map(({ name }) => name)
      expect(names).toContain("tavily")
      expect(names).not.toContain("mojeek")
      expect(names).not.toContain("exa")
      expect(answer.text).not.toContain(key)
      expect((yield* engine("tavily")).needs_key).toBe(true)
    })
  )
})

layer(quarry(), { excludeTestServices: true })("readiness", (it) => {
  it.scoped("is there while every kind has a usable engine, and gone with the last one of a kind", () =>
    Effect.gen(function* () {
      const well = yield* call("/ready")
      expect([well.status, well.body]).toEqual([200, { success: true, status: "ready" }])
      expect((yield* call("/health")).body).toMatchObject({ status: "healthy" })
      const rpc = yield* connect()
      expect(yield* rpc.ready()).toEqual({ success: true, status: "ready" })

      const names = yield* blocked("books", "blocked bridges")
      for (const name of names) expect((yield* engine(name)).rest, name).toMatchObject({ reason: "blocked" })

      const before = Date.now()
      const unwell = yield* call("/ready")
      const after = Date.now()
      expect([unwell.status, yield* failed(unwell)]).toEqual([
        503,
        { success: false, error: "Not ready", details: { kinds: ["books"] } }
      ])
      const ends = (yield* listed).engines.flatMap(({ name, rest }) =>
        names.some((one) => one === name) && rest !== null ? [Date.parse(rest.until)] : []
      )
      // The first probe may be sent at the end of the first rest, in whole seconds from when it was asked.
      const end = Math.min(...ends)
      expect(end).toBeGreaterThan(before + (retryAfter(unwell) - 1) * 1_000 - 1)
      expect(end).toBeLessThanOrEqual(after + retryAfter(unwell) * 1_000)
      const health = yield* call("/health")
      expect([health.status, health.body]).toMatchObject([200, { status: "degraded" }])

      expect(yield* Effect.flip(rpc.ready())).toMatchObject({ _tag: "NotReady", kinds: ["books"] })
      expect(yield* Effect.flip((yield* rest).ready())).toMatchObject({ _tag: "NotReady", kinds: ["books"] })

      yield* blocked("videos", "more blocked bridges")
      expect((yield* failed(yield* call("/ready"))).details).toEqual({ kinds: ["videos", "books"] })
    })
  )

  it.effect("is asked by HEAD too, and by nothing else", () =>
    Effect.gen(function* () {
      for (const path of ["/ready", "/api/engines"]) {
        const get = yield* call(path)
        const head = yield* call(path, { method: "HEAD" })
        expect([head.status, head.text]).toEqual([get.status, ""])
        const post = yield* call(path, { method: "POST" })
        expect([post.status, post.headers.get("allow")]).toEqual([405, "GET, HEAD, OPTIONS"])
        expect(get.headers.get("ratelimit-policy")).toContain('"info"')
      }
    })
  )
})

layer(quarry({ ENGINES_DISABLED: upstreamsOf("books").join() }), { excludeTestServices: true })("a kind", (it) => {
  it.effect("without any engine is not ready for good", () =>
    Effect.gen(function* () {
      const answer = yield* call("/ready")
      expect([answer.status, (yield* failed(answer)).details]).toEqual([503, { kinds: ["books"] }])
      expect(retryAfter(answer)).toBe(60)
    })
  )
})
