import { Effect, type Scope } from "effect"
import { connect, createServer, type Server, type Socket } from "node:net"

export interface Listening {
  readonly port: number
  /** Cuts every connection and stops listening. Another server may take the port then. */
  readonly stop: Effect.Effect<void>
}

/** A server on a free port of 127.0.0.1 for as long as the scope lasts, its sockets cut at the end. */
export const listen = (server: Server): Effect.Effect<Listening, never, Scope.Scope> => {
  const sockets = new Set<Socket>()
  server.on("connection", (socket: Socket) => {
    sockets.add(socket)
    socket.on("error", () => socket.destroy())
    socket.on("close", () => sockets.delete(socket))
  })
  const stop = Effect.async<void>((resume) => {
    if (!server.listening) return resume(Effect.void)
    server.close(() => resume(Effect.void))
    for (const socket of sockets) socket.destroy()
  })
  return Effect.acquireRelease(
    Effect.async<Listening>((resume) => {
      server.once("error", (error) => resume(Effect.die(error)))
      server.listen(0, "127.0.0.1", () => {
        const address = server.address()
        const port = address !== null && typeof address === "object" ? address.port : 0
        resume(Effect.succeed({ port, stop }))
      })
    }),
    () => stop
  )
}

/**
 * A port of 127.0.0.1 that refuses connections while the scope lasts: that of a client's own end, which no server can
 * take.
 */
export const refusingPort: Effect.Effect<number, never, Scope.Scope> = Effect.gen(function* () {
  const { port } = yield* listen(createServer())
  const client = yield* Effect.acquireRelease(
    Effect.async<Socket>((resume) => {
      const socket = connect(port, "127.0.0.1", () => resume(Effect.succeed(socket)))
    }),
    (socket) => Effect.sync(() => socket.destroy())
  )
  return client.localPort ?? 0
})
