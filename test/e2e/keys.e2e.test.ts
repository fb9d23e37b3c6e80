import { expect, it, layer } from "@effect/vitest"
import { Effect } from "effect"
import { failed, found, outcomes, search, unanswered } from "../support/Client.ts"
import { quarry } from "../support/Quarry.ts"
import { runToEnd, Server } from "../support/Server.ts"
import { TestWeb } from "../support/TestWeb.ts"
import * as Behaviour from "../support/upstream/Behaviour.ts"
import { type Upstream } from "../support/upstream/sites.ts"

const keys = {
  BRAVE_API_KEY: "sesame-brave",
  GOOGLE_API_KEY: "sesame-google",
  GOOGLE_CSE_ID: "sesame-cx",
  TAVILY_API_KEY: "sesame-tavily",
  EXA_API_KEY: "sesame-exa",
  SERPER_API_KEY: "sesame-serper"
}

const keyed = ["braveapi", "googlecse", "serper", "tavily", "exa"] as const satisfies ReadonlyArray<Upstream>

layer(quarry({ ...keys, LOG_LEVEL: "trace" }), {
  excludeTestServices: true,
  timeout: "60 seconds"
})("a server with keys", (it) => {
  it.effect("sends each engine its own key, and answers with its results", () =>
    Effect.gen(function* () {
      const web = yield* TestWeb
      yield* web.behaveAll(Behaviour.generated(30))
      for (const name of keyed) {
        const answer = yield* search("/api/search/text", { q: "keyed bridge", backend: name })
        const { results, sources } = yield* found(answer)
        expect(outcomes(sources)).toEqual({ [name]: "ok" })
        expect(results.length).toBe(10)
        expect(answer.text).not.toContain("sesame")
      }
      const seen = Object.fromEntries(
        yield* Effect.forEach(keyed, (name) =>
          Effect.map(web.requests(name), (requests) => [
            name,
            requests
              .flatMap(({ headers, query }) => [
                headers["x-subscription-token"],
                headers.authorization,
                headers["x-api-key"],
                ...query.getAll("key"),
                ...query.getAll("cx")
              ])
              .filter((key) => key !== undefined)
          ])
        )
      )
      expect(seen).toEqual({
        braveapi: ["sesame-brave"],
        googlecse: ["sesame-google", "sesame-cx"],
        serper: ["sesame-serper"],
        tavily: ["Bearer sesame-tavily"],
        exa: ["sesame-exa"]
      })
    })
  )

  it.effect("tells nobody else its keys, whatever becomes of the engines", () =>
    Effect.gen(function* () {
      const web = yield* TestWeb
      const server = yield* Server
      // Two each: an engine that fails more often rests, and is not asked at all.
      const faults = [
        [Behaviour.reset, Behaviour.truncated],
        [Behaviour.status(401), Behaviour.garbage("binary")],
        [Behaviour.refused, Behaviour.block],
        [Behaviour.tlsError, Behaviour.noSuchHost],
        [Behaviour.status(500), Behaviour.big]
      ]
      for (const round of [0, 1]) {
        yield* Effect.forEach(keyed, (name, index) => web.behave(name, faults[index]?.[round] ?? Behaviour.hang))
        const answer = yield* search("/api/search/text", { q: `fault ${round}`, backend: keyed.join(",") })
        expect(Object.keys(outcomes((yield* unanswered(answer)).sources))).toEqual(keyed)
        expect(answer.text).not.toMatch(/sesame|suspended|"ok"/)
      }
      for (const path of ["/api/engines", "/openapi.json", "/health"])
        expect((yield* search(path, {})).text).not.toContain("sesame")
      expect(yield* server.stderr).not.toContain("sesame")
      expect(yield* server.stdout).toBe("")
      yield* search("/api/search/all", { q: "others" })
      // The key of Google raises the limits of its books, too.
      const owners: ReadonlySet<string | null> = new Set([...keyed, "googlebooks"])
      const others = (yield* web.requests()).filter(({ engine }) => !owners.has(engine))
      expect(others.length).toBeGreaterThan(0)
      expect(JSON.stringify(others.map(({ body, headers, url }) => [url.href, headers, body]))).not.toContain("sesame")
    })
  )
})

layer(quarry({ GOOGLE_API_KEY: keys.GOOGLE_API_KEY, ENGINES_DISABLED: "serper,wikipedia" }), {
  excludeTestServices: true,
  timeout: "60 seconds"
})("a server without them", (it) => {
  it.effect("has no engine that lacks a key, or one of two", () =>
    Effect.gen(function* () {
      const web = yield* TestWeb
      yield* web.behaveAll(Behaviour.generated(5))
      for (const name of keyed) {
        const answer = yield* search("/api/search/text", { q: "bridge", backend: `mojeek,${name}` })
        expect([name, answer.status]).toEqual([name, 422])
        expect(JSON.stringify((yield* failed(answer)).details)).toContain(`which ${name} is not`)
      }
      yield* search("/api/search/all", { q: "bridge" })
      for (const name of keyed) expect(yield* web.requests(name)).toEqual([])
    })
  )
})

it.live("a key that cannot be one stops the start with one line, which hides it", () =>
  Effect.gen(function* () {
    const { code, stderr } = yield* runToEnd({ TAVILY_API_KEY: "open sesame" })
    expect(code).toBe(1)
    expect(stderr.trimEnd().split("\n").length).toBe(1)
    expect(stderr).toContain("TAVILY_API_KEY must be a key of")
    expect(stderr).not.toContain("sesame")
  })
)
