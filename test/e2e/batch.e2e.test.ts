import { expect, layer } from "@effect/vitest"
import { Effect, Fiber, Schema } from "effect"
import { call, search } from "../support/Client.ts"
import { ContentWeb } from "../support/ContentWeb.ts"
import { quarry } from "../support/Quarry.ts"

layer(quarry(), { excludeTestServices: true, timeout: "30 seconds" })("a batch", (it) => {
  const Batch = Schema.Struct({
    success: Schema.Literal(true),
    results_count: Schema.Number,
    results: Schema.Array(Schema.Struct({ success: Schema.Boolean }, { key: Schema.String, value: Schema.Unknown }))
  })
  const batch = (json: unknown) =>
    Effect.gen(function* () {
      const answer = yield* call("/api/content/fetch-multiple", { json })
      expect(answer.status, answer.text).toBe(200)
      const { results, results_count } = yield* Effect.orDie(
        Schema.decodeUnknown(Batch, { onExcessProperty: "error" })(answer.body)
      )
      expect(results_count).toBe(results.length)
      return results
    })

  it.effect("answers in the order asked just what each URL alone would be answered", () =>
    Effect.gen(function* () {
      const web = yield* ContentWeb
      const urls = [
        web.url("/slow/300"),
        web.url("/status/404"),
        "http://10.0.0.1/",
        web.url("/png"),
        web.url("/redirect/loop"),
        web.url("/article"),
        web.flawedUrl("expired", "/"),
        "http://nobody.invalid/"
      ]
      const results = yield* batch({ urls, max_length: 500 })
      for (const [index, url] of urls.entries()) {
        const { body } = yield* search("/api/content/fetch", { url, max_length: 500 })
        const failure = yield* Schema.decodeUnknown(Schema.Struct({ error: Schema.String, details: Schema.Unknown }))(
          body
        ).pipe(Effect.option)
        expect(results[index], url).toEqual(failure._tag === "None" ? body : { success: false, url, ...failure.value })
      }
    })
  )

  it.effect("has a string that is no web URL fail alone", () =>
    Effect.gen(function* () {
      const web = yield* ContentWeb
      const controlled = web.url("/art\nicle")
      const results = yield* batch({ urls: ["", "example.com", "ftp://example.com/", controlled, web.url("/article")] })
      expect(results).toMatchObject([
        { success: false, url: "", error: "Invalid parameters" },
        { success: false, url: "example.com", error: "Invalid parameters" },
        { success: false, url: "ftp://example.com/", error: "Invalid parameters" },
        { success: false, url: controlled, error: "Invalid parameters" },
        { success: true, url: web.url("/article") }
      ])
    })
  )

  it.effect("fetches a URL named twice once, and answers it twice", () =>
    Effect.gen(function* () {
      const web = yield* ContentWeb
      yield* web.forget
      const url = web.url("/article")
      const results = yield* batch({ urls: [url, web.url("/text"), url], format: "markdown" })
      expect(results).toMatchObject([
        { success: true, url, format: "markdown" },
        { success: true },
        { success: true, url }
      ])
      expect(yield* web.visits("/article")).toHaveLength(1)
    })
  )

  it.effect("fetches in parallel, and gives up with its client", () =>
    Effect.gen(function* () {
      const web = yield* ContentWeb
      yield* web.forget
      const urls = Array.from({ length: 10 }, (_, index) => web.url(`/hang?${index}`))
      const waiting = yield* Effect.fork(batch({ urls, timeout: 30 }))
      // As many as one host is asked at once are on their way although none is answered.
      yield* web.arrived("/hang", 6)
      yield* Fiber.interrupt(waiting)
      // Nobody waits any more, so nothing is left open for the thirty seconds.
      yield* Effect.forEach(yield* web.visits("/hang"), ({ over }) => over)
    })
  )
})
