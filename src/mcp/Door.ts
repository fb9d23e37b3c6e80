import {
  createMcpHandler,
  isJsonContentType,
  isLegacyRequest,
  WebStandardStreamableHTTPServerTransport
} from "@modelcontextprotocol/server"
import { Effect, Ref } from "effect"
import { envelopeOf } from "../domain/Envelope.ts"
import { type RateLimitExceeded } from "../domain/Failure.ts"
import { type Caller } from "../services/Caller.ts"
import { Settings } from "../services/Settings.ts"
import { refusalOf } from "./Admission.ts"
import { errorCodes, faultResponse } from "./JsonRpc.ts"
import { isMessage, lenientBody, messagesOf, takesBatches, toolOf } from "./Messages.ts"
import { type Connection, makeProtocol } from "./Protocol.ts"

const methods = ["POST"] as const

const methodNotAllowed = faultResponse.bind(null, {
  status: 405,
  code: errorCodes.refused,
  message: "Method not allowed: messages are posted, there is no session and no stream to open",
  headers: { allow: methods.join(", ") }
})

const notAllowed = (message: string) => faultResponse({ status: 403, code: errorCodes.refused, message })

const unsupportedMediaType = () =>
  faultResponse({ status: 415, code: errorCodes.refused, message: "Content-Type must be application/json" })

const malformed = () =>
  faultResponse({ status: 400, code: errorCodes.parse, message: "The body is not valid JSON in UTF-8" })

const invalid = (message: string) => faultResponse({ status: 400, code: errorCodes.invalidRequest, message })

const overBudget = (failure: RateLimitExceeded) => {
  const { details, error } = envelopeOf(failure)
  return faultResponse({
    status: 429,
    code: errorCodes.refused,
    message: error,
    data: JSON.parse(JSON.stringify(details))
  })
}

const utf8 = new TextDecoder("utf-8", { fatal: true })

const jsonOf = (request: Request) =>
  Effect.flatMap(
    Effect.promise(() => request.arrayBuffer()),
    (bytes) => Effect.option(Effect.try((): unknown => JSON.parse(utf8.decode(bytes))))
  )

/** A request whose answer is JSON unless there is something to stream, whatever its `Accept` says. */
const widened = ({ headers, url }: Request, signal: AbortSignal) => {
  const all = new Headers(headers)
  all.set("accept", "application/json, text/event-stream")
  all.set("content-type", "application/json")
  return new Request(url, { method: "POST", headers: all, signal })
}

/** The revisions before 2026-07-28, each message on its own. */
const exchangeLegacy = async ({ makeServer }: Connection, request: Request, parsedBody: unknown) => {
  const server = makeServer()
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
  await server.connect(transport)
  // Whoever waits for the answer has gone: what runs for it ends.
  request.signal.addEventListener("abort", () => void server.close(), { once: true })
  const response = await transport.handleRequest(request, { parsedBody })
  await server.close()
  return response
}

const exchange = (connection: Connection, request: Request, parsedBody: unknown) =>
  Effect.promise(async (signal) => {
    const asked = widened(request, signal)
    if (await isLegacyRequest(asked, parsedBody)) return exchangeLegacy(connection, asked, parsedBody)
    // Nothing here ever changes, so there is nothing to subscribe to.
    const modern = createMcpHandler(connection.makeServer, {
      legacy: "reject",
      maxSubscriptions: 0,
      onerror: connection.report
    })
    return modern.fetch(asked, { parsedBody })
  })

/**
 * Streamable HTTP without sessions (MCP, "Transports"). A tool call spends its group's budget, every other message
 * `info`; a call over budget is a failed result, another message a 429.
 */
export const mcpDoor = Effect.gen(function* () {
  const policy = yield* Settings
  const { connect, isTool } = yield* makeProtocol

  const answer = (request: Request, caller: Caller["Type"]) =>
    Effect.gen(function* () {
      const refusal = refusalOf(request.headers, policy)
      if (refusal !== null) return notAllowed(refusal)
      if (request.method !== "POST") return methodNotAllowed()
      const type = request.headers.get("content-type")
      if (type !== null && !isJsonContentType(type)) return unsupportedMediaType()
      const json = yield* jsonOf(request)
      if (json._tag === "None") return malformed()
      const messages = messagesOf(json.value)
      if (!messages.every(isMessage)) return invalid("Not a JSON-RPC 2.0 message")
      if (Array.isArray(json.value) && !takesBatches(request.headers.get("mcp-protocol-version"))) {
        return invalid("This revision of the protocol has no batches")
      }
      const others = messages.filter((message) => !isTool(toolOf(message)))
      yield* Effect.forEach(others, () => caller.spend("info"), { discard: true })
      const body = lenientBody(json.value)
      if (messages.length > 0 && Array.isArray(body) && body.length === 0) return new Response(null, { status: 202 })
      const connection = yield* connect({ caller, requestId: request.headers.get("x-request-id") })
      return yield* exchange(connection, request, body)
    })

  const handle = (request: Request, caller: Caller["Type"]) =>
    Effect.gen(function* () {
      const isCounted = yield* Ref.make(false)
      const counting: Caller["Type"] = {
        spend: (group) => Effect.zipRight(Ref.set(isCounted, true), caller.spend(group))
      }
      const response = yield* answer(request, counting)
      // A message that never came to a tool or to its own count.
      if (!(yield* Ref.get(isCounted))) yield* caller.spend("info")
      return response
    }).pipe(Effect.catchTag("RateLimitExceeded", (failure) => Effect.succeed(overBudget(failure))))

  return {
    path: "/ai/mcp",
    methods,
    description: "Model Context Protocol (Streamable HTTP): the same searches and fetches as tools",
    handle
  }
})
