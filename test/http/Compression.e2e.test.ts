import { expect, layer } from "@effect/vitest"
import { Effect } from "effect"
import { type IncomingHttpHeaders, request } from "node:http"
import { gunzipSync } from "node:zlib"
import { newClient } from "../support/Client.ts"
import { Server } from "../support/Server.ts"

interface Raw {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  /** As it came, still compressed. */
  readonly bytes: Buffer
}

interface Asked {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly json?: unknown
}

/** Asks with exactly these headers, and decodes nothing. */
const ask = (path: string, { headers = {}, json, method = json === undefined ? "GET" : "POST" }: Asked = {}) =>
  Effect.flatMap(Server, ({ baseUrl }) =>
    Effect.async<Raw>((resume) => {
      const type = json === undefined ? {} : { "Content-Type": "application/json" }
      const all = { "X-Forwarded-For": newClient(), ...type, ...headers }
      const sent = request(`${baseUrl}${path}`, { method, headers: all }, (response) => {
        const chunks: Array<Buffer> = []
        response.on("data", (chunk: Buffer) => chunks.push(chunk))
        response.on("end", () => {
          const { headers: got, statusCode = 0 } = response
          resume(Effect.succeed({ status: statusCode, headers: got, bytes: Buffer.concat(chunks) }))
        })
      })
      sent.on("error", (error) => resume(Effect.die(error)))
      sent.end(json === undefined ? undefined : JSON.stringify(json))
    })
  )

const gzip = { "Accept-Encoding": "gzip, deflate, br" }

const textOf = ({ bytes, headers }: Raw) =>
  (headers["content-encoding"] === "gzip" ? gunzipSync(bytes) : bytes).toString()

/** Answers of more than 1 KiB that are the same each time: a handler's, and an error envelope. */
const large = [
  ["/", 200],
  ["/api/search/images?max_results=0&page=0&region=!&safesearch=a&timelimit=b&size=c&color=d&layout=e&backend=f", 422]
] as const

const listTools = { jsonrpc: "2.0", id: 1, method: "tools/list", params: {} }

