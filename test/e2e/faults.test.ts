import { expect, layer } from "@effect/vitest"
import { Duration, Effect, Fiber } from "effect"
import { searchKinds } from "../../src/domain/SearchKind.ts"
import { failed, found, outcomes, search, unanswered } from "../support/Client.ts"
import { quarry } from "../support/Quarry.ts"
import { SocksProxy } from "../support/SocksProxy.ts"
import { TestWeb } from "../support/TestWeb.ts"
import * as Behaviour from "../support/upstream/Behaviour.ts"
import { allOf, keyless } from "../support/upstream/sites.ts"

/** For services whose engines are waited for; others have the default, so that a busy machine changes nothing. */
const short = { SEARCH_TIMEOUT: "1.5" }

/** How every engine's fault reads outside. */
const faults: ReadonlyArray<{
  readonly name: string
  readonly behaviour: Behaviour.Behaviour
  readonly outcome: string
  readonly status: 502 | 504
}> = [
  { name: "a block page", behaviour: Behaviour.block, outcome: "blocked", status: 502 },
  { name: "429", behaviour: Behaviour.rateLimited, outcome: "rate_limited", status: 502 },
  { name: "500", behaviour: Behaviour.status(500), outcome: "http_status", status: 502 },
  { name: "404", behaviour: Behaviour.status(404), outcome: "http_status", status: 502 },
  { name: "no answer", behaviour: Behaviour.hang, outcome: "timeout", status: 504 },
  { name: "an answer that never ends", behaviour: Behaviour.endless, outcome: "timeout", status: 504 },
  { name: "a reset", behaviour: Behaviour.reset, outcome: "connect_error", status: 502 },
  { name: "a cut body", behaviour: Behaviour.truncated, outcome: "connect_error", status: 502 },
  { name: "an empty body", behaviour: Behaviour.emptyBody, outcome: "layout_changed", status: 502 },
  { name: "a page of another site", behaviour: Behaviour.garbage("html"), outcome: "layout_changed", status: 502 },
  { name: "bytes that are no text", behaviour: Behaviour.garbage("binary"), outcome: "layout_changed", status: 502 },
  { name: "ten megabytes", behaviour: Behaviour.big, outcome: "layout_changed", status: 502 },
  { name: "an untrusted certificate", behaviour: Behaviour.tlsError, outcome: "tls_error", status: 502 },
  { name: "a closed port", behaviour: Behaviour.refused, outcome: "connect_error", status: 502 },
  { name: "a host that the proxy cannot reach", behaviour: Behaviour.noSuchHost, outcome: "connect_error", status: 502 }
]

const errors = { 502: "Search failed", 504: "Search timed out" } as const

/** Every engine does the same, and every kind is asked. */
const everywhere = ({ behaviour, name, outcome, status }: (typeof faults)[number]) =>
  Effect.gen(function* () {
    yield* Effect.flatMap(TestWeb, (web) => web.behaveAll(behaviour))
    yield* Effect.flatMap(SocksProxy, (proxy) => proxy.hangUp)
    yield* Effect.forEach(
      searchKinds,
      (kind) =>
        Effect.gen(function* () {
          const answer = yield* search(`/api/search/${kind}`, { q: `bridges ${name}` })
          expect(outcomes((yield* unanswered(answer)).sources), kind).toEqual(allOf(kind, outcome))
          expect([answer.status, (yield* failed(answer)).error], kind).toEqual([status, errors[status]])
        }),
      // Ten megabytes at every engine at once would be a load test.
      { concurrency: status === 504 ? "unbounded" : 2 }
    )
  })

layer(quarry(), { excludeTestServices: true, timeout: "30 seconds" })("engines that fail at once", (it) => {
  for (const fault of faults.filter(({ status }) => status === 502)) {
    it.effect(`${fault.name} is ${fault.outcome} at every engine`, () => everywhere(fault))
  }

  it.effect("an engine that says there is nothing is no failure", () =>
    Effect.gen(function* () {
      yield* Effect.flatMap(TestWeb, (web) => web.behaveAll(Behaviour.empty))
      for (const kind of searchKinds) {
        const answer = yield* search(`/api/search/${kind}`, { q: "qwertzuiop" })
        const body = yield* found(answer)
        expect([answer.status, body.results, body.results_count], kind).toEqual([200, [], 0])
        expect(outcomes(body.sources), kind).toEqual(allOf(kind, "empty"))
      }
    })
  )

  it.effect("an engine that was named is the only one asked, and its failure is the answer", () =>
    Effect.gen(function* () {
      const web = yield* TestWeb
      yield* web.behaveAll(Behaviour.generated(5))
      yield* web.behave("mojeek", Behaviour.status(503))
      yield* web.forget
      const answer = yield* search("/api/search/text", { q: "named bridge", backend: "mojeek" })
      expect(answer.status).toBe(502)
      expect(outcomes((yield* unanswered(answer)).sources)).toEqual({ mojeek: "http_status" })
      expect((yield* web.requests()).map(({ engine }) => engine)).toEqual(["mojeek"])
    })
  )

  it.effect("an engine that failed is well again when it answers", () =>
    Effect.gen(function* () {
      const web = yield* TestWeb
      yield* web.behaveAll(Behaviour.reset)
      expect((yield* search("/api/search/news", { q: "bridge mended" })).status).toBe(502)
      yield* web.behaveAll(Behaviour.generated(5))
      expect((yield* search("/api/search/news", { q: "bridge mended" })).status).toBe(200)
    })
  )
})

