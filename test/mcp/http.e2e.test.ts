import { expect, layer } from "@effect/vitest"
import { Effect } from "effect"
import { type Answer } from "../support/Client.ts"
import { called, fault, message, post, postRaw, type Posting, toolCall } from "../support/Posted.ts"
import { quarry } from "../support/Quarry.ts"
import { Server } from "../support/Server.ts"

const initialize = (protocolVersion: string) =>
  message("initialize", { protocolVersion, capabilities: {}, clientInfo: { name: "raw", version: "1" } })

const resultOf = (answer: Answer) => {
  expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "application/json"])
  return answer.body
}

const ping = message("ping")

const isPong = (answer: Answer) => expect(resultOf(answer)).toEqual({ jsonrpc: "2.0", id: 1, result: {} })

/** What the protocol refuses: status, JSON-RPC code. */
const refused = Effect.fn(function* (answer: Answer, status: number, code: number) {
  expect(answer.status, answer.text).toBe(status)
  expect(answer.headers.get("x-ratelimit-remaining")).toMatch(/^\d+$/)
  const found = yield* fault(answer)
  expect(found.code, answer.text).toBe(code)
  return found
})

const modern = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientInfo": { name: "raw", version: "1" },
  "io.modelcontextprotocol/clientCapabilities": {}
}

