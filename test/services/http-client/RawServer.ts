import { Deferred, Effect, type Scope } from "effect"
import { createServer, type Server, type Socket } from "node:net"
import { createServer as createTlsServer } from "node:tls"
import { type Certificate } from "../../support/Certificates.ts"
import { listen } from "../../support/Listening.ts"

export interface RawServer {
  readonly port: number
  readonly connections: Effect.Effect<number>
  /** Waits until a client has sent a first byte, of TLS for instance. */
  readonly touched: Deferred.Deferred<void>
  /** Waits until a client has sent a whole request head. */
  readonly asked: Effect.Effect<string>
  /** Waits until the first connection is closed. */
  readonly closed: Effect.Effect<void>
}

export type Answering = (socket: Socket, head: string) => void

interface Options {
  readonly tls?: Certificate
  readonly at?: { readonly port: number; readonly address: string }
}

const listenAt = (server: Server, { address, port }: { readonly port: number; readonly address: string }) =>
  Effect.acquireRelease(
    Effect.async<{ readonly port: number }>((resume) => {
      server.once("error", (error) => resume(Effect.die(error)))
      server.listen(port, address, () => {
        const bound = server.address()
        resume(Effect.succeed({ port: bound !== null && typeof bound === "object" ? bound.port : port }))
      })
    }),
    () => Effect.sync(() => server.close())
  )

/** A server that says what a test wants, byte by byte, once a request's head is there. */
export const rawServer = (answer: Answering, options: Options = {}): Effect.Effect<RawServer, never, Scope.Scope> =>
  Effect.gen(function* () {
    const state = { connections: 0 }
    const touched = yield* Deferred.make<void>()
    const asked = yield* Deferred.make<string>()
    const closed = yield* Deferred.make<void>()
    const serve = (socket: Socket): void => {
      socket.on("error", () => socket.destroy())
      let text = ""
      socket.on("data", (chunk) => {
        Deferred.unsafeDone(touched, Effect.void)
        text += chunk.toString("latin1")
        const end = text.indexOf("\r\n\r\n")
        if (end < 0) return
        const head = text.slice(0, end)
        text = ""
        Deferred.unsafeDone(asked, Effect.succeed(head))
        answer(socket, head)
      })
    }
    const server = options.tls === undefined ? createServer(serve) : createTlsServer(options.tls, serve)
    server.on("connection", (socket: Socket) => {
      state.connections++
      socket.on("close", () => Deferred.unsafeDone(closed, Effect.void))
    })
    const { port } = yield* options.at === undefined ? listen(server) : listenAt(server, options.at)
    return {
      port,
      connections: Effect.sync(() => state.connections),
      touched,
      asked: Deferred.await(asked),
      closed: Deferred.await(closed)
    }
  })

/** A whole answer in one string, the connection closed after it. */
export const plain = (status: string, headers: ReadonlyArray<string>, body = ""): string =>
  [`HTTP/1.1 ${status}`, ...headers, "Connection: close", `Content-Length: ${Buffer.byteLength(body)}`, "", body].join(
    "\r\n"
  )

export const redirect = (location: string, status = "302 Found"): string => plain(status, [`Location: ${location}`])

/** The target of a request line. */
export const targetOf = (head: string): string => head.split(" ")[1] ?? ""
