import { expect, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { searchKinds } from "../../src/domain/SearchKind.ts"
import { sample } from "../support/Cases.ts"
import { outcomes, search, unanswered } from "../support/Client.ts"
import { refusingPort } from "../support/Listening.ts"
import { serve, upstreamWeb } from "../support/Quarry.ts"
import { SocksProxy } from "../support/SocksProxy.ts"
import { TestWeb } from "../support/TestWeb.ts"
import * as Behaviour from "../support/upstream/Behaviour.ts"
import { allOf, keyless, upstreamAt } from "../support/upstream/sites.ts"

/** What a proxy's failure is to every engine. */
const manners = [
  { manner: "refuse-auth", outcome: "proxy_error" },
  { manner: "close", outcome: "proxy_error" },
  { manner: "garbage", outcome: "proxy_error" },
  { manner: "host-unreachable", outcome: "connect_error" },
  { manner: "hang", outcome: "timeout" }
] as const

const behindRefusingProxy = Layer.unwrapScoped(
  Effect.map(refusingPort, (port) => serve({ SEARCH_PROXY: `socks5h://127.0.0.1:${port}` }))
)

/** Engines that have nothing are all asked, one after the other. */
const searchEverywhere = (headers: Readonly<Record<string, string>> = {}) =>
  Effect.gen(function* () {
    yield* Effect.flatMap(TestWeb, (web) => web.behaveAll(Behaviour.empty))
    const answer = yield* search("/api/search/all", { q: "discretion" }, { headers })
    expect(answer.status).toBe(200)
  })

layer(upstreamWeb, { excludeTestServices: true, timeout: "30 seconds" })("the proxy", (it) => {
  for (const { manner, outcome } of sample(manners)) {
    it.effect(`${manner} is ${outcome}, and nothing goes around it`, () =>
      Effect.gen(function* () {
        const web = yield* TestWeb
        const proxy = yield* SocksProxy
        yield* web.behaveAll(Behaviour.generated(5))
        yield* web.forget
        yield* proxy.behave(manner)
        const answer = yield* search("/api/search/text", { q: `bridges ${manner}` })
        expect(outcomes((yield* unanswered(answer)).sources)).toEqual(allOf("text", outcome))
        expect(answer.status).toBe(outcome === "timeout" ? 504 : 502)
        expect(yield* web.requests()).toEqual([])
        yield* proxy.behave("honest")
      }).pipe(Effect.provide(serve(outcome === "timeout" ? { SEARCH_TIMEOUT: "1.5" } : {})))
    )
  }

  it.effect("gets every name unresolved, under the user it was given", () =>
    Effect.gen(function* () {
      const proxy = yield* SocksProxy
      yield* proxy.forget
      yield* searchEverywhere()
      const connects = yield* proxy.connects
      expect(new Set(connects.map(({ host }) => upstreamAt(host)))).toEqual(new Set(keyless))
      for (const connect of connects) expect(connect).toMatchObject({ port: 443, type: "name", user: "quarry" })
    }).pipe(Effect.provide(serve()))
  )

  it.effect("tells the engines nothing of the client, of the tracing, or of the library", () =>
    Effect.gen(function* () {
      const web = yield* TestWeb
      yield* web.forget
      yield* searchEverywhere({ Cookie: "a=b", Referer: "https://intra.example/" })
      const requests = yield* web.requests()
      expect(new Set(requests.map(({ engine }) => engine))).toEqual(new Set(keyless))
      for (const { headers } of requests) {
        expect(Object.keys(headers)).not.toEqual(
          expect.arrayContaining([
            expect.stringMatching(/^(traceparent|tracestate|b3|x-b3-.*|x-forwarded-for|via|forwarded|x-request-id)$/)
          ])
        )
        expect(headers["user-agent"]).toMatch(/Mozilla\/5\.0|Quarry/)
        expect(headers["user-agent"]).not.toMatch(/undici|node/i)
        expect(headers.cookie ?? "").not.toContain("a=b")
        expect(headers.referer ?? "").not.toContain("intra.example")
      }
    }).pipe(Effect.provide(serve()))
  )

  it.effect("that refuses connections is proxy_error at every engine", () =>
    Effect.gen(function* () {
      const web = yield* TestWeb
      yield* web.behaveAll(Behaviour.generated(5))
      yield* web.forget
      for (const kind of searchKinds) {
        const answer = yield* search(`/api/search/${kind}`, { q: "no way out" })
        expect(answer.status, kind).toBe(502)
        expect(outcomes((yield* unanswered(answer)).sources), kind).toEqual(allOf(kind, "proxy_error"))
      }
      expect(yield* web.requests()).toEqual([])
    }).pipe(Effect.provide(behindRefusingProxy))
  )
})
