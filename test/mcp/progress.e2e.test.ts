import { expect, layer } from "@effect/vitest"
import { Effect, Fiber, Schema } from "effect"
import { ContentWeb } from "../support/ContentWeb.ts"
import { newClient } from "../support/Client.ts"
import { sample } from "../support/Cases.ts"
import { eras, type McpProgress, overHttp, overStdio } from "../support/McpClients.ts"
import { called, message, post, postRaw } from "../support/Posted.ts"
import { quarry, serve } from "../support/Quarry.ts"
import { TestWeb } from "../support/TestWeb.ts"
import * as Behaviour from "../support/upstream/Behaviour.ts"
import { keyless } from "../support/upstream/sites.ts"

const transports = [
  ["HTTP", overHttp],
  ["stdio", overStdio]
] as const

const kinds = ["books", "images", "news", "text", "videos"]

const both = "application/json, text/event-stream"

const call = (name: string, args: object, progressToken: unknown = "t") =>
  message("tools/call", { name, arguments: args, _meta: { progressToken } })

const Event = Schema.parseJson(
  Schema.Struct({
    id: Schema.optional(Schema.Number),
    method: Schema.optional(Schema.String),
    params: Schema.optional(Schema.Struct({ progressToken: Schema.Unknown, progress: Schema.Number })),
    result: Schema.optional(Schema.Struct({ isError: Schema.optional(Schema.Boolean) }))
  })
)

/**
 * All parts in order, but perhaps the last: clients drop what they read together with the answer. That it is sent is
 * seen where the messages are.
 */
const expectCounted = (heard: McpProgress["heard"], total: number) => {
  expect(heard.length).toBeGreaterThanOrEqual(total - 1)
  for (const [index, one] of heard.entries()) expect([one.progress, one.total]).toEqual([index + 1, total])
}

/** The messages of an event stream. */
const eventsOf = (text: string) =>
  text
    .split("\n")
    .flatMap((line) => (line.startsWith("data: ") ? [Schema.decodeUnknownSync(Event)(line.slice(6))] : []))

layer(quarry(), { excludeTestServices: true, timeout: "30 seconds" })("progress", (it) => {
  for (const [transport, connect] of sample(transports)) {
    for (const era of sample(eras)) {
      it.scoped(`${era} over ${transport}: is told as each kind and each URL is done`, () =>
        Effect.gen(function* () {
          const { url } = yield* ContentWeb
          const client = yield* connect(era)
          const found = yield* client.callToTheEnd("search_everything", { query: "dune" })
          expect(found.result.structured).toMatchObject({ success: true })
          expectCounted(found.heard, 5)
          for (const one of found.heard) expect(kinds).toContain(one.message?.split(":")[0])
          const urls = [url("/article"), "http://10.0.0.1/", url("/article")]
          const read = yield* client.callToTheEnd("fetch_multiple_contents", { urls })
          expect(read.result.structured).toMatchObject({ results_count: 3 })
          expectCounted(read.heard, 2)
          const told = ["http://10.0.0.1/: URL not allowed", `${url("/article")}: read`]
          for (const one of read.heard) expect(told).toContain(one.message)
          expect((yield* client.callToTheEnd("search_books", { query: "dune" })).heard).toEqual([])
        })
      )
    }
  }

  it.effect("comes before the answer on one stream, whose headers tell of the budget", () =>
    Effect.gen(function* () {
      const from = newClient()
      const answer = yield* post(call("search_everything", { query: "dune" }, 7), { from, headers: { Accept: both } })
      expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "text/event-stream"])
      expect(answer.headers.get("ratelimit")).toMatch(/^"unified";r=49/)
      const events = eventsOf(answer.text)
      expect(events.map(({ method }) => method)).toEqual([...kinds.map(() => "notifications/progress"), undefined])
      expect(events.flatMap(({ params }) => params?.progressToken ?? [])).toEqual(kinds.map(() => 7))
      expect(events.at(-1)).toMatchObject({ id: 1, result: {} })
    })
  )

  it.effect("is not for who did not ask, or takes JSON alone", () =>
    Effect.gen(function* () {
      const json = [
        [call("search_everything", { query: "dune" }), undefined],
        [call("search_everything", { query: "dune" }), "*/*"],
        [call("search_everything", { query: "dune" }), "application/json"],
        [call("search_everything", { query: "dune" }, null), both],
        [call("search_everything", { query: "dune" }, {}), both],
        [[call("search_everything", { query: "dune" })], both],
        [call("search_books", { query: "dune" }), both]
      ] as const
      for (const [body, Accept] of json) {
        const answer = yield* post(body, { headers: Accept === undefined ? {} : { Accept } })
        expect(answer.headers.get("content-type"), `${Accept} ${JSON.stringify(body)}`).toBe("application/json")
      }
    })
  )

  it.effect("a call that fails at once is one event", () =>
    Effect.gen(function* () {
      const from = newClient()
      const wrong = yield* post(call("search_everything", {}), { from, headers: { Accept: both } })
      expect(eventsOf(wrong.text)).toEqual([{ id: 1, result: { isError: true } }])
      const plain = yield* post(call("search_everything", {}), { from })
      expect((yield* called(plain)).isError).toBe(true)
    })
  )

  it.effect("who leaves in the middle of a stream is not fetched for any longer", () =>
    Effect.gen(function* () {
      const web = yield* ContentWeb
      yield* web.forget
      const urls = [web.url("/article"), web.url("/hang")]
      const asked = call("fetch_multiple_contents", { urls, timeout: 30 })
      const leaving = yield* Effect.fork(postRaw(JSON.stringify(asked), { headers: { Accept: both } }))
      yield* web.arrived("/hang", 1)
      yield* Fiber.interrupt(leaving)
      yield* Effect.forEach(yield* web.visits("/hang"), ({ over }) => over)
    })
  )

  it.scoped("who leaves before the first event is not searched for any longer", () =>
    Effect.gen(function* () {
      const web = yield* TestWeb
      yield* web.forget
      yield* web.behaveAll(Behaviour.hang)
      const asked = call("search_everything", { query: "a bridge to nobody" })
      const leaving = yield* Effect.fork(post(asked, { headers: { Accept: both } }))
      yield* Effect.forEach(keyless.slice(0, 1), (engine) => web.arrived(engine, 1))
      yield* Fiber.interrupt(leaving)
      yield* Effect.forEach(yield* web.requests(), ({ over }) => over)
      // A server of its own: on a slow machine engines may rest after the searches above.
    }).pipe(Effect.provide(serve()))
  )
})