layer(quarry({ SEARCH_TIMEOUT: "60" }), { excludeTestServices: true, timeout: "30 seconds" })("a client", (it) => {
  it.effect("that goes away is not searched for any longer", () =>
    Effect.gen(function* () {
      const web = yield* TestWeb
      yield* web.behaveAll(Behaviour.hang)
      const leaving = yield* Effect.fork(search("/api/search/all", { q: "a bridge to nobody" }))
      yield* Effect.forEach(keyless, (engine) => web.arrived(engine, 1), { concurrency: "unbounded" })
      yield* Fiber.interrupt(leaving)
      yield* Effect.forEach(yield* web.requests(), ({ over }) => over)
      yield* web.behaveAll(Behaviour.generated(3))
      expect((yield* search("/api/search/all", { q: "a bridge to nobody" })).status).toBe(200)
    })
  )

  it.effect("that goes away takes nothing from another one who asks the same", () =>
    Effect.gen(function* () {
      const web = yield* TestWeb
      const { open, opened } = Behaviour.gate()
      yield* web.behaveAll(Behaviour.held(opened, Behaviour.generated(3)))
      yield* web.forget
      const leaving = yield* Effect.fork(search("/api/search/books", { q: "a bridge for two" }))
      yield* web.arrived("openlibrary", 1)
      const staying = yield* Effect.fork(search("/api/search/books", { q: "a bridge for two" }))
      // Long enough for the second one to have been heard.
      yield* search("/api/search/books", { q: "" })
      yield* Fiber.interrupt(leaving)
      yield* open
      const { results } = yield* Effect.flatMap(Fiber.join(staying), found)
      expect(results).toHaveLength(6)
    })
  )
})

layer(quarry(short), { excludeTestServices: true, timeout: "30 seconds" })("engines that are waited for", (it) => {
  for (const fault of faults.filter(({ status }) => status === 504)) {
    it.effect(`${fault.name} is ${fault.outcome} at every engine, within the time`, () =>
      Effect.gen(function* () {
        const [elapsed] = yield* Effect.timed(everywhere(fault))
        // The service's own default would be 10 seconds.
        expect(Duration.toSeconds(elapsed)).toBeLessThan(6)
      })
    )
  }

  it.effect("some failing leaves the others, and both are told", () =>
    Effect.gen(function* () {
      const web = yield* TestWeb
      yield* web.behaveAll(Behaviour.generated(5))
      yield* web.behave("duckduckgo", Behaviour.block)
      yield* web.behave("wikipedia", Behaviour.hang)
      const answer = yield* search("/api/search/text", { q: "half a bridge" })
      const { results, sources } = yield* found(answer)
      expect(answer.status).toBe(200)
      expect(outcomes(sources)).toEqual({ duckduckgo: "blocked", mojeek: "ok", wikipedia: "timeout" })
      expect(results.map(({ engines: from }) => from)).toEqual(Array.from({ length: 5 }, () => ["mojeek"]))
    })
  )

  it.effect("empty beside failures is a success, timeouts beside other failures are a 502", () =>
    Effect.gen(function* () {
      const web = yield* TestWeb
      yield* web.behaveAll(Behaviour.hang)
      yield* web.behave("mojeek", Behaviour.empty)
      yield* web.behave("openlibrary", Behaviour.block)
      const text = yield* search("/api/search/text", { q: "nothing, slowly" })
      expect([text.status, (yield* found(text)).results_count]).toEqual([200, 0])
      const books = yield* search("/api/search/books", { q: "nothing, slowly" })
      expect([books.status, (yield* failed(books)).error]).toEqual([502, "Search failed"])
      expect(outcomes((yield* unanswered(books)).sources)).toEqual({ openlibrary: "blocked", gutendex: "timeout" })
    })
  )

  it.effect("one kind failing never fails the unified search", () =>
    Effect.gen(function* () {
      const web = yield* TestWeb
      yield* web.behaveAll(Behaviour.generated(5))
      yield* web.behave("bing", Behaviour.block)
      yield* web.behave("openverse", Behaviour.hang)
      const answer = yield* search("/api/search/all", { q: "all but pictures" })
      expect(answer.status).toBe(200)
      expect(answer.body).toMatchObject({
        success: true,
        sources: {
          text: { results_count: 5, error: null },
          images: {
            results_count: 0,
            error: { error: "Search failed", details: { sources: expect.any(Array) } },
            engines: expect.arrayContaining([
              expect.objectContaining({ engine: "bing", outcome: "blocked" }),
              expect.objectContaining({ engine: "openverse", outcome: "timeout" })
            ])
          },
          videos: { error: null },
          news: { error: null },
          books: { error: null }
        }
      })
    })
  )

  it.effect("the unified search fails when all five searchKinds do", () =>
    Effect.gen(function* () {
      const web = yield* TestWeb
      yield* web.behaveAll(Behaviour.hang)
      const slow = yield* search("/api/search/all", { q: "all too slow" })
      expect([slow.status, (yield* failed(slow)).error]).toEqual([504, "Search timed out"])
      yield* web.behave("gutendex", Behaviour.reset)
      const mixed = yield* search("/api/search/all", { q: "all broken" })
      expect([mixed.status, (yield* failed(mixed)).error]).toEqual([502, "Search failed"])
      expect((yield* failed(mixed)).details).toMatchObject({
        sources: { text: { error: { error: "Search timed out" } }, books: { error: { error: "Search failed" } } }
      })
    })
  )
})