layer(quarry(), { excludeTestServices: true, timeout: "30 seconds" })("the MCP door", (it) => {
  it.effect("takes whatever Accept, and answers JSON", () =>
    Effect.gen(function* () {
      isPong(yield* post(ping))
      for (const Accept of [
        "*/*",
        "application/json",
        "text/event-stream",
        "application/json, text/event-stream",
        "text/html",
        ""
      ]) {
        isPong(yield* post(ping, { headers: { Accept } }))
      }
    })
  )

  it.effect("takes a stale session id, and gives none", () =>
    Effect.gen(function* () {
      const answer = yield* post(ping, { headers: { "Mcp-Session-Id": "3f1a", "Mcp-Protocol-Version": "2025-06-18" } })
      isPong(answer)
      expect(answer.headers.has("mcp-session-id")).toBe(false)
    })
  )

  it.effect("takes JSON by other names", () =>
    Effect.gen(function* () {
      isPong(yield* post(ping, { type: null }))
      isPong(yield* post(ping, { type: "application/json; charset=utf-8" }))
      isPong(yield* post(ping, { type: "Application/JSON" }))
    })
  )

  it.effect("agrees on each revision it knows, and offers its own for one it does not", () =>
    Effect.gen(function* () {
      for (const version of ["2025-03-26", "2025-06-18", "2025-11-25"]) {
        expect(resultOf(yield* post(initialize(version)))).toMatchObject({
          result: {
            protocolVersion: version,
            serverInfo: { name: "quarry" },
            capabilities: { tools: {}, resources: {}, prompts: {} }
          }
        })
      }
      expect(resultOf(yield* post(initialize("1999-01-01")))).toMatchObject({
        result: { protocolVersion: "2025-11-25" }
      })
    })
  )

  it.effect("speaks 2026-07-28 without a handshake", () =>
    Effect.gen(function* () {
      const headers = { "Mcp-Protocol-Version": "2026-07-28", "Mcp-Method": "server/discover" }
      const answer = yield* post(message("server/discover", { _meta: modern }), { headers })
      expect(resultOf(answer)).toMatchObject({
        result: { supportedVersions: ["2026-07-28"], capabilities: { tools: {}, resources: {}, prompts: {} } }
      })
    })
  )

  it.effect("has no handshake in 2026-07-28", () =>
    Effect.gen(function* () {
      const headers = { "Mcp-Protocol-Version": "2026-07-28", "Mcp-Method": "initialize" }
      yield* refused(yield* post(message("initialize", { _meta: modern }), { headers }), 404, -32_601)
    })
  )

  it.effect("has nothing to subscribe to", () =>
    Effect.gen(function* () {
      const headers = { "Mcp-Protocol-Version": "2026-07-28", "Mcp-Method": "subscriptions/listen" }
      const answer = yield* post(message("subscriptions/listen", { _meta: modern, notifications: {} }), { headers })
      expect((yield* fault(answer)).id).toBe(1)
    })
  )

  it.effect("refuses revisions that it does not know", () =>
    Effect.gen(function* () {
      const old = yield* post(ping, { headers: { "Mcp-Protocol-Version": "1999-01-01" } })
      yield* refused(old, 400, -32_000)
      const _meta = { ...modern, "io.modelcontextprotocol/protocolVersion": "2099-01-01" }
      const headers = { "Mcp-Protocol-Version": "2099-01-01", "Mcp-Method": "tools/list" }
      const { data } = yield* refused(yield* post(message("tools/list", { _meta }), { headers }), 400, -32_022)
      expect(data).toEqual({ supported: ["2026-07-28"], requested: "2099-01-01" })
    })
  )

  const foreign: ReadonlyArray<Posting["headers"]> = [
    { Origin: "https://evil.example" },
    { Origin: "null" },
    { Origin: "http://localhost.evil.example" },
    { Origin: "file://" },
    { Host: "evil.example" },
    { Host: "localhost.evil.example" },
    { Host: "evil.example", Origin: "http://evil.example" }
  ]
  it.effect.each(foreign.map((headers) => headers ?? {}))("does not let in %j", (headers) =>
    Effect.gen(function* () {
      yield* refused(yield* post(ping, { headers }), 403, -32_000)
    })
  )

  it.effect("is no place for a Host that is none", () =>
    Effect.gen(function* () {
      for (const Host of ["localhost@evil.example", "evil.example/localhost", "local host"]) {
        const answer = yield* post(ping, { headers: { Host } })
        expect([answer.status, answer.body]).toEqual([400, { success: false, error: "Bad request", details: null }])
        expect(answer.headers.get("x-ratelimit-remaining")).toBe("199")
      }
    })
  )

  it.effect("lets in who comes from this machine", () =>
    Effect.gen(function* () {
      const { port } = yield* Server
      for (const Origin of [
        "http://localhost:3000",
        "http://127.0.0.1",
        "http://[::1]:6274",
        `http://127.0.0.1:${port}`
      ]) {
        isPong(yield* post(ping, { headers: { Origin } }))
      }
      for (const Host of ["localhost", `LOCALHOST:${port}`, "[::1]:1"]) isPong(yield* post(ping, { headers: { Host } }))
    })
  )

  it.effect("answers a browser's preflight", () =>
    Effect.gen(function* () {
      const asks = { "Access-Control-Request-Method": "POST", "Access-Control-Request-Headers": "mcp-protocol-version" }
      const headers = { Origin: "http://localhost:3000", ...asks }
      const answer = yield* postRaw(null, { method: "OPTIONS", type: null, headers })
      expect([answer.status, answer.headers.get("access-control-allow-methods")]).toEqual([204, "POST"])
      expect(answer.headers.get("access-control-allow-headers")).toContain("mcp-protocol-version")
    })
  )

  it.effect.each(["GET", "DELETE", "HEAD", "PUT", "PATCH", "OPTIONS"])("%s is not for it", (method) =>
    Effect.gen(function* () {
      const answer = yield* postRaw(null, { method, type: null, headers: { Accept: "text/event-stream" } })
      expect([answer.status, answer.headers.get("allow")]).toEqual([405, "POST"])
      if (method !== "HEAD") expect((yield* fault(answer)).code).toBe(-32_000)
    })
  )

  const bodies: ReadonlyArray<readonly [what: string, body: string | Uint8Array | null, code: number]> = [
    ["malformed", "{", -32_700],
    ["empty", null, -32_700],
    ["no UTF-8", Uint8Array.of(0x22, 0xff, 0x22), -32_700],
    ["null", "null", -32_600],
    ["a number", "7", -32_600],
    ["an object of another kind", '{"hello":"world"}', -32_600],
    ["with an id of null", '{"jsonrpc":"2.0","id":null,"method":"ping"}', -32_600],
    ["an empty batch", "[]", -32_600],
    ["a batch with a stranger", '[{"jsonrpc":"2.0","id":1,"method":"ping"},{"hello":1}]', -32_600],
    ["deep", "[".repeat(200_000), -32_700]
  ]
  it.effect.each(bodies)("refuses a body that is %s", ([_, body, code]) =>
    Effect.gen(function* () {
      expect((yield* refused(yield* postRaw(body), 400, code)).id).toBeNull()
    })
  )

  it.effect("refuses other types and large bodies", () =>
    Effect.gen(function* () {
      yield* refused(yield* post(ping, { type: "text/plain" }), 415, -32_000)
      yield* refused(yield* post(ping, { type: "application/x-www-form-urlencoded" }), 415, -32_000)
      const large = yield* post(toolCall("search_web", { query: "x".repeat(1_048_576) }))
      expect([large.status, large.headers.get("x-ratelimit-remaining")]).toEqual([413, "199"])
    })
  )

  it.effect("has no answer for notifications and responses", () =>
    Effect.gen(function* () {
      const silent = [
        message("notifications/initialized", {}, null),
        message("notifications/cancelled", { requestId: 1 }, null),
        message("notifications/whatever", {}, null),
        { jsonrpc: "2.0", id: 9, result: {} }
      ]
      for (const one of silent) expect([(yield* post(one)).status, (yield* post([one])).text]).toEqual([202, ""])
    })
  )

  it.effect("answers batches where the revision has them", () =>
    Effect.gen(function* () {
      const batch = [ping, message("notifications/cancelled", { requestId: 2 }, null), message("tools/list", {}, 2)]
      for (const headers of [{}, { "Mcp-Protocol-Version": "2025-03-26" }]) {
        expect(resultOf(yield* post(batch, { headers }))).toMatchObject([
          { id: 1, result: {} },
          { id: 2, result: { tools: expect.any(Array) } }
        ])
      }
      for (const version of ["2025-06-18", "2025-11-25", "2026-07-28"]) {
        yield* refused(yield* post(batch, { headers: { "Mcp-Protocol-Version": version } }), 400, -32_600)
      }
    })
  )

  it.effect("answers a batch of one with a list of one", () =>
    Effect.gen(function* () {
      const answer = yield* post([ping, message("notifications/whatever", {}, null)])
      expect(resultOf(answer)).toEqual([{ jsonrpc: "2.0", id: 1, result: {} }])
    })
  )

  it.effect("takes params of null for none, and tells the id of what it refuses", () =>
    Effect.gen(function* () {
      isPong(yield* post({ ...ping, params: null }))
      for (const params of [[], 5, "x"]) {
        expect((yield* refused(yield* post({ ...ping, params }), 400, -32_600)).id).toBe(1)
      }
      expect((yield* refused(yield* post({ id: 7, method: "ping" }), 400, -32_600)).id).toBe(7)
    })
  )

  it.effect("takes no notice of responses, however deep", () =>
    Effect.gen(function* () {
      const deep = `${"[".repeat(50)}${"]".repeat(50)}`
      const answer = yield* postRaw(`{"jsonrpc":"2.0","id":1,"result":{"deep":${deep}}}`)
      expect([answer.status, answer.text]).toEqual([202, ""])
      const batch = yield* postRaw(`[{"jsonrpc":"2.0","id":9,"result":{"deep":${deep}}},${JSON.stringify(ping)}]`)
      expect(resultOf(batch)).toEqual([{ jsonrpc: "2.0", id: 1, result: {} }])
    })
  )

  const incomplete: ReadonlyArray<readonly [method: string, params: unknown, hint: string]> = [
    ["initialize", undefined, "protocolVersion"],
    ["initialize", { protocolVersion: "2025-11-25" }, "clientInfo"],
    ["tools/call", null, "name of a tool"],
    ["tools/call", { name: 5 }, "name of a tool"],
    ["tools/list", { cursor: 5 }, "cursor"],
    ["resources/list", { cursor: 5 }, "cursor"],
    ["resources/read", {}, "uri of a resource"],
    ["prompts/list", { cursor: 5 }, "cursor"],
    ["prompts/get", {}, "name of a prompt"]
  ]
  it.effect.each(incomplete)("says in a sentence what %s with %j lacks", ([method, params, hint]) =>
    Effect.gen(function* () {
      const { code, id, message } = yield* fault(yield* post({ jsonrpc: "2.0", id: 1, method, params }))
      expect([code, id]).toEqual([-32_602, 1])
      expect(message).toMatch(new RegExp(`^[^[{]*${hint}[^[{]*$`))
    })
  )

  it.effect("names what it does not have", () =>
    Effect.gen(function* () {
      expect((yield* fault(yield* post(message("prompts/burn")))).code).toBe(-32_601)
      const unknown = yield* fault(yield* post(toolCall("search_maps", {})))
      expect([unknown.code, unknown.id]).toEqual([-32_602, 1])
      expect(unknown.message).toContain("search_maps")
    })
  )

  const generous: ReadonlyArray<readonly [what: string, args: unknown]> = [
    ["numbers as strings", { query: "javascript tutorial", max_results: " 2 ", page: "1" }],
    ["enums in any case", { query: "javascript tutorial", max_results: 2, safesearch: " MODERATE ", region: "US-EN" }],
    [
      "null and nothing for what is left out",
      { query: "javascript tutorial", max_results: 2, timelimit: null, page: null, region: "" }
    ],
    ["arguments that do not exist", { query: "javascript tutorial", max_results: 2, verbose: true, q: 7 }],
    [
      "a list of engines",
      { query: "javascript tutorial", max_results: 2, backend: ["DuckDuckGo", "mojeek", "wikipedia"] }
    ],
    ["the object as a string", '{"query":"javascript tutorial","max_results":2}']
  ]
  it.effect.each(generous)("takes %s", ([_, args]) =>
    Effect.gen(function* () {
      const { isError, structured, text } = yield* Effect.flatMap(post(toolCall("search_web", args)), called)
      expect(isError, text).toBe(false)
      expect(structured).toMatchObject({ success: true, query: "javascript tutorial", results_count: 2, page: 1 })
    })
  )

  const wrong: ReadonlyArray<readonly [tool: string, args: unknown, fields: ReadonlyArray<string>]> = [
    ["search_web", null, ["query"]],
    ["search_web", {}, ["query"]],
    ["search_web", [], [""]],
    ["search_web", "", [""]],
    ["search_web", "garbage", [""]],
    ["search_web", "[1]", [""]],
    ["search_web", 5, [""]],
    ["fetch_content", true, [""]],
    ["search_web", { query: null }, ["query"]],
    ["search_web", { query: " " }, ["query"]],
    ["search_web", { query: { text: "x" } }, ["query"]],
    ["search_web", { query: ["x", 1] }, ["query"]],
    ["search_web", { query: "x".repeat(1001), max_results: 1.5, page: "1e1" }, ["query", "max_results", "page"]],
    ["search_web", { query: "x", page: 101 }, ["page"]],
    ["search_web", { query: "x", max_tokens: 299 }, ["max_tokens"]],
    ["fetch_content", { max_tokens: "all" }, ["url", "max_tokens"]],
    ["search_web", { backend: "altavista" }, ["query", "backend"]],
    ["search_web", { query: "x", backend: "altavista" }, ["backend"]],
    ["search_web", { backend: ["nope", "mojeek"] }, ["query", "backend"]],
    ["search_web", { backend: [1] }, ["query", "backend"]],
    ["search_web", { page: 11, max_results: 100 }, ["query", "page"]],
    ["search_web", { query: "x", page: "11", max_results: " 100", backend: "nope" }, ["page", "backend"]],
    ["search_news", { page: 1000, max_results: 100, region: "x" }, ["query", "region", "page"]],
    ["search_everything", { max_results_per_type: 51, region: "nowhere" }, ["query", "region", "max_results_per_type"]],
    ["fetch_content", { url: "ftp://example.com/", timeout: true, offset: -1 }, ["url", "timeout", "offset"]],
    ["fetch_content", { url: "http://127.0.0.1:1/o\nk" }, ["url"]],
    ["fetch_multiple_contents", { urls: [] }, ["urls"]],
    ["fetch_multiple_contents", { urls: [1], timeout: "x", format: "pdf" }, ["urls", "timeout", "format"]]
  ]
  it.effect.each(wrong)("says what is wrong with %s %j", ([tool, args, fields]) =>
    Effect.gen(function* () {
      const answer = yield* post(toolCall(tool, args))
      const { isError, structured, text } = yield* called(answer)
      expect([answer.status, isError, structured]).toEqual([200, true, undefined])
      const { details, error, success } = JSON.parse(text)
      expect([success, error]).toEqual([false, "Invalid parameters"])
      expect(details.map(({ field }: { field: string }) => field)).toEqual(fields)
      for (const problem of details) expect(problem).toMatchObject({ in: "body", message: expect.any(String) })
    })
  )
})
