import { expect, layer } from "@effect/vitest"
import { Effect, Either, Fiber, Queue, Stream } from "effect"
import { searchKinds } from "../../src/domain/SearchKind.ts"
import { failed, found, search } from "../support/Client.ts"
import { ContentWeb } from "../support/ContentWeb.ts"
import { only, quarry } from "../support/Quarry.ts"
import { connect } from "../support/RpcClient.ts"
import { TestWeb } from "../support/TestWeb.ts"
import * as Behaviour from "../support/upstream/Behaviour.ts"

layer(quarry(), { excludeTestServices: true })("RPC", (it) => {
  it.scoped("gives what REST gives, with the same defaults", () =>
    Effect.gen(function* () {
      const web = yield* TestWeb
      yield* web.behaveAll(Behaviour.generated(30))
      const rpc = yield* connect()
      for (const kind of searchKinds) {
        const over = yield* rpc[kind]({ q: `bridges of ${kind}` })
        const rest = yield* Effect.flatMap(search(`/api/search/${kind}`, { q: `bridges of ${kind}` }), found)
        expect(over.results).toHaveLength(10)
        expect(over.results).toEqual(rest.results)
        expect(over.sources.every(({ outcome }) => outcome === "ok")).toBe(true)
      }
      expect(yield* rpc.health()).toMatchObject({ status: "healthy", service: "quarry" })
    })
  )

  it.scoped("takes numbers as numbers and words in any letter case", () =>
    Effect.gen(function* () {
      const web = yield* TestWeb
      yield* web.behaveAll(Behaviour.generated(30))
      const rpc = yield* connect()
      const second = yield* rpc.text({ q: "  tall bridges ", page: 2, max_results: 3, backend: "Mojeek" })
      expect(second).toMatchObject({ query: "tall bridges", page: 2, results_count: 3 })
      expect(second.sources.map(({ engine }) => engine)).toEqual(["mojeek"])
    })
  )

  it.scoped("reads pages, one and several", () =>
    Effect.gen(function* () {
      const content = yield* ContentWeb
      const rpc = yield* connect()
      const url = content.url("/article")
      const one = yield* rpc.fetch({ url, max_length: 200 })
      expect(one.returned_length).toBeGreaterThan(0)
      expect(one.next_offset).not.toBeNull()
      const several = yield* rpc.fetchMultiple({ urls: [url, "not a URL"], max_length: 200 })
      expect(several.results[0]).toMatchObject({ success: true, content: one.content })
      expect(several.results[1]).toMatchObject({ success: false, error: "Invalid parameters" })
    })
  )

  it.scoped("names every wrong parameter as REST does", () =>
    Effect.gen(function* () {
      const rpc = yield* connect()
      const wrong = { q: " ", max_results: 101, page: 1.5, region: "nowhere", backend: "altavista" }
      const over = yield* Effect.flip(rpc.text(wrong))
      const rest = yield* Effect.flatMap(search("/api/search/text", wrong), failed)
      expect(over._tag).toBe("InvalidParameters")
      expect(over).toMatchObject({ problems: rest.details })
      const unknown = yield* Effect.flip(rpc.text({ q: "bridges", backend: "altavista" }))
      expect(unknown).toMatchObject({ _tag: "InvalidParameters", problems: [{ field: "backend" }] })
      const deep = yield* Effect.flip(rpc.news({ q: "bridges", page: 11, max_results: 100 }))
      expect(deep).toMatchObject({ _tag: "InvalidParameters", problems: [{ field: "page" }] })
      const urls = yield* Effect.flip(rpc.fetchMultiple({ urls: [], timeout: 1 }))
      expect(urls).toMatchObject({ problems: [{ in: "body", field: "urls" }, { field: "timeout" }] })
      const control = yield* Effect.flip(rpc.fetch({ url: "http://127.0.0.1:1/o\nk" }))
      expect(control).toMatchObject({ problems: [{ field: "url" }] })
    })
  )

  it.scoped("fails with what failed", () =>
    Effect.gen(function* () {
      const rpc = yield* connect()
      expect(yield* Effect.flip(rpc.fetch({ url: "http://10.0.0.1/" }))).toMatchObject({
        _tag: "UrlNotAllowed",
        reason: "private_address"
      })
      const content = yield* ContentWeb
      expect(yield* Effect.flip(rpc.fetch({ url: content.url("/nowhere") }))).toMatchObject({
        _tag: "FetchFailed",
        reason: "http_status",
        status_code: 404
      })
    })
  )
})

const textual = ["wikipedia", "mojeek"] as const

/** A few engines of one kind each, so that all are asked at once and none is waited for by another kind. */
const asked = [...textual, "openverse", "youtube", "googlenews", "openlibrary"] as const

