import {
  createMcpHandler,
  isLegacyRequest,
  WebStandardStreamableHTTPServerTransport
} from "@modelcontextprotocol/server"
import { Effect } from "effect"
import { type Connection } from "./McpServer.ts"

/**
 * Sets the headers that the SDK requires, whatever the client's `Accept` says. The response is still JSON unless there
 * is something to stream.
 */
const withSdkHeaders = ({ headers, url }: Request, signal: AbortSignal) => {
  const all = new Headers(headers)
  all.set("accept", "application/json, text/event-stream")
  all.set("content-type", "application/json")
  return new Request(url, { method: "POST", headers: all, signal })
}

const eventStream = "text/event-stream"

/** Returns true only when `Accept` names event streams. Many clients send a wildcard but accept JSON only. */
export const acceptsEvents = ({ headers }: Request): boolean =>
  (headers.get("accept") ?? "").toLowerCase().includes(eventStream)

/**
 * Returns a streamed response once its first event has arrived. The call has then spent its budget, so the headers
 * include it. `end` is called when the stream ends or is cancelled.
 */
const begun = async (response: Response, body: ReadableStream<Uint8Array>, end: () => Promise<void>) => {
  const reader = body.getReader()
  const pass = async (controller: ReadableStreamDefaultController<Uint8Array>) => {
    const { done, value } = await reader.read()
    if (!done) return controller.enqueue(value)
    controller.close()
    await end()
  }
  const first = await reader.read()
  const rest = new ReadableStream<Uint8Array>({
    start: (controller) => (first.done ? controller.close() : controller.enqueue(first.value)),
    pull: pass,
    cancel: end
  })
  return new Response(rest, { status: response.status, headers: response.headers })
}

/** Handles the revisions before 2026-07-28, with a new server object for each HTTP request. */
const exchangeLegacy = async ({ makeServer }: Connection, request: Request, parsedBody: unknown, streams: boolean) => {
  const server = makeServer()
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: !streams })
  await server.connect(transport)
  // The client disconnected. Closing the server ends the running call.
  request.signal.addEventListener("abort", () => void server.close(), { once: true })
  const response = await transport.handleRequest(request, { parsedBody })
  if (response.body !== null && response.headers.get("content-type") === eventStream) {
    return begun(response, response.body, () => server.close())
  }
  // The transport answers a batch of one request without an array.
  const isSingle = Array.isArray(parsedBody) && response.status === 200
  const answered: unknown = isSingle ? await response.json() : null
  await server.close()
  return isSingle ? Response.json([answered].flat(), { headers: response.headers }) : response
}

/**
 * Passes a request to the SDK, according to its protocol revision. A streamed response resolves with its first event.
 */
export const exchange = (connection: Connection, request: Request, parsedBody: unknown, streams: boolean) =>
  Effect.promise(async (signal) => {
    const asked = withSdkHeaders(request, signal)
    if (await isLegacyRequest(asked, parsedBody)) return exchangeLegacy(connection, asked, parsedBody, streams)
    // Tools, prompts and resources never change at run time, so there is nothing to subscribe to.
    const modern = createMcpHandler(connection.makeServer, {
      legacy: "reject",
      maxSubscriptions: 0,
      onerror: connection.report
    })
    return modern.fetch(asked, { parsedBody })
  })
