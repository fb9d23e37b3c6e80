import { expect, layer } from "@effect/vitest"
import { Effect } from "effect"
import { searchKinds } from "../../src/domain/SearchKind.ts"
import { outcomes, search, unanswered } from "../support/Client.ts"
import { quarry } from "../support/Quarry.ts"
import { SocksProxy } from "../support/SocksProxy.ts"
import { TestWeb } from "../support/TestWeb.ts"
import * as Behaviour from "../support/upstream/Behaviour.ts"
import { allOf, keyless, type Upstream } from "../support/upstream/sites.ts"

/** What a proxy's failure is to every engine. */
const manners = [
  { manner: "refuse-auth", outcome: "proxy_error" },
  { manner: "close", outcome: "proxy_error" },
  { manner: "garbage", outcome: "proxy_error" },
  { manner: "host-unreachable", outcome: "connect_error" },
  { manner: "hang", outcome: "timeout" }
] as const

layer(quarry({ SEARCH_TIMEOUT: "1.5" }), { excludeTestServices: true, timeout: "30 seconds" })("the proxy", (it) => {
  for (const { manner, outcome } of manners) {
    it.effect(`${manner} is ${outcome}, and nothing goes around it`, () =>
      Effect.gen(function* () {
        const web = yield* TestWeb
        const proxy = yield* SocksProxy
        yield* web.behaveAll(Behaviour.generated(5))
        yield* proxy.behave(manner)
        const answer = yield* search("/api/search/text", { q: `bridges ${manner}` })
        expect(outcomes((yield* unanswered(answer)).sources)).toEqual(allOf("text", outcome))
        expect(answer.status).toBe(outcome === "timeout" ? 504 : 502)
        expect(yield* web.requests()).toEqual([])
        yield* proxy.behave("honest")
      })
    )
  }

  it.effect("gets every name unresolved, under the user it was given", () =>
    Effect.gen(function* () {
      const web = yield* TestWeb
      const proxy = yield* SocksProxy
      yield* web.behaveAll(Behaviour.generated(5))
      yield* proxy.forget
      yield* search("/api/search/all", { q: "bridges" })
      const connects = yield* proxy.connects
      const hosts: Readonly<Partial<Record<Upstream, string>>> = {
        duckduckgo: "html.duckduckgo.com",
        mojeek: "www.mojeek.com",
        wikipedia: "en.wikipedia.org",
        bing: "www.bing.com",
        brave: "search.brave.com",
        startpage: "www.startpage.com",
        openverse: "api.openverse.org",
        dailymotion: "api.dailymotion.com",
        sepiasearch: "sepiasearch.org",
        googlenews: "news.google.com",
        hackernews: "hn.algolia.com",
        openlibrary: "openlibrary.org",
        gutendex: "gutendex.com",
        stackexchange: "api.stackexchange.com",
        github: "api.github.com",
        marginalia: "api2.marginalia-search.com",
        mwmbl: "api.mwmbl.org",
        yandex: "yandex.com",
        ecosia: "www.ecosia.org"
      }
      expect(new Set(connects.map(({ host }) => host))).toEqual(new Set(Object.values(hosts)))
      for (const connect of connects) expect(connect).toMatchObject({ port: 443, type: "name", user: "quarry" })
    })
  )

  it.effect("tells the engines nothing of the client, of the tracing, or of the library", () =>
    Effect.gen(function* () {
      const web = yield* TestWeb
      yield* web.behaveAll(Behaviour.generated(5))
      yield* web.forget
      yield* search(
        "/api/search/all",
        { q: "discretion" },
        { headers: { Cookie: "a=b", Referer: "https://intra.example/" } }
      )
      const requests = yield* web.requests()
      expect(requests.length).toBeGreaterThanOrEqual(keyless.length)
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
    })
  )

  it.effect("being down is proxy_error at every engine, at once", () =>
    Effect.gen(function* () {
      const web = yield* TestWeb
      yield* web.behaveAll(Behaviour.generated(5))
      yield* web.forget
      yield* Effect.flatMap(SocksProxy, (proxy) => proxy.stop)
      for (const kind of searchKinds) {
        const answer = yield* search(`/api/search/${kind}`, { q: "no way out" })
        expect(answer.status, kind).toBe(502)
        expect(outcomes((yield* unanswered(answer)).sources), kind).toEqual(allOf(kind, "proxy_error"))
      }
      expect(yield* web.requests()).toEqual([])
    })
  )
})
