import { NodeHttpServer } from "@effect/platform-node"
import { Context, Duration, Effect, Layer, Ref } from "effect"
import * as Http from "node:http"
import { type Socket } from "node:net"
import { type Duplex } from "node:stream"
import { Settings } from "../services/settings/Settings.ts"
import { Drain } from "./Drain.ts"

/** Limits of a connection in milliseconds. `connectionsCheckingInterval` is how often Node checks the first two. */
export class SocketLimits extends Context.Reference<SocketLimits>()("quarry/http/SocketLimits", {
  defaultValue: () => ({
    headersTimeout: 10_000,
    requestTimeout: 30_000,
    keepAliveTimeout: 65_000,
    connectionsCheckingInterval: 1_000,
    /** Time to read a refusal. The socket is then destroyed, since a refused client may never close it. */
    refusalTimeout: 1_000,
    /** Time for the rest of a request whose response was sent before the request was complete. */
    restTimeout: 5_000,
    /** Time for a client to read the next byte of a response. Node may take the same time again to notice. */
    writeTimeout: 30_000
  })
}) {}

/** Bytes of the request line and headers. */
const maxHeaderSize = 16 * 1024

/** Longest time for running requests to finish after a signal (contract, section 7). */
const drainTime = Duration.seconds(10)

const refusals: Readonly<Record<string, readonly [status: string, error: string]>> = {
  HPE_HEADER_OVERFLOW: ["431 Request Header Fields Too Large", "Headers too large"],
  ERR_HTTP_REQUEST_TIMEOUT: ["408 Request Timeout", "Request timeout"]
}

/** Destroys a socket after `time` milliseconds, if `isDue` still holds then. */
const destroyAfter = (time: number, socket: Duplex, isDue = () => true) => {
  const timer = setTimeout(() => {
    if (isDue()) socket.destroy()
  }, time)
  socket.once("close", () => {
    clearTimeout(timer)
  })
}

/**
 * A request that Node's parser rejects never reaches a request handler, so the envelope is written directly to the
 * socket.
 */
const refusing = (lingerTime: number) => {
  const leaving = new WeakSet<Duplex>()
  return (error: NodeJS.ErrnoException, socket: Duplex) => {
    if (error.code === "ECONNRESET") return void socket.destroy()
    // Node reports an error for every chunk that arrives after the refusal.
    if (leaving.has(socket)) return
    leaving.add(socket)
    destroyAfter(lingerTime, socket)
    if (!socket.writable) return
    const [status, message] = refusals[error.code ?? ""] ?? ["400 Bad Request", "Bad request"]
    const body = JSON.stringify({ success: false, error: message, details: null })
    socket.end(
      `HTTP/1.1 ${status}\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n` +
        `Connection: close\r\n\r\n${body}`
    )
  }
}

/** Counts the pending responses of each socket. Zero for idle sockets and for those without any request yet. */
const answersAwaited = (server: Http.Server) => {
  const awaited = new Map<Socket, number>()
  server.on("connection", (socket: Socket) => {
    awaited.set(socket, 0)
    socket.once("close", () => awaited.delete(socket))
  })
  const count = (socket: Socket, more: number) => {
    const number = awaited.get(socket)
    if (number !== undefined) awaited.set(socket, number + more)
  }
  server.on("request", ({ socket }, response) => {
    count(socket, 1)
    response.once("close", () => {
      count(socket, -1)
    })
  })
  return awaited
}

const create = ({
  refusalTimeout: lingerTime,
  restTimeout,
  writeTimeout: unreadTimeout,
  ...limits
}: SocketLimits["Type"]) => {
  const server = Http.createServer({
    ...limits,
    maxHeaderSize,
    // Refuses requests that proxies parse differently, whatever flags the process was started with.
    insecureHTTPParser: false,
    // The request pipeline answers a missing Host with the envelope.
    requireHostHeader: false
  })
  // By default, Node silently drops every header after the 2000th.
  server.maxHeadersCount = 0
  server.timeout = unreadTimeout
  const refuse = refusing(lingerTime)
  server.on("clientError", refuse)
  // Quarry is not a proxy, so CONNECT is refused.
  server.on("connect", (_, socket: Duplex) => {
    refuse({ name: "CONNECT", message: "" }, socket)
  })
  server.on("checkExpectation", (request, response) => server.emit("request", request, response))
  server.on("request", (request, response) => {
    response.once("finish", () => {
      if (!request.complete) destroyAfter(restTimeout, request.socket, () => !request.complete)
    })
  })
  const awaited = answersAwaited(server)
  server.on("timeout", (socket) => {
    // While a response is still being computed, the delay is Quarry's own: the socket stays open.
    if (awaited.get(socket) === 0 || socket.writableLength > 0) socket.destroy()
  })
  return { server, awaited }
}

const closed = ({ awaited, server }: ReturnType<typeof create>) =>
  Effect.async<void>((resume) => {
    server.close(() => {
      resume(Effect.void)
    })
    for (const [socket, answers] of awaited) if (answers === 0) socket.destroy()
  })

/**
 * Layers of the listening socket and its graceful shutdown. The shutdown accepts no connections, answers new requests
 * on open connections with 503, lets running requests finish for at most ten seconds, then closes every connection.
 */
export const serverLayers = Effect.gen(function* () {
  const { host, port } = yield* Settings
  const drain = yield* Drain
  const listening = create(yield* SocketLimits)
  const { server } = listening
  return {
    server: NodeHttpServer.layer(() => server, { host, port }),
    drain: Layer.scopedDiscard(
      Effect.addFinalizer(() =>
        Effect.gen(function* () {
          yield* Ref.set(drain, true)
          yield* Effect.logInfo("shutting down")
          // Finalizers are uninterruptible, and a timeout cannot end an uninterruptible wait.
          yield* Effect.timeoutOption(Effect.interruptible(closed(listening)), drainTime)
          server.closeAllConnections()
        })
      )
    )
  }
})
