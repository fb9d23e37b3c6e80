import { expect, layer } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { connect } from "node:net"
import { call, failed, newClient } from "../support/Client.ts"
import { quarry } from "../support/Quarry.ts"
import { Server } from "../support/Server.ts"

const path = "/api/content/fetch-multiple"
const url = "http://127.0.0.1:1/"

const fieldsOf = (json: unknown) =>
  Effect.gen(function* () {
    const answer = yield* call(path, { json })
    const { details, error } = yield* failed(answer)
    expect([answer.status, error]).toEqual([422, "Invalid parameters"])
    const Problems = Schema.Array(Schema.Struct({ in: Schema.Literal("body"), field: Schema.String }))
    const problems = yield* Effect.orDie(Schema.decodeUnknown(Problems)(details))
    return Array.from(new Set(problems.map(({ field }) => field))).toSorted()
  })

layer(quarry(), { excludeTestServices: true, timeout: "30 seconds" })("a batch's body", (it) => {
  it.effect("has to have one to ten URLs, as strings", () =>
    Effect.gen(function* () {
      const eleven = Array.from({ length: 11 }, (_, index) => `${url}${index}`)
      for (const urls of [undefined, null, "x", url, 5, {}, [], eleven]) {
        expect(yield* fieldsOf({ urls }), JSON.stringify(urls)).toEqual(["urls"])
      }
      for (const wrong of [null, 5, {}, [url]]) {
        const [field] = yield* fieldsOf({ urls: [url, wrong] })
        expect(field, JSON.stringify(wrong)).toMatch(/^urls/)
      }
    })
  )

  it.effect("has integers and enums within their bounds", () =>
    Effect.gen(function* () {
      for (const timeout of [4, 31, 10.5, "soon", null, [10]]) {
        expect(yield* fieldsOf({ urls: [url], timeout }), `timeout ${timeout}`).toEqual(["timeout"])
      }
      for (const max_length of [99, 20_001, 100.5, "long", null, {}]) {
        expect(yield* fieldsOf({ urls: [url], max_length }), `max_length ${max_length}`).toEqual(["max_length"])
      }
      for (const format of ["pdf", 5, null]) {
        expect(yield* fieldsOf({ urls: [url], format }), `format ${format}`).toEqual(["format"])
      }
    })
  )

  it.effect("has every bad member named at once", () =>
    Effect.gen(function* () {
      const fields = yield* fieldsOf({ urls: [], timeout: 1, max_length: 1, format: "x" })
      expect(fields).toEqual(["format", "max_length", "timeout", "urls"])
    })
  )

  it.effect("is an object", () =>
    Effect.gen(function* () {
      for (const json of [[], "x", 5, null, true]) yield* fieldsOf(json)
    })
  )

  it.effect("nests no deeper than 64 levels", () =>
    Effect.gen(function* () {
      const deep = "[".repeat(100_000) + "]".repeat(100_000)
      for (const body of [deep, `{"urls":${deep}}`]) {
        const answer = yield* call(path, { method: "POST", body, headers: { "Content-Type": "application/json" } })
        expect([answer.status, (yield* failed(answer)).error]).toEqual([400, "Malformed JSON"])
      }
    })
  )

  it.effect("is JSON", () =>
    Effect.gen(function* () {
      for (const body of ["", "{", '{"urls": [}', "urls=a", "{'urls': []}", '{"urls": ["a"]} trailing']) {
        const answer = yield* call(path, { method: "POST", body, headers: { "Content-Type": "application/json" } })
        expect([answer.status, (yield* failed(answer)).error], body).toEqual([400, "Malformed JSON"])
        expect((yield* failed(answer)).details).toEqual({ message: expect.any(String) })
      }
    })
  )

  it.effect("is declared as JSON", () =>
    Effect.gen(function* () {
      const body = JSON.stringify({ urls: [url] })
      for (const type of [
        "text/plain",
        "application/x-www-form-urlencoded",
        "application/jsonp",
        "multipart/form-data"
      ]) {
        const answer = yield* call(path, { body, headers: { "Content-Type": type } })
        expect([answer.status, yield* failed(answer)]).toEqual([
          415,
          { success: false, error: "Unsupported media type", details: { expected: "application/json" } }
        ])
      }
      for (const type of ["application/json; charset=utf-8", "Application/JSON"]) {
        expect((yield* call(path, { body, headers: { "Content-Type": type } })).status, type).toBe(200)
      }
      // A body that declares nothing is taken for what is expected.
      expect((yield* call(path, { body: new TextEncoder().encode(body) })).status).toBe(200)
    })
  )

  it.effect("is no larger than a mebibyte, announced or not", () =>
    Effect.gen(function* () {
      const envelope = { success: false, error: "Payload too large", details: { limit: 1_048_576 } }
      const answer = yield* call(path, { json: { urls: [`${url}${"x".repeat(1_100_000)}`] } })
      expect([answer.status, answer.body]).toEqual([413, envelope])
      for (const length of [1_100_000, 50_000_000]) {
        const chunked = yield* sendChunked(length)
        expect(chunked).toMatch(/^HTTP\/1\.1 413 /)
        expect(chunked).toContain(JSON.stringify(envelope))
        expect(chunked.toLowerCase()).toContain("x-ratelimit-limit: ")
      }
      const padded = `{"urls": ["${url}"]${" ".repeat(1_000_000)}}`
      const fits = yield* call(path, { body: padded, headers: { "Content-Type": "application/json" } })
      expect(fits.status).toBe(200)
    })
  )
})

/** What the server says to a body of unknown length, up to the end of its answer. */
const sendChunked = (length: number) =>
  Effect.gen(function* () {
    const { port } = yield* Server
    return yield* Effect.async<string>((resume) => {
      const socket = connect(port, "127.0.0.1")
      const chunk = "x".repeat(10_000)
      const heard: Array<string> = []
      const head = [
        `POST ${path} HTTP/1.1`,
        "Host: 127.0.0.1",
        `X-Forwarded-For: ${newClient()}`,
        "Content-Type: application/json",
        "Transfer-Encoding: chunked"
      ]
      socket.on("error", () => undefined)
      socket.on("data", (data) => void heard.push(data.toString("utf8")))
      socket.on("drain", () => undefined)
      socket.on("close", () => resume(Effect.succeed(heard.join(""))))
      socket.write(`${head.join("\r\n")}\r\n\r\n`)
      for (let sent = 0; sent < length; sent += chunk.length) {
        socket.write(`${chunk.length.toString(16)}\r\n${chunk}\r\n`)
      }
      // The answer is read only once everything is sent, as many clients do.
      socket.end("0\r\n\r\n")
    })
  })
