import { NodeHttpServer } from "@effect/platform-node"
import { Context, Duration, Effect, Layer, Ref } from "effect"
import * as Http from "node:http"
import { type Socket } from "node:net"
import { type Duplex } from "node:stream"
import { Settings } from "../services/settings/Settings.ts"
import { Drain } from "./Drain.ts"

/** What a connection may take, in milliseconds, and how often Node looks at the first two. */
export class SocketLimits extends Context.Reference<SocketLimits>()("quarry/http/SocketLimits", {
  defaultValue: () => ({
    headersTimeout: 10_000,
    requestTimeout: 30_000,
    keepAliveTimeout: 65_000,
    connectionsCheckingInterval: 1_000,
    /** For reading why a request was refused; who is told to go may never close by itself. */
    lingerTime: 1_000,
    /** For the rest of a request that had its answer before it was whole. */
    restTimeout: 5_000,
    /** For taking the next byte of an answer; Node may give as much once more before it notices. */
    unreadTimeout: 30_000
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

/** Destroys a socket after a time in milliseconds, if that is still due then. */
const cutAfter = (time: number, socket: Duplex, isDue = () => true) => {
  const timer = setTimeout(() => {
    if (isDue()) socket.destroy()
  }, time)
  socket.once("close", () => {
    clearTimeout(timer)
  })
}

/** What Node's parser refuses never becomes a request: the envelope is written to the socket by hand. */
const refusing = (lingerTime: number) => {
  const leaving = new WeakSet<Duplex>()
  return (error: NodeJS.ErrnoException, socket: Duplex) => {
    if (error.code === "ECONNRESET") return void socket.destroy()
    // Each piece that comes after the refusal is refused as well.
    if (leaving.has(socket)) return
    leaving.add(socket)
    cutAfter(lingerTime, socket)
    if (!socket.writable) return
    const [status, message] = refusals[error.code ?? ""] ?? ["400 Bad Request", "Bad request"]
    const body = JSON.stringify({ success: false, error: message, details: null })
    socket.end(
      `HTTP/1.1 ${status}\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n` +
        `Connection: close\r\n\r\n${body}`
    )
  }
}

/** How many answers are still to come on each socket: none for idle ones, and for those that never said anything. */
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

const create = ({ lingerTime, restTimeout, unreadTimeout, ...limits }: SocketLimits["Type"]) => {
  const server = Http.createServer({
    ...limits,
    maxHeaderSize,
    // Requests that proxies read in another way are refused, whatever the process was started with.
    insecureHTTPParser: false,
    // The envelope for a missing Host is the edge's to give.
    requireHostHeader: false
  })
  // Node would leave out what comes after the 2000th without a word.
  server.maxHeadersCount = 0
  server.timeout = unreadTimeout
  const refuse = refusing(lingerTime)
  server.on("clientError", refuse)
  // Quarry is no proxy.
  server.on("connect", (_, socket: Duplex) => {
    refuse({ name: "CONNECT", message: "" }, socket)
  })
  server.on("checkExpectation", (request, response) => server.emit("request", request, response))
  server.on("request", (request, response) => {
    response.once("finish", () => {
      if (!request.complete) cutAfter(restTimeout, request.socket, () => !request.complete)
    })
  })
  const awaited = answersAwaited(server)
  server.on("timeout", (socket) => {
    // It may be us who take so long.
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
 * The listening socket, and its end: no new connections, 503 for new requests on old ones, what runs is finished for
 * at most ten seconds, then cut.
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
          // Finalizers are uninterruptible, and a wait that cannot be interrupted has no timeout.
          yield* Effect.timeoutOption(Effect.interruptible(closed(listening)), drainTime)
          server.closeAllConnections()
        })
      )
    )
  }
})
