import { expect, layer } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { EngineList } from "../../src/domain/Info.ts"
import { isSlow } from "../support/Cases.ts"
import { call, found, outcomes, search, unanswered } from "../support/Client.ts"
import { only, serve, upstreamWeb } from "../support/Quarry.ts"
import { Server } from "../support/Server.ts"
import { SocksProxy } from "../support/SocksProxy.ts"
import { TestWeb } from "../support/TestWeb.ts"
import * as Behaviour from "../support/upstream/Behaviour.ts"

const resting = call("/api/engines").pipe(
  Effect.flatMap(({ body }) => Effect.orDie(Schema.decodeUnknown(EngineList)(body))),
  Effect.map(({ engines }) => engines.flatMap(({ name, rest }) => (rest === null ? [] : [name])))
)

const Line = Schema.parseJson(
  Schema.Struct({
    logLevel: Schema.String,
    message: Schema.Unknown,
    annotations: Schema.Record({ key: Schema.String, value: Schema.Unknown })
  })
)

/** What the service has logged of the outgoing connection and of rests, once it has ended. */
const logged = Effect.gen(function* () {
  const { stderr, stop } = yield* Server
  yield* stop("SIGTERM")
  const lines = (yield* stderr).split("\n").filter((line) => /outgoing connection|engine rests/.test(line))
  return yield* Effect.orDie(Effect.forEach(lines, (line) => Schema.decodeUnknown(Line)(line)))
})

/** Engines whose pace allows more requests at once than are sent here. */
const names = ["hackernews", "wikipedia", "stackexchange", "mojeek"] as const

const allOf = (outcome: string) => Object.fromEntries(names.map((name) => [name, outcome]))

const manners = [
  { manner: "close", outcome: "proxy_error", cause: "the proxy makes no connections" },
  { manner: "host-unreachable", outcome: "connect_error", cause: "connections fail" }
] as const

layer(upstreamWeb, { excludeTestServices: true, timeout: "30 seconds" })("a proxy that is back", (it) => {
  for (const { cause, manner, outcome } of manners) {
    it.effect(`after ${manner} is used at once, nobody rests, and the log has one warning`, () =>
      Effect.gen(function* () {
        const web = yield* TestWeb
        const proxy = yield* SocksProxy
        yield* web.behaveAll(Behaviour.generated(20))
        yield* proxy.behave(manner)
        for (const q of ["a bridge to nowhere", "another bridge to nowhere", "a third bridge to nowhere"]) {
          const answer = yield* search("/api/search/text", { q })
          expect([answer.status, answer.headers.get("retry-after")]).toEqual([502, null])
          expect(outcomes((yield* unanswered(answer)).sources)).toEqual(allOf(outcome))
        }
        expect((yield* search("/api/search/all", { q: "no bridge of any kind" })).status).toBe(502)
        yield* proxy.behave("honest")
        const { sources } = yield* Effect.flatMap(search("/api/search/text", { q: "a bridge again" }), found)
        expect(outcomes(sources)).toEqual(allOf("ok"))
        expect(yield* resting).toEqual([])

        const lines = yield* logged
        expect(lines.map(({ logLevel, message }) => [logLevel, message])).toEqual([
          ["WARN", `outgoing connection is down: ${cause}`],
          ["INFO", "outgoing connection is back"]
        ])
        expect(lines[0]?.annotations).toMatchObject({ fault: outcome, proxy: `127.0.0.1:${proxy.port}` })
        expect(JSON.stringify(lines)).not.toContain("p@ss")
      }).pipe(Effect.provide(serve({ CACHE_TTL: "0", ...only(...names) })))
    )
  }

  if (isSlow)
    it.effect("that accepts connections and is silent puts no engine to rest", () =>
      Effect.gen(function* () {
        const web = yield* TestWeb
        const proxy = yield* SocksProxy
        yield* web.behaveAll(Behaviour.generated(20))
        yield* proxy.behave("hang")
        for (const q of ["a bridge to silence", "another bridge to silence"])
          expect((yield* search("/api/search/text", { q })).status).toBe(504)
        yield* proxy.behave("honest")
        const { sources } = yield* Effect.flatMap(search("/api/search/text", { q: "a bridge again" }), found)
        expect(outcomes(sources)).toEqual(allOf("ok"))
        expect(yield* resting).toEqual([])
        expect((yield* logged).map(({ message }) => message)).toEqual([
          "outgoing connection is down: connections fail",
          "outgoing connection is back"
        ])
      }).pipe(Effect.provide(serve({ CACHE_TTL: "0", SEARCH_TIMEOUT: "3", ...only(...names) })))
    )
})
