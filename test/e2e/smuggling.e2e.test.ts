import { expect, layer } from "@effect/vitest"
import { Effect } from "effect"
import { connect } from "node:net"
import { Server } from "../support/Server.ts"

/** Sends pieces of bytes, each when the server had time for the one before, and gives what comes until it hangs up. */
const raw = (...pieces: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const { port } = yield* Server
    return yield* Effect.async<string>((resume) => {
      const heard: Array<string> = []
      const socket = connect(port, "127.0.0.1", () => {
        const send = (index: number): void => {
          const piece = pieces[index]
          if (piece === undefined || socket.destroyed) return
          socket.write(piece, "latin1", () => setImmediate(send, index + 1))
        }
        send(0)
      })
      socket.on("error", () => undefined)
      socket.on("data", (data) => void heard.push(data.toString("utf8")))
      socket.on("close", () => resume(Effect.succeed(heard.join(""))))
      return Effect.sync(() => socket.destroy())
    }).pipe(Effect.timeout("15 seconds"))
  })

const statusesOf = (text: string): ReadonlyArray<string> => text.match(/(?<=HTTP\/1\.1 )\d+/g) ?? []

const post = (headers: ReadonlyArray<string>, body: string): string =>
  ["POST /api/content/fetch-multiple HTTP/1.1", "Host: x", "Content-Type: application/json", ...headers, "", body].join(
    "\r\n"
  )

/** What a second server behind another proxy might take for a request of its own. */
const smuggled = "GET /smuggled HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"

const chunked = `0\r\n\r\n${smuggled}`

/** Requests whose end two parsers may see in different places (RFC 9112, section 11.2). */
const ambiguous: Readonly<Record<string, string>> = {
  "CL.TE": post([`Content-Length: ${chunked.length}`, "Transfer-Encoding: chunked"], chunked),
  "TE.CL": post(["Transfer-Encoding: chunked", "Content-Length: 4"], `5c\r\n${smuggled}\r\n0\r\n\r\n`),
  "two lengths": post(["Content-Length: 0", `Content-Length: ${smuggled.length}`], smuggled),
  "two lengths in one": post([`Content-Length: 0, ${smuggled.length}`], smuggled),
  "a signed length": post([`Content-Length: +${smuggled.length}`], smuggled),
  "a hexadecimal length": post(["Content-Length: 0x10"], smuggled),
  "a length with a space in it": post(["Content-Length: 1 0"], smuggled),
  "chunked twice": post(["Transfer-Encoding: chunked", "Transfer-Encoding: chunked", "Content-Length: 3"], chunked),
  "chunked but not last": post(["Transfer-Encoding: chunked, identity"], chunked),
  "an unknown coding": post(["Transfer-Encoding: xchunked"], chunked),
  "a space before the colon": post(["Transfer-Encoding : chunked"], chunked),
  "a folded header": post(["Transfer-Encoding:", " chunked", "Content-Length: 5"], chunked),
  "a folded other header": post(["X-Fold: a", " b", "Content-Length: 0"], smuggled),
  "a bare LF after a header": post(["Content-Length: 0\nX: y"], smuggled),
  "a bare CR in a header": post(["X-A: b\rTransfer-Encoding: chunked", "Content-Length: 5"], chunked),
  "a NUL in a header": post(["X-A: b\0c", "Content-Length: 0"], smuggled),
  "a chunk size that is none": post(["Transfer-Encoding: chunked"], `g\r\n${smuggled}`),
  "a chunk size beyond all numbers": post(["Transfer-Encoding: chunked"], `fffffffffffffffff\r\n${smuggled}`),
  "a signed chunk size": post(["Transfer-Encoding: chunked"], `-1\r\n${smuggled}`),
  "a chunk longer than its size": post(["Transfer-Encoding: chunked"], `1\r\nabc\r\n0\r\n\r\n${smuggled}`),
  "an LF after a chunk size": post(["Transfer-Encoding: chunked"], `0\n\n${smuggled}`),
  "a version that is none": "GET /health HTTP/9.9\r\nHost: x\r\n\r\n",
  "a space in the target": "GET /health /smuggled HTTP/1.1\r\nHost: x\r\n\r\n",
  "a line before the headers that is folded": "GET /health HTTP/1.1\r\n Host: x\r\n\r\n",
  "HTTP/2 in the clear": "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
}

const settings = { APP_ENV: "development", TRUST_PROXY: "1" }

