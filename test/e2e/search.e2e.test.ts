import { expect, layer } from "@effect/vitest"
import { Effect } from "effect"
import { found, outcomes, search, unanswered } from "../support/Client.ts"
import { quarry } from "../support/Quarry.ts"
import { TestWeb } from "../support/TestWeb.ts"
import * as Behaviour from "../support/upstream/Behaviour.ts"

layer(quarry(), { excludeTestServices: true, timeout: "30 seconds" })("what is asked for", (it) => {
  it.effect("reaches the engines", () =>
    Effect.gen(function* () {
      const web = yield* TestWeb
      yield* web.behaveAll(Behaviour.generated(20))
      yield* web.forget
      const q = `Brücken & "stein" c++ 桥`
      const backend = "duckduckgo,mojeek"
      yield* search("/api/search/text", { q, backend, region: "de-de", safesearch: "off", timelimit: "w" })
      const [duckduckgo] = yield* web.requests("duckduckgo")
      expect(duckduckgo?.method).toBe("POST")
      expect(Object.fromEntries(duckduckgo?.form ?? [])).toMatchObject({ q, kl: "de-de", df: "w" })
      const [mojeek] = yield* web.requests("mojeek")
      expect(Object.fromEntries(mojeek?.query ?? [])).toMatchObject({ q, since: expect.stringMatching(/^20\d{6}$/) })
      expect(mojeek?.query.has("s")).toBe(false)
      expect(mojeek?.headers.cookie).toMatch(/arc=de/)
    })
  )

  it.effect("an engine that cannot honour it is left out, unless it is named", () =>
    Effect.gen(function* () {
      const web = yield* TestWeb
      yield* web.behaveAll(Behaviour.generated(20))
      yield* web.forget
      const wide = yield* Effect.flatMap(search("/api/search/text", { q: "old bridge", timelimit: "y" }), found)
      expect(outcomes(wide.sources)).toMatchObject({ mojeek: "ok", wikipedia: "unsupported", mwmbl: "unsupported" })
      expect(yield* web.requests("wikipedia")).toEqual([])
      const named = yield* search("/api/search/text", { q: "old bridge", timelimit: "y", backend: "wikipedia" })
      expect(outcomes((yield* found(named)).sources)).toEqual({ wikipedia: "ok" })
    })
  )

  it.effect("an engine that cannot keep what is unsafe away is never asked to, not even by its name", () =>
    Effect.gen(function* () {
      const web = yield* TestWeb
      yield* web.behaveAll(Behaviour.generated(20))
      yield* web.forget
      const strict = { q: "safe bridge", safesearch: "on" }
      const wide = yield* Effect.flatMap(search("/api/search/text", strict), found)
      expect(outcomes(wide.sources)).toMatchObject({ mojeek: "ok", wikipedia: "unsupported", ecosia: "unsupported" })
      const named = yield* search("/api/search/text", { ...strict, backend: "wikipedia,ecosia" })
      expect(named.status).toBe(502)
      expect(outcomes((yield* unanswered(named)).sources)).toEqual({ wikipedia: "unsupported", ecosia: "unsupported" })
      expect([yield* web.requests("wikipedia"), yield* web.requests("ecosia")]).toEqual([[], []])
    })
  )

  it.effect("the region chooses the Wikipedia", () =>
    Effect.gen(function* () {
      const web = yield* TestWeb
      yield* web.behaveAll(Behaviour.generated(3))
      for (const [region, host] of [
        ["de-de", "de.wikipedia.org"],
        ["no-no", "no.wikipedia.org"],
        ["tw-tzh", "zh.wikipedia.org"],
        ["wt-wt", "en.wikipedia.org"]
      ] as const) {
        yield* web.forget
        yield* search("/api/search/text", { q: "bridge", region, backend: "wikipedia" })
        expect((yield* web.requests()).map((request) => request.host)).toEqual([host])
      }
    })
  )

  it.effect("an unknown member of a year is decided by the items' own dates in the unified search", () =>
    Effect.gen(function* () {
      const web = yield* TestWeb
      yield* web.behaveAll(Behaviour.empty)
      yield* web.behave("sepiasearch", Behaviour.captured)
      yield* web.behave("dailymotion", Behaviour.generated(3))
      const answer = yield* search("/api/search/all", { q: "recent bridges", timelimit: "y" })
      expect(answer.body).toMatchObject({
        results_count: 3,
        results: [{ type: "video" }, { type: "video" }, { type: "video" }],
        sources: { videos: { results_count: 3 } }
      })
      expect(answer.text).not.toContain("tube.example.org")
    })
  )
})
