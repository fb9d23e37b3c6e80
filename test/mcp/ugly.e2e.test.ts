import { expect, layer } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { connect } from "node:net"
import { ContentWeb } from "../support/ContentWeb.ts"
import { type Answer, newClient } from "../support/Client.ts"
import { message, post, postRaw, type Posting, toolCall } from "../support/Posted.ts"
import { quarry } from "../support/Quarry.ts"
import { Server } from "../support/Server.ts"

const books = (args: object = {}) => toolCall("search_books", { query: "dune", max_results: 2, ...args })

const initialize = (
  protocolVersion: unknown,
  rest: object = { capabilities: {}, clientInfo: { name: "u", version: "1" } }
) => message("initialize", { protocolVersion, ...rest })

const asTask = (task: unknown) => message("tools/call", { name: "search_books", arguments: { query: "dune" }, task })

/** What a client gets: served, a result that is an error, or an error of the protocol by its code. */
type Fate = "served" | "told" | "silent" | number

interface Client {
  readonly is: string
  /** A body to be sent as JSON, or as it is where it is a string. */
  readonly sends: unknown
  readonly as?: Posting
  readonly status?: number
  readonly fate: Fate
}

const header = (headers: Readonly<Record<string, string>>): Posting => ({ headers })

const clients: ReadonlyArray<Client> = [
  { is: "without Accept", sends: books(), fate: "served" },
  { is: "with Accept */*", sends: books(), as: header({ Accept: "*/*" }), fate: "served" },
  { is: "that takes JSON only", sends: books(), as: header({ Accept: "application/json" }), fate: "served" },
  { is: "that takes event streams only", sends: books(), as: header({ Accept: "text/event-stream" }), fate: "served" },
  { is: "with a browser's Accept", sends: books(), as: header({ Accept: "text/html,*/*;q=0.8" }), fate: "served" },
  { is: "with a stale session id", sends: books(), as: header({ "Mcp-Session-Id": "gone" }), fate: "served" },
  { is: "that resumes a stream", sends: books(), as: header({ "Last-Event-ID": "7" }), fate: "served" },
  { is: "without Content-Type", sends: books(), as: { type: null }, fate: "served" },
  { is: "that sends text", sends: books(), as: { type: "text/plain" }, status: 415, fate: -32_000 },
  { is: "that never initialized", sends: message("tools/list"), fate: "served" },
  {
    is: "that initializes twice",
    sends: initialize("2025-06-18"),
    as: header({ "Mcp-Session-Id": "1" }),
    fate: "served"
  },
  { is: "of a revision unheard of", sends: initialize("1999-01-01"), fate: "served" },
  { is: "whose revision is a number", sends: initialize(2025), fate: -32_602 },
  { is: "that initializes without its name", sends: initialize("2025-11-25", {}), fate: -32_602 },
  {
    is: "with a wrong version in its header",
    sends: books(),
    as: header({ "Mcp-Protocol-Version": "1999-01-01" }),
    status: 400,
    fate: -32_000
  },
  {
    is: "from the future, without what that era needs",
    sends: books(),
    as: header({ "Mcp-Protocol-Version": "2099-01-01" }),
    status: 400,
    fate: -32_602
  },
  { is: "with numbers in strings", sends: books({ max_results: "2", page: " 1 ", max_tokens: "500" }), fate: "served" },
  { is: "with numbers as floats", sends: books({ max_results: 2.0 }), fate: "served" },
  { is: "with null for what it leaves out", sends: books({ page: null, backend: null }), fate: "served" },
  { is: "with arguments of its own making", sends: books({ reasoning: "…", verbose: true }), fate: "served" },
  { is: "with its arguments in a string", sends: toolCall("search_books", '{"query":"dune"}'), fate: "served" },
  { is: "that wants a task", sends: asTask({ ttl: 1 }), fate: "served" },
  { is: "whose task is none", sends: asTask("now"), fate: "served" },
  { is: "with no arguments", sends: message("tools/call", { name: "search_books" }), fate: "told" },
  { is: "with null arguments", sends: toolCall("search_books", null), fate: "told" },
  { is: "with a list for arguments", sends: toolCall("search_books", ["dune"]), fate: "told" },
  { is: "with a query of 900,000 characters", sends: books({ query: "x".repeat(900_000) }), fate: "told" },
  {
    is: "with 100,000 arguments",
    sends: books(Object.fromEntries(Array.from({ length: 90_000 }, (_, n) => [n, 1]))),
    fate: "served"
  },
  {
    is: "with lone surrogates",
    sends:
      '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"search_books","arguments":{"query":"dune \\ud83d"}}}',
    fate: "served"
  },
  {
    is: "with __proto__",
    sends:
      '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"search_books","arguments":{"query":"dune","__proto__":{"page":0}}}}',
    fate: "served"
  },
  { is: "that asks for a tool named __proto__", sends: toolCall("__proto__", {}), fate: -32_602 },
  { is: "with a body of 2 MB", sends: books({ query: "x".repeat(2_000_000) }), status: 413, fate: "told" },
  { is: "with half a message", sends: '{"jsonrpc":"2.0","id":1,"meth', status: 400, fate: -32_700 },
  { is: "with nothing", sends: "", status: 400, fate: -32_700 },
  { is: "of JSON-RPC 1.0", sends: { id: 1, method: "tools/list", params: [] }, status: 400, fate: -32_600 },
  { is: "with params in a list", sends: { ...message("tools/list"), params: [] }, status: 400, fate: -32_600 },
  { is: "with an id in a string", sends: { ...books(), id: "a" }, fate: "served" },
  { is: "with a fraction for an id", sends: { ...message("ping"), id: 1.5 }, status: 400, fate: -32_600 },
  { is: "that sends a batch", sends: [books(), message("ping", {}, 2)], fate: "served" },
  { is: "that sends the same id twice", sends: [message("ping"), message("ping")], fate: "served" },
  { is: "that sends an empty batch", sends: [], status: 400, fate: -32_600 },
  { is: "that sends a batch in a batch", sends: [[message("ping")]], status: 400, fate: -32_600 },
  {
    is: "that sends a batch where there are none",
    sends: [message("ping")],
    as: header({ "Mcp-Protocol-Version": "2025-11-25" }),
    status: 400,
    fate: -32_600
  },
  {
    is: "that cancels what never ran",
    sends: message("notifications/cancelled", { requestId: 99 }, null),
    status: 202,
    fate: "silent"
  },
  { is: "that answers what nobody asked", sends: { jsonrpc: "2.0", id: 4, result: {} }, status: 202, fate: "silent" },
  { is: "that asks for a method unheard of", sends: message("sampling/createMessage"), fate: -32_601 },
  { is: "that sets a log level", sends: message("logging/setLevel", { level: "debug" }), fate: -32_601 },
  { is: "that subscribes", sends: message("resources/subscribe", { uri: "quarry://engines" }), fate: -32_601 },
  {
    is: "that opens a stream",
    sends: "",
    as: { method: "GET", type: null, headers: { Accept: "text/event-stream" } },
    status: 405,
    fate: -32_000
  },
  {
    is: "that ends its session",
    sends: "",
    as: { method: "DELETE", type: null, headers: { "Mcp-Session-Id": "1" } },
    status: 405,
    fate: -32_000
  },
  {
    is: "of a foreign page",
    sends: books(),
    as: header({ Origin: "https://evil.example" }),
    status: 403,
    fate: -32_000
  },
  {
    is: "that was bound to another name",
    sends: books(),
    as: header({ Host: "evil.example" }),
    status: 403,
    fate: -32_000
  }
]

