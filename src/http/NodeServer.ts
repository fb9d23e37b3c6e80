import { NodeHttpServer } from "@effect/platform-node"
import { Context, Duration, Effect, Layer, Ref } from "effect"
import * as Http from "node:http"
import { type Socket } from "node:net"
import { type Duplex } from "node:stream"
import { Settings } from "../services/Settings.ts"
import { Drain } from "./Drain.ts"

/** What a connection may take, in milliseconds, and how often that is looked at. */
export class SocketLimits extends Context.Reference<SocketLimits>()("quarry/http/SocketLimits", {
  defaultValue: () => ({
    headersTimeout: 10_000,
    requestTimeout: 30_000,
    keepAliveTimeout: 65_000,
    connectionsCheckingInterval: 1_000
  })
}) {}

/** Bytes of a request's line and headers. */
const maxHeaderSize = 16 * 1024

/** How long what runs may go on after a signal (contract, section 7). */
const drainTime = Duration.seconds(10)

const refusals: Readonly<Record<string, readonly [status: string, error: string]>> = {
  HPE_HEADER_OVERFLOW: ["431 Request Header Fields Too Large", "Headers too large"],
  ERR_HTTP_REQUEST_TIMEOUT: ["408 Request Timeout", "Request timeout"]
}

/** What Node's parser refuses never becomes a request: the envelope is written to the socket by hand. */
const refuse = (error: NodeJS.ErrnoException, socket: Duplex) => {
  if (!socket.writable || error.code === "ECONNRESET") {
    socket.destroy()
    return
  }
  const [status, message] = refusals[error.code ?? ""] ?? ["400 Bad Request", "Bad request"]
  const body = JSON.stringify({ success: false, error: message, details: null })
  socket.end(
    `HTTP/1.1 ${status}\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n` +
      `Connection: close\r\n\r\n${body}`
  )
}

const create = (limits: SocketLimits["Type"]) => {
  const server = Http.createServer({
    ...limits,
    maxHeaderSize,
    // Requests that proxies read in another way are refused, whatever the process was started with.
    insecureHTTPParser: false,
    // The envelope for a missing Host is the edge's to give.
    requireHostHeader: false
  })
  server.on("clientError", refuse)
  // Quarry is no proxy.
  server.on("connect", (_, socket: Duplex) => {
    refuse({ name: "CONNECT", message: "" }, socket)
  })
  server.on("checkExpectation", (request, response) => server.emit("request", request, response))
  return server
}

/** The sockets that wait for no answer: idle ones, and those that never said anything, which Node does not count. */
const tracked = (server: Http.Server) => {
  const waiting = new Set<Socket>()
  server.on("connection", (socket: Socket) => {
    waiting.add(socket)
    socket.once("close", () => waiting.delete(socket))
  })
  server.on("request", ({ socket }, response) => {
    waiting.delete(socket)
    response.once("close", () => {
      if (!socket.destroyed) waiting.add(socket)
    })
  })
  return waiting
}

const closed = (server: Http.Server, waiting: ReadonlySet<Socket>) =>
  Effect.async<void>((resume) => {
    server.close(() => {
      resume(Effect.void)
    })
    for (const socket of waiting) socket.destroy()
  })

/**
 * The listening socket, and its end: no new connections, 503 for new requests on old ones, what runs is finished for
 * at most ten seconds, then cut.
 */
export const serverLayers = Effect.gen(function* () {
  const { host, port } = yield* Settings
  const drain = yield* Drain
  const server = create(yield* SocketLimits)
  const waiting = tracked(server)
  return {
    server: NodeHttpServer.layer(() => server, { host, port }),
    drain: Layer.scopedDiscard(
      Effect.addFinalizer(() =>
        Effect.gen(function* () {
          yield* Ref.set(drain, true)
          yield* Effect.logInfo("shutting down")
          // Finalizers are uninterruptible, and a wait that cannot be interrupted has no timeout.
          yield* Effect.timeoutOption(Effect.interruptible(closed(server, waiting)), drainTime)
          server.closeAllConnections()
        })
      )
    )
  }
})