layer(quarry(only(...asked)), { excludeTestServices: true })("RPC by kind", (it) => {
  it.scoped("gives what REST gives of every kind", () =>
    Effect.gen(function* () {
      const web = yield* TestWeb
      yield* web.behaveAll(Behaviour.generated(30))
      const rpc = yield* connect()
      const all = yield* rpc.all({ q: "bridges", max_results_per_type: 2 })
      const rest = yield* search("/api/search/all", { q: "bridges", max_results_per_type: 2 })
      expect(rest.body).toMatchObject({ results: all.results, results_count: 10 })
    })
  )

  it.scoped("streams each kind as it completes, the slowest last", () =>
    Effect.gen(function* () {
      const web = yield* TestWeb
      const { open, opened } = Behaviour.gate()
      yield* web.behaveAll(Behaviour.generated(3))
      for (const engine of textual) {
        yield* web.behave(engine, Behaviour.held(opened, Behaviour.generated(3)))
      }
      const rpc = yield* connect()
      const parts = yield* Queue.unbounded<{ readonly kind: string; readonly count: number }>()
      const reading = yield* rpc.searchAll({ q: "slow bridges" }).pipe(
        Stream.runForEach(({ kind, receipt, results }) => {
          expect(receipt).toMatchObject({ error: null, results_count: results.length })
          return parts.offer({ kind, count: results.length })
        }),
        Effect.fork
      )
      const early = yield* Queue.takeN(parts, 4)
      expect(Array.from(early, ({ kind }) => kind).toSorted()).toEqual(["books", "images", "news", "videos"])
      expect(yield* Queue.size(parts)).toBe(0)
      yield* open
      yield* Fiber.join(reading)
      expect(Array.from(yield* Queue.takeAll(parts))).toMatchObject([{ kind: "text" }])
    })
  )

  it.scoped("fails with what each engine did", () =>
    Effect.gen(function* () {
      const web = yield* TestWeb
      yield* web.behave("openlibrary", Behaviour.reset)
      const rpc = yield* connect()
      expect(yield* Effect.flip(rpc.books({ q: "bridges that are cut" }))).toMatchObject({
        _tag: "SearchFailed",
        sources: [{ engine: "openlibrary", outcome: "connect_error", results_count: 0 }]
      })
    })
  )

  it.scoped("streams the parts of kinds that failed too, and fails when all did", () =>
    Effect.gen(function* () {
      const web = yield* TestWeb
      yield* web.behaveAll(Behaviour.reset)
      const rpc = yield* connect()
      const parts = yield* Queue.unbounded<string>()
      const failure = yield* rpc.searchAll({ q: "bridges that fell" }).pipe(
        Stream.runForEach(({ kind, receipt }) => parts.offer(`${kind}: ${receipt.error?.error}`)),
        Effect.flip
      )
      expect(Array.from(yield* Queue.takeAll(parts)).toSorted()).toEqual(
        searchKinds.map((kind) => `${kind}: Search failed`).toSorted()
      )
      const once = yield* Effect.flip(rpc.all({ q: "bridges that fell again" }))
      expect(failure._tag).toBe("SearchFailed")
      expect(once._tag).toBe("SearchFailed")
    })
  )
})

const patient = quarry({ SEARCH_TIMEOUT: "60", ...only(...asked) })

layer(patient, { excludeTestServices: true, timeout: "30 seconds" })("an RPC client", (it) => {
  const everyUpstreamArrived = Effect.flatMap(TestWeb, (web) =>
    Effect.forEach(asked, (engine) => web.arrived(engine, 1), { concurrency: "unbounded" })
  )
  const everyRequestOver = Effect.flatMap(TestWeb, (web) =>
    Effect.flatMap(web.requests(), (asked) => Effect.forEach(asked, ({ over }) => over))
  )

  it.scoped("that goes away is not searched for any longer", () =>
    Effect.gen(function* () {
      const web = yield* TestWeb
      yield* web.behaveAll(Behaviour.hang)
      const rpc = yield* connect()
      const leaving = yield* Effect.fork(rpc.all({ q: "a bridge to nobody" }))
      yield* everyUpstreamArrived
      yield* Fiber.interrupt(leaving)
      yield* everyRequestOver
    })
  )

  it.scoped("that has seen enough of a stream ends the rest of it", () =>
    Effect.gen(function* () {
      const web = yield* TestWeb
      yield* web.forget
      yield* web.behaveAll(Behaviour.hang)
      yield* web.behave("googlenews", Behaviour.generated(3))
      const rpc = yield* connect()
      const first = yield* rpc.searchAll({ q: "a bridge seen once" }).pipe(Stream.take(1), Stream.runCollect)
      expect(Array.from(first, ({ kind }) => kind)).toEqual(["news"])
      yield* everyUpstreamArrived
      yield* everyRequestOver
    })
  )
})

layer(quarry({ APP_ENV: "production" }), { excludeTestServices: true })("an RPC client's budget", (it) => {
  it.scoped("is the one of REST, and a call over it fails with its type", () =>
    Effect.gen(function* () {
      const from = "203.0.113.7"
      const rpc = yield* connect(from)
      for (let spent = 0; spent < 5; spent++) {
        yield* search("/api/search/all", { q: "" }, { from })
        yield* Effect.flip(rpc.all({ q: "" }))
      }
      const refused = yield* Effect.flip(rpc.all({ q: "bridges" }))
      expect(refused).toMatchObject({ _tag: "RateLimitExceeded", group: "unified", limit: 10, window_seconds: 60 })
      const streamed = yield* Effect.either(Stream.runDrain(rpc.searchAll({ q: "bridges" })))
      expect(Either.flip(streamed)).toMatchObject({ right: { _tag: "RateLimitExceeded" } })
      expect((yield* search("/api/search/all", { q: "" }, { from })).status).toBe(429)
      expect((yield* Effect.flip(rpc.text({ q: "" })))._tag).toBe("InvalidParameters")
    })
  )
})
