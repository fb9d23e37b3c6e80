import { expect, layer } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { type SearchKind, searchKinds } from "../../src/domain/SearchKind.ts"
import { failed, found, outcomes, search, unanswered } from "../support/Client.ts"
import { sample } from "../support/Cases.ts"
import { only, serve, upstreamWeb } from "../support/Quarry.ts"
import { TestWeb } from "../support/TestWeb.ts"
import * as Behaviour from "../support/upstream/Behaviour.ts"
import { allOf, keyless, upstreamsOf } from "../support/upstream/sites.ts"

interface Fault {
  readonly name: string
  readonly behaviour: Behaviour.Behaviour
  readonly outcome: string
  /** Whether an engine rests when all have it. */
  readonly rests: boolean
}

/** How every engine's fault reads outside: those that show at once. */
const faults: ReadonlyArray<Fault> = [
  { name: "a block page", behaviour: Behaviour.block, outcome: "blocked", rests: true },
  { name: "429", behaviour: Behaviour.rateLimited, outcome: "rate_limited", rests: true },
  { name: "500", behaviour: Behaviour.status(500), outcome: "http_status", rests: true },
  { name: "404", behaviour: Behaviour.status(404), outcome: "http_status", rests: false },
  { name: "a reset", behaviour: Behaviour.reset, outcome: "connect_error", rests: false },
  { name: "a cut body", behaviour: Behaviour.truncated, outcome: "connect_error", rests: true },
  { name: "an empty body", behaviour: Behaviour.emptyBody, outcome: "layout_changed", rests: false },
  { name: "a page of another site", behaviour: Behaviour.garbage("html"), outcome: "layout_changed", rests: false },
  { name: "bytes that are no text", behaviour: Behaviour.garbage("binary"), outcome: "layout_changed", rests: false },
  { name: "ten megabytes", behaviour: Behaviour.big, outcome: "layout_changed", rests: false },
  { name: "an untrusted certificate", behaviour: Behaviour.tlsError, outcome: "tls_error", rests: false },
  { name: "a closed port", behaviour: Behaviour.refused, outcome: "connect_error", rests: false },
  { name: "an unreachable host", behaviour: Behaviour.noSuchHost, outcome: "connect_error", rests: false }
]

const hangs: ReadonlyArray<Fault> = [
  { name: "no answer", behaviour: Behaviour.hang, outcome: "timeout", rests: true },
  { name: "an answer that never ends", behaviour: Behaviour.endless, outcome: "timeout", rests: true }
]

const errors = { 502: "Search failed", 504: "Search timed out" } as const

/** What became of each engine of a kind, where nobody answered. */
const fruitless = (kind: SearchKind, status: keyof typeof errors) =>
  Effect.gen(function* () {
    const answer = yield* search(`/api/search/${kind}`, { q: "bridges" })
    expect([answer.status, (yield* failed(answer)).error], kind).toEqual([status, errors[status]])
    const all = outcomes((yield* unanswered(answer)).sources)
    expect(Object.keys(all).toSorted(), kind).toEqual(upstreamsOf(kind).toSorted())
    return { kind, all }
  })

/** Every engine has shown the fault, and those that show another one than these were spared since. */
const expectEverywhere = (
  answers: ReadonlyArray<{ readonly kind: string; readonly all: Readonly<Record<string, string>> }>,
  expected: ReadonlyArray<string>
) => {
  const entries = answers.flatMap(({ all, kind }) =>
    Object.entries(all).map(([engine, outcome]) => ({ engine, kind, outcome }))
  )
  const spared = ["suspended", "paced"]
  expect(entries.filter(({ outcome }) => ![...expected, ...spared].includes(outcome))).toEqual([])
  const shown = entries.filter(({ outcome }) => expected.includes(outcome)).map(({ engine }) => engine)
  expect(new Set(shown)).toEqual(new Set(keyless))
}

layer(upstreamWeb, { excludeTestServices: true, timeout: "30 seconds" })("engines that fail at once", (it) => {
  for (const { behaviour, name, outcome, rests } of sample(faults)) {
    it.effect(`${name} is ${outcome} at every engine`, () =>
      Effect.gen(function* () {
        yield* Effect.flatMap(TestWeb, (web) => web.behaveAll(behaviour))
        const answers = yield* Effect.forEach(searchKinds, (kind) => fruitless(kind, 502))
        expectEverywhere(answers, [outcome])
        if (!rests) for (const { all, kind } of answers) expect(all, kind).toEqual(allOf(kind, outcome))
      }).pipe(Effect.provide(serve()))
    )
  }

  for (const status of sample([202, 200, 403, 429])) {
    it.effect(`a block page under ${status} is blocked at every engine, never an empty result`, () =>
      Effect.gen(function* () {
        yield* Effect.flatMap(TestWeb, (web) => web.behaveAll(Behaviour.blockUnder(status)))
        const answers = yield* Effect.forEach(searchKinds, (kind) => fruitless(kind, 502))
        expectEverywhere(answers, ["blocked"])
      }).pipe(Effect.provide(serve()))
    )
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
    }).pipe(Effect.provide(serve()))
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
    }).pipe(Effect.provide(serve()))
  )

  it.effect("an engine that failed is well again when it answers", () =>
    Effect.gen(function* () {
      const web = yield* TestWeb
      yield* web.behaveAll(Behaviour.reset)
      expect((yield* search("/api/search/news", { q: "bridge mended" })).status).toBe(502)
      yield* web.behaveAll(Behaviour.generated(5))
      const { results } = yield* Effect.flatMap(search("/api/search/news", { q: "bridge mended" }), found)
      expect(results).toHaveLength(5)
    }).pipe(Effect.provide(serve(only("googlenews"))))
  )
})

layer(upstreamWeb, { excludeTestServices: true, timeout: "30 seconds" })("engines that are waited for", (it) => {
  for (const { behaviour, name, outcome } of sample(hangs)) {
    it.effect(`${name} is ${outcome} at every engine, within the time`, () =>
      Effect.gen(function* () {
        const web = yield* TestWeb
        yield* web.behaveAll(behaviour)
        yield* web.forget
        const patient = search("/api/search/text", { q: "bridges", backend: "mojeek" })
        const waiting = yield* Effect.fork(Effect.provide(patient, serve({ SEARCH_TIMEOUT: "60" })))
        yield* web.arrived("mojeek", 1)
        // At the same time, because who was late rests.
        const answers = yield* Effect.forEach(searchKinds, (kind) => fruitless(kind, 504), {
          concurrency: "unbounded"
        })
        expectEverywhere(answers, [outcome])
        expect((yield* Fiber.poll(waiting))._tag, "a service that was given more time").toBe("None")
      }).pipe(Effect.provide(serve({ SEARCH_TIMEOUT: "1.5" })))
    )
  }
})
