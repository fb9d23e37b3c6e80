import { Cause, Data, Effect, Exit, Fiber, FiberSet, Scope } from "effect"
import { type Socket } from "node:net"
import { buildConnector } from "undici"
import { fault, type OutgoingFault } from "./Fault.ts"

export interface Target {
  /** A name, or an address without brackets. */
  readonly host: string
  readonly port: number
}

/** Makes the connection that HTTP or TLS goes over. A failed scope destroys the socket. */
export type Open = (target: Target) => Effect.Effect<Socket, OutgoingFault, Scope.Scope>

/** Longer than any time a caller may ask for: a host that never answers is the caller's timeout. */
const patience = "65 seconds"

/** Nobody waits for this connection any more. */
export class Abandoned extends Data.TaggedError("Abandoned") {}

export interface Connector {
  /** For `new Agent({ connect })`. */
  readonly connect: buildConnector.connector
  /** While the scope lasts, connections to the origin are wanted; those still being made after the last one are cut. */
  readonly want: (origin: string) => Effect.Effect<void, never, Scope.Scope>
}

interface Origin {
  wanted: number
  readonly attempts: Set<Fiber.RuntimeFiber<void>>
}

const upgrade = (secure: buildConnector.connector, options: buildConnector.Options, tcp: Socket) =>
  Effect.async<Socket, OutgoingFault>((resume) => {
    secure({ ...options, httpSocket: tcp }, (error, socket) =>
      resume(error === null ? Effect.succeed(socket) : fault("tls_error", error))
    )
  })

const failureOf = (cause: Cause.Cause<OutgoingFault>): Error => {
  if (Cause.isInterrupted(cause)) return fault("connect_error", new Abandoned())
  const error = Cause.squash(cause)
  return error instanceof Error ? error : fault("connect_error", error)
}

/** Bridges undici's connect hook: TCP as `open` makes it, TLS with verified certificates on top, by Effect's fibers. */
export const make = (open: Open): Effect.Effect<Connector, never, Scope.Scope> =>
  Effect.gen(function* () {
    const run = yield* FiberSet.makeRuntime<never, void, never>()
    // undici's own, for its session cache; time is bounded here.
    const secure = buildConnector({ timeout: 0 })
    const origins = new Map<string, Origin>()

    const establish = (options: buildConnector.Options): Effect.Effect<Socket, OutgoingFault, Scope.Scope> => {
      const encrypted = options.protocol === "https:"
      const port = Number(options.port || (encrypted ? 443 : 80))
      const tcp = open({ host: options.hostname, port }).pipe(
        Effect.timeoutFail({ duration: patience, onTimeout: () => fault("connect_error", null) })
      )
      if (!encrypted) return tcp
      return Effect.flatMap(tcp, (socket) =>
        upgrade(secure, options, socket).pipe(
          Effect.timeoutFail({ duration: patience, onTimeout: () => fault("tls_error", null) })
        )
      )
    }

    /** The callback comes inside of the uninterruptible part: a socket is either handed over or destroyed. */
    const attempt = (options: buildConnector.Options, callback: buildConnector.Callback) =>
      Effect.uninterruptibleMask((restore) =>
        Effect.gen(function* () {
          const scope = yield* Scope.make()
          const exit = yield* restore(establish(options).pipe(Scope.extend(scope))).pipe(Effect.exit)
          yield* Scope.close(scope, exit)
          yield* Effect.sync(() =>
            Exit.isSuccess(exit) ? callback(null, exit.value) : callback(failureOf(exit.cause), null)
          )
        })
      )

    return {
      connect: (options, callback) => {
        const fiber = run(attempt(options, callback))
        const origin = origins.get(originOf(options))
        origin?.attempts.add(fiber)
        fiber.addObserver(() => origin?.attempts.delete(fiber))
      },
      want: (name) =>
        Effect.acquireRelease(
          Effect.sync(() => {
            const origin = origins.get(name) ?? { wanted: 0, attempts: new Set() }
            origin.wanted++
            origins.set(name, origin)
            return origin
          }),
          (origin) =>
            Effect.suspend(() => {
              origin.wanted--
              if (origin.wanted > 0) return Effect.void
              origins.delete(name)
              return Fiber.interruptAll(origin.attempts).pipe(Effect.forkDaemon)
            })
        ).pipe(Effect.asVoid)
    }
  })

const originOf = ({ host, protocol }: buildConnector.Options): string => `${protocol}//${host ?? ""}`
