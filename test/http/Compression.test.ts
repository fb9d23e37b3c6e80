import { HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { expect, it } from "@effect/vitest"
import { Data, Deferred, Effect, Fiber, Logger } from "effect"
import { compressed, fromMountedApp } from "../../src/http/Compression.ts"

const request = HttpServerRequest.fromWeb(new Request("http://localhost/", { headers: { "Accept-Encoding": "gzip" } }))

const large = HttpServerResponse.unsafeJson("x".repeat(2000), { status: 502, headers: { "x-request-id": "one" } })

class Broken extends Data.TaggedError("Broken") {}

const quiet = Effect.provide(Logger.remove(Logger.defaultLogger))

for (const [what, failing] of [
  ["fails", () => Effect.fail(new Broken())],
  [
    "throws",
    () =>
      Effect.sync((): Uint8Array => {
        throw new RangeError("no memory")
      })
  ]
] as const) {
  it.effect(`an answer is sent as it is where its compression ${what}`, () =>
    Effect.gen(function* () {
      const answer = yield* compressed(request, large, failing)
      expect(answer.status).toBe(502)
      expect(answer.body).toBe(large.body)
      expect(answer.headers).toMatchObject({ vary: "Accept-Encoding", "x-request-id": "one" })
      expect(answer.headers).not.toHaveProperty("content-encoding")
    }).pipe(quiet)
  )
}

it.effect("an interruption does not wait for the compression", () =>
  Effect.gen(function* () {
    const begun = yield* Deferred.make<void>()
    const endless = () => Effect.zipRight(Deferred.succeed(begun, undefined), Effect.never)
    const fiber = yield* Effect.fork(compressed(request, large, endless))
    yield* Deferred.await(begun)
    const exit = yield* Fiber.interrupt(fiber)
    expect(exit._tag).toBe("Failure")
  })
)

it.effect("JSON of exactly 1 KiB is sent as it is, a byte more is compressed", () =>
  Effect.gen(function* () {
    const counted: Array<number> = []
    const counting = (bytes: Uint8Array) => Effect.sync(() => (counted.push(bytes.length), new Uint8Array([1])))
    for (const size of [1024, 1025]) {
      // Two of the bytes are quotation marks.
      const answer = yield* compressed(request, HttpServerResponse.unsafeJson("x".repeat(size - 2)), counting)
      expect(answer.headers["content-encoding"], `${size}`).toBe(size > 1024 ? "gzip" : undefined)
    }
    expect(counted).toEqual([1025])
  })
)

it.effect("what has a coding already, or is no JSON, is left alone", () =>
  Effect.gen(function* () {
    const text = "x".repeat(2000)
    for (const answer of [
      HttpServerResponse.text(text, { contentType: "text/plain" }),
      HttpServerResponse.text(text, { contentType: "application/ndjson" }),
      HttpServerResponse.text(text, { contentType: "application/json", headers: { "content-encoding": "br" } }),
      HttpServerResponse.text(text, { contentType: "application/json", headers: { vary: "Origin, accept-encoding" } })
    ]) {
      expect(yield* compressed(request, answer)).toBe(answer)
    }
  })
)

it.effect("a door's JSON is read as a whole, its streams are not", () =>
  Effect.gen(function* () {
    const json = yield* fromMountedApp(Response.json({ a: 1 }, { status: 400, headers: { "Set-Cookie": "a=b" } }))
    expect([json.status, json.body._tag, json.headers["content-length"]]).toEqual([400, "Uint8Array", "7"])
    expect(json.cookies.cookies).toHaveProperty("a")
    const events = new Response("data: 1\n\n", { headers: { "Content-Type": "text/event-stream" } })
    expect((yield* fromMountedApp(events)).body._tag).toBe("Stream")
    const nothing = yield* fromMountedApp(new Response(null, { status: 202 }))
    expect([nothing.status, nothing.body._tag]).toEqual([202, "Empty"])
  })
)
