import {
  createMcpHandler,
  isLegacyRequest,
  WebStandardStreamableHTTPServerTransport
} from "@modelcontextprotocol/server"
import { Effect } from "effect"
import { type Connection } from "./McpServer.ts"

/** A request whose answer is JSON unless there is something to stream, whatever its `Accept` says. */
const widened = ({ headers, url }: Request, signal: AbortSignal) => {
  const all = new Headers(headers)
  all.set("accept", "application/json, text/event-stream")
  all.set("content-type", "application/json")
  return new Request(url, { method: "POST", headers: all, signal })
}

const eventStream = "text/event-stream"

/** Only who names event streams gets one: many send a wildcard and take JSON alone. */
export const acceptsEvents = ({ headers }: Request): boolean =>
  (headers.get("accept") ?? "").toLowerCase().includes(eventStream)

/**
 * A stream from its first event on, when the call has spent its budget, which the headers tell of. `end` is called when
 * the stream is over, or its reader has gone.
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

/** The revisions before 2026-07-28, each message on its own. */
const exchangeLegacy = async ({ makeServer }: Connection, request: Request, parsedBody: unknown, streams: boolean) => {
  const server = makeServer()
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: !streams })
  await server.connect(transport)
  // Whoever waits for the answer has gone: what runs for it ends.
  request.signal.addEventListener("abort", () => void server.close(), { once: true })
  const response = await transport.handleRequest(request, { parsedBody })
  if (response.body !== null && response.headers.get("content-type") === eventStream) {
    return begun(response, response.body, () => server.close())
  }
  // The transport answers a batch of one request as if it were none.
  const isSingle = Array.isArray(parsedBody) && response.status === 200
  const answered: unknown = isSingle ? await response.json() : null
  await server.close()
  return isSingle ? Response.json([answered].flat(), { headers: response.headers }) : response
}

/** Hands a request to the SDK in the era that it is of; the answer of an event stream begins with its first event. */
export const exchange = (connection: Connection, request: Request, parsedBody: unknown, streams: boolean) =>
  Effect.promise(async (signal) => {
    const asked = widened(request, signal)
    if (await isLegacyRequest(asked, parsedBody)) return exchangeLegacy(connection, asked, parsedBody, streams)
    // Nothing here ever changes, so there is nothing to subscribe to.
    const modern = createMcpHandler(connection.makeServer, {
      legacy: "reject",
      maxSubscriptions: 0,
      onerror: connection.report
    })
    return modern.fetch(asked, { parsedBody })
  })
