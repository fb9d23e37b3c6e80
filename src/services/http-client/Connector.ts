import { Cause, Data, Effect, Exit, Fiber, FiberSet, Scope } from "effect"
import { type AgentOptions, Agent as PlainAgent, type ClientRequestArgs } from "node:http"
import { Agent as SecureAgent } from "node:https"
import { isIP, Socket } from "node:net"
import { type Duplex } from "node:stream"
import { fault, type HttpClientFault } from "./Fault.ts"
import { hostOf, portOf, type Target } from "./ConnectionTarget.ts"

/** Opens the connection for HTTP or TLS. Destroys the socket when the scope fails. */
export type Open = (target: Target) => Effect.Effect<Socket, HttpClientFault, Scope.Scope>

/** Longer than any timeout of a caller, so that a host without a response ends in the caller's timeout. */
const patience = "65 seconds"

/**
 * Options for kept-alive connections. The timeout is for idle ones: fetches use many hosts and return to few of them.
 */
const kept: AgentOptions = { keepAlive: true, maxFreeSockets: 16, timeout: 15_000 }
const usedOnce: AgentOptions = { keepAlive: false }

/** No request needs this connection any more. */
export class Abandoned extends Data.TaggedError("Abandoned") {}

export interface Connector {
  /** Returns the connection pool for the scheme of a URL. With `isNew`, the pool does not reuse connections. */
  readonly agentFor: (url: URL, isNew: boolean) => PlainAgent
  /**
   * Registers a request to the origin for the lifetime of the scope. When the last one ends, interrupts pending
   * connection attempts.
   */
  readonly want: (url: URL) => Effect.Effect<void, never, Scope.Scope>
}

interface Origin {
  wanted: number
  readonly attempts: Set<Fiber.RuntimeFiber<void>>
}

const keyOf = (protocol: string, { host, port }: Target): string => `${protocol} ${host} ${port}`

const failureOf = (cause: Cause.Cause<HttpClientFault>): Error => {
  if (Cause.isInterrupted(cause)) return fault("connect_error", new Abandoned())
  const error = Cause.squash(cause)
  return error instanceof Error ? error : fault("connect_error", error)
}

type Callback = (error: Error | null, stream: Duplex) => void
type Connect = (protocol: string, options: ClientRequestArgs, callback: Callback | undefined, secure?: Secure) => void
/** Adds TLS to a connection. */
type Secure = (socket: Socket) => Duplex | null | undefined

class PlainPool extends PlainAgent {
  readonly #connect: Connect
  constructor(connect: Connect, options: AgentOptions) {
    super(options)
    this.#connect = connect
  }
  override createConnection(options: ClientRequestArgs, callback?: Callback) {
    this.#connect("http:", options, callback)
    return undefined
  }
}

/** Adds TLS with the agent of node:https, its session cache and its certificate verification. */
class SecurePool extends SecureAgent {
  readonly #connect: Connect
  constructor(connect: Connect, options: AgentOptions) {
    super(options)
    this.#connect = connect
  }
  override createConnection(options: ClientRequestArgs, callback?: Callback) {
    this.#connect("https:", options, callback, (socket) => {
      const host = options.host ?? ""
      const over = { ...options, socket, servername: isIP(host) === 0 ? host : "" }
      return super.createConnection(over)
    })
    return undefined
  }
}

const upgrade = (secure: Secure, tcp: Socket) =>
  Effect.async<Duplex, HttpClientFault>((resume) => {
    const socket = secure(tcp)
    if (!socket) return resume(fault("tls_error", null))
    socket.once("error", (error) => resume(fault("tls_error", error)))
    socket.once("close", () => resume(fault("tls_error", null)))
    socket.once("secureConnect", () => resume(Effect.succeed(socket)))
  })

/** Makes connection pools. Connections are opened by `open` in Effect fibers. TLS verifies certificates. */
export const make = (open: Open): Effect.Effect<Connector, never, Scope.Scope> =>
  Effect.gen(function* () {
    const run = yield* FiberSet.makeRuntime<never, void, never>()
    const origins = new Map<string, Origin>()

    const establish = (target: Target, secure?: Secure): Effect.Effect<Duplex, HttpClientFault, Scope.Scope> => {
      const tcp = open(target).pipe(
        Effect.timeoutFail({ duration: patience, onTimeout: () => fault("connect_error", null) })
      )
      if (secure === undefined) return tcp
      return Effect.flatMap(tcp, (socket) =>
        upgrade(secure, socket).pipe(
          Effect.timeoutFail({ duration: patience, onTimeout: () => fault("tls_error", null) })
        )
      )
    }

    /** Calls back in the uninterruptible region, so that a socket is either handed over or destroyed. */
    const attempt = (target: Target, callback: Callback | undefined, secure?: Secure) =>
      Effect.uninterruptibleMask((restore) =>
        Effect.gen(function* () {
          const scope = yield* Scope.make()
          const exit = yield* restore(establish(target, secure).pipe(Scope.extend(scope))).pipe(Effect.exit)
          yield* Scope.close(scope, exit)
          yield* Effect.sync(() =>
            // Node ignores the stream argument when there is an error.
            Exit.isSuccess(exit) ? callback?.(null, exit.value) : callback?.(failureOf(exit.cause), new Socket())
          )
        })
      )

    const connect: Connect = (protocol, options, callback, secure) => {
      const target = { host: options.host ?? "", port: Number(options.port) }
      const fiber = run(attempt(target, callback, secure))
      const origin = origins.get(keyOf(protocol, target))
      origin?.attempts.add(fiber)
      fiber.addObserver(() => origin?.attempts.delete(fiber))
    }

    const poolsOf = (options: AgentOptions) =>
      Effect.acquireRelease(
        Effect.sync(() => ({ plain: new PlainPool(connect, options), secure: new SecurePool(connect, options) })),
        ({ plain, secure }) =>
          Effect.sync(() => {
            plain.destroy()
            secure.destroy()
          })
      )
    const pools = yield* poolsOf(kept)
    const newOnes = yield* poolsOf(usedOnce)

    return {
      agentFor: ({ protocol }, isNew) => (isNew ? newOnes : pools)[protocol === "https:" ? "secure" : "plain"],
      want: (url) =>
        Effect.acquireRelease(
          Effect.sync(() => {
            const key = keyOf(url.protocol, { host: hostOf(url), port: portOf(url) })
            const origin = origins.get(key) ?? { wanted: 0, attempts: new Set() }
            origin.wanted++
            origins.set(key, origin)
            return { key, origin }
          }),
          ({ key, origin }) =>
            Effect.suspend(() => {
              origin.wanted--
              if (origin.wanted > 0) return Effect.void
              origins.delete(key)
              return origin.attempts.size === 0 ? Effect.void : Effect.forkDaemon(Fiber.interruptAll(origin.attempts))
            })
        ).pipe(Effect.asVoid)
    }
  })