const refusesAll = Effect.gen(function* () {
  for (const [name, bytes] of Object.entries(ambiguous)) {
    const heard = yield* raw(bytes)
    const statuses = statusesOf(heard)
    expect(statuses.at(-1), `${name}: ${heard}`).toBe("400")
    expect(statuses.length, `${name}: ${heard}`).toBeLessThanOrEqual(1)
    expect(heard, name).toContain('{"success":false,"error":"Bad request","details":null}')
    expect(heard, name).toMatch(/connection: close/i)
  }
})

const lenient = { ...settings, NODE_OPTIONS: "--insecure-http-parser" }

layer(Server.layer(lenient), { excludeTestServices: true, timeout: "60 seconds" })("a process told to be lax", (it) => {
  it.effect("refuses as much", () => refusesAll)
})

layer(Server.layer(settings), { excludeTestServices: true, timeout: "60 seconds" })("the socket", (it) => {
  it.effect("refuses what another parser may read in another way, and answers nothing after it", () => refusesAll)

  it.effect("takes what there are no two ways to read", () =>
    Effect.gen(function* () {
      const close = "Connection: close"
      const body = '{"urls":["x"]}'
      const fine: Readonly<Record<string, string>> = {
        length: post([`Content-Length: ${body.length}`, close], body),
        chunks: post(["Transfer-Encoding: chunked", close], `1\r\n{\r\nd;ext=1\r\n${body.slice(1)}\r\n0\r\n\r\n`),
        trailers: post(
          ["Transfer-Encoding: Chunked", close],
          `${body.length.toString(16)}\r\n${body}\r\n0\r\nX-Forwarded-For: 10.9.9.9\r\n\r\n`
        )
      }
      for (const [name, bytes] of Object.entries(fine)) {
        expect(statusesOf(yield* raw(bytes)), name).toEqual(["200"])
      }
      const byteByByte = Array.from(post([`Content-Length: ${body.length}`, close], body))
      expect(statusesOf(yield* raw(...byteByByte))).toEqual(["200"])
    })
  )

  it.effect("bounds the request line, the headers and their number", () =>
    Effect.gen(function* () {
      const get = (target: string, headers: ReadonlyArray<string>) =>
        raw(`GET ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${headers.join("\r\n")}\r\n\r\n`)
      const many = (count: number) => Array.from({ length: count }, (_, index) => `X-${index}: y`)
      const large = [
        yield* get(`/health?${"q".repeat(17_000)}`, ["X: y"]),
        yield* get("/health", [`X: ${"y".repeat(17_000)}`]),
        yield* get("/health", [`${"X".repeat(17_000)}: y`]),
        yield* get("/health", many(5_000)),
        yield* raw(`GET /${"x".repeat(1_000_000)}`)
      ]
      for (const heard of large) {
        expect(statusesOf(heard)).toEqual(["431"])
        expect(heard).toContain('{"success":false,"error":"Headers too large","details":null}')
      }
      expect(statusesOf(yield* get(`/health?${"q".repeat(12_000)}`, ["X: y"]))).toEqual(["200"])
      expect(statusesOf(yield* get("/health", many(500)))).toEqual(["200"])
      expect(statusesOf(yield* get(`/health?${"a&".repeat(6_000)}`, ["X: y"]))).toEqual(["200"])
    })
  )

  it.effect("sees every header, however many there are", () =>
    Effect.gen(function* () {
      const after = (count: number, ...headers: ReadonlyArray<string>) =>
        raw(`GET /health HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${"a:\r\n".repeat(count)}${headers.join("")}\r\n`)
      expect(statusesOf(yield* after(10_000, "Host: y\r\n"))).toEqual(["400"])
      const client = "X-Forwarded-For: 198.51.100.7\r\n"
      const left = (heard: string) => Number(/^x-ratelimit-remaining: (\d+)/im.exec(heard)?.[1])
      const before = left(yield* after(0, client))
      expect(left(yield* after(10_000, client))).toBe(before - 1)
    })
  )

  it.effect("survives floods of connections that are cut in the middle", () =>
    Effect.gen(function* () {
      const { baseUrl, port } = yield* Server
      const cut = Effect.async<void>((resume) => {
        const socket = connect(port, "127.0.0.1", () => {
          socket.write("POST /ai/mcp HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{", () => socket.destroy())
        })
        socket.on("error", () => undefined).on("close", () => resume(Effect.void))
      })
      yield* Effect.replicateEffect(cut, 500, { concurrency: 100, discard: true })
      expect((yield* Effect.promise(() => fetch(`${baseUrl}/health`))).status).toBe(200)
    })
  )
})