const bodyOf = ({ sends }: Client) => (typeof sends === "string" ? sends : JSON.stringify(sends))

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null

/** What became of a request, by the first message of its answer. */
const fateOf = ({ body, status, text }: Answer): Fate => {
  if (text === "") return "silent"
  const first: unknown = Array.isArray(body) ? body[0] : body
  if (!isRecord(first)) return -1
  if (isRecord(first["error"])) return Number(first["error"]["code"])
  if (status === 413) return "told"
  return isRecord(first["result"]) && first["result"]["isError"] === true ? "told" : "served"
}

/** Sends the beginning of a request, and goes. */
const begins = (port: number, text: string) =>
  Effect.async<void>((resume) => {
    const socket = connect(port, "127.0.0.1", () => {
      socket.write(text, () => {
        socket.destroy()
        resume(Effect.void)
      })
    })
    socket.on("error", () => resume(Effect.void))
  })

const head = "POST /ai/mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"

layer(quarry(), { excludeTestServices: true, timeout: "30 seconds" })("a client", (it) => {
  for (const client of clients) {
    it.effect(client.is, () =>
      Effect.gen(function* () {
        const answer = yield* postRaw(bodyOf(client) === "" ? null : bodyOf(client), client.as)
        expect([answer.status, fateOf(answer)], answer.text.slice(0, 300)).toEqual([client.status ?? 200, client.fate])
        expect(answer.headers.get("x-ratelimit-remaining")).toMatch(/^\d+$/)
      })
    )
  }

  it.effect("that goes in the middle of its headers, its body, or before the answer leaves the server well", () =>
    Effect.gen(function* () {
      const { port, stderr } = yield* Server
      yield* begins(port, head.slice(0, 30))
      yield* begins(port, `${head}Content-Length: 500\r\n\r\n{"jsonrpc":`)
      yield* begins(port, `${head}Transfer-Encoding: chunked\r\n\r\n5\r\n{"jso`)
      const body = JSON.stringify(toolCall("search_everything", { query: "dune" }))
      yield* begins(port, `${head}Content-Length: ${body.length}\r\n\r\n${body}`)
      expect((yield* post(message("ping"))).status).toBe(200)
      expect(yield* stderr).not.toContain("defect")
    })
  )

  it.effect("that hangs up while a page is fetched for it has it fetched no longer", () =>
    Effect.gen(function* () {
      const web = yield* ContentWeb
      yield* web.forget
      const leaving = yield* Effect.fork(post(toolCall("fetch_content", { url: web.url("/hang"), timeout: 30 })))
      yield* web.arrived("/hang", 1)
      yield* Fiber.interrupt(leaving)
      yield* Effect.forEach(yield* web.visits("/hang"), ({ over }) => over)
    })
  )

  it.effect("that cancels by a request of its own still gets its answer", () =>
    Effect.gen(function* () {
      const from = newClient()
      const asked = yield* Effect.fork(post(books(), { from }))
      const cancelled = yield* post(message("notifications/cancelled", { requestId: 1 }, null), { from })
      expect([cancelled.status, (yield* Fiber.join(asked)).status]).toEqual([202, 200])
    })
  )
})