layer(Server.layer({ TRUST_PROXY: "1" }), { excludeTestServices: true, timeout: "30 seconds" })((it) => {
  for (const [path, status] of large) {
    it.effect(`${status} of ${path.split("?")[0]} is compressed for who asks for it`, () =>
      Effect.gen(function* () {
        const plain = yield* ask(path)
        const packed = yield* ask(path, { headers: gzip })
        expect([plain.status, packed.status]).toEqual([status, status])
        expect(plain.bytes.length).toBeGreaterThan(1024)
        expect(packed.bytes.length).toBeLessThan(plain.bytes.length)
        expect(textOf(packed)).toBe(plain.bytes.toString())
        expect(packed.headers["content-encoding"]).toBe("gzip")
        expect(plain.headers).not.toHaveProperty("content-encoding")
        for (const { bytes, headers } of [plain, packed]) {
          expect(headers).toMatchObject({
            "content-type": "application/json",
            "content-length": String(bytes.length),
            vary: "Accept-Encoding",
            "x-content-type-options": "nosniff"
          })
          expect(headers).toHaveProperty("x-ratelimit-remaining")
        }
      })
    )

    it.effect(`HEAD of ${path.split("?")[0]} has the headers of GET`, () =>
      Effect.gen(function* () {
        for (const headers of [{}, gzip]) {
          const got = yield* ask(path, { headers })
          const head = yield* ask(path, { headers, method: "HEAD" })
          expect([head.status, head.bytes.length]).toEqual([status, 0])
          for (const name of ["content-type", "content-length", "content-encoding", "vary"]) {
            expect(head.headers[name], name).toBe(got.headers[name])
          }
        }
      })
    )
  }

  it.effect("the coding is the one that Accept-Encoding prefers", () =>
    Effect.gen(function* () {
      for (const [accepted, coding] of [
        ["", undefined],
        ["identity", undefined],
        ["gzip;q=0", undefined],
        ["gzip;q=0, *", undefined],
        ["*;q=0", undefined],
        ["br, deflate, zstd", undefined],
        ["gzip;q=0.5, identity;q=0.8", undefined],
        ["gzip", "gzip"],
        ["x-gzip", "gzip"],
        ["*", "gzip"],
        ["br, gzip;q=0.1", "gzip"]
      ] as const) {
        const { headers } = yield* ask("/", { headers: { "Accept-Encoding": accepted } })
        expect([headers["content-encoding"], headers.vary], accepted).toEqual([coding, "Accept-Encoding"])
      }
    })
  )

  it.effect("a small answer is sent as it is", () =>
    Effect.gen(function* () {
      for (const path of ["/health", "/nothing"]) {
        const { bytes, headers } = yield* ask(path, { headers: gzip })
        expect(headers).not.toHaveProperty("content-encoding")
        expect(headers).toMatchObject({ "content-length": String(bytes.length), vary: "Accept-Encoding" })
        expect(JSON.parse(bytes.toString())).toBeTypeOf("object")
      }
    })
  )

  it.effect("what is kept compressed is not compressed again", () =>
    Effect.gen(function* () {
      for (const path of ["/docs", "/redoc", "/openapi.json"]) {
        const plain = yield* ask(path)
        const packed = yield* ask(path, { headers: { "Accept-Encoding": "gzip" } })
        expect(packed.headers).toMatchObject({ "content-encoding": "gzip", vary: "Accept-Encoding" })
        expect(gunzipSync(packed.bytes).equals(plain.bytes)).toBe(true)
      }
    })
  )

  for (const accept of ["application/json", "application/json, text/event-stream"]) {
    it.effect(`MCP's JSON is compressed (Accept: ${accept})`, () =>
      Effect.gen(function* () {
        const plain = yield* ask("/ai/mcp", { headers: { Accept: accept }, json: listTools })
        const packed = yield* ask("/ai/mcp", { headers: { Accept: accept, ...gzip }, json: listTools })
        expect([plain.status, packed.status]).toEqual([200, 200])
        expect(plain.headers["content-type"]).toMatch(/^application\/json/)
        expect(plain.headers).not.toHaveProperty("content-encoding")
        expect(packed.headers).toMatchObject({
          "content-encoding": "gzip",
          "content-length": String(packed.bytes.length)
        })
        expect(packed.headers.vary).toContain("Accept-Encoding")
        expect(textOf(packed)).toBe(plain.bytes.toString())
        expect(JSON.parse(textOf(packed)).result.tools.length).toBeGreaterThan(5)
      })
    )
  }

  it.effect("an event stream of MCP is not", () =>
    Effect.gen(function* () {
      const args = { urls: ["http://10.0.0.1/", "http://10.0.0.2/"] }
      const params = { name: "fetch_multiple_contents", arguments: args, _meta: { progressToken: 1 } }
      const { bytes, headers } = yield* ask("/ai/mcp", {
        headers: { Accept: "application/json, text/event-stream", ...gzip },
        json: { jsonrpc: "2.0", id: 1, method: "tools/call", params }
      })
      expect(headers["content-type"]).toMatch(/^text\/event-stream/)
      expect(headers).not.toHaveProperty("content-encoding")
      expect(bytes.toString()).toMatch(/^(?:event|data|id): /)
    })
  )

  it.effect("nor are the lines of RPC", () =>
    Effect.gen(function* () {
      const call = { _tag: "Request", id: "1", tag: "engines", payload: {}, headers: [] }
      const { bytes, headers } = yield* ask("/rpc", { headers: gzip, json: call })
      expect(headers["content-type"]).toMatch(/ndjson/)
      expect(headers).not.toHaveProperty("content-encoding")
      expect(bytes.toString().trim().split("\n").length).toBeGreaterThan(0)
      expect(bytes.length).toBeGreaterThan(1024)
    })
  )
})

layer(Server.layer({ TRUST_PROXY: "1", CORS_ORIGINS: "https://app.example" }), {
  excludeTestServices: true,
  timeout: "30 seconds"
})((it) => {
  it.effect("JSON varies by origin as well where the origin counts", () =>
    Effect.gen(function* () {
      for (const path of ["/", "/health", "/nothing", "/openapi.json"]) {
        const { headers } = yield* ask(path, { headers: { ...gzip, Origin: "https://app.example" } })
        expect(headers.vary, path).toBe("Accept-Encoding, Origin")
      }
    })
  )
})
