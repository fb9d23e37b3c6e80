import { Effect, Exit, type Scope } from "effect"
import { connect, type Socket, type TcpNetConnectOpts } from "node:net"
import { codeOf, fault, type HttpClientFault } from "./Fault.ts"

/**
 * How long one of several addresses is tried alone. Node gives up on the former one then, so its default of 250 ms
 * loses hosts that are merely far away.
 */
const attemptTimeout = 1_500

/** Node reports both kinds by the same event. */
const reasonOf = (error: Error) =>
  codeOf(error) === "ENOTFOUND" || codeOf(error).startsWith("EAI_") ? "dns_error" : "connect_error"

/** A connected socket. It is destroyed when the scope ends in failure or interruption, and belongs to the caller else. */
export const connectTcp = (options: TcpNetConnectOpts): Effect.Effect<Socket, HttpClientFault, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.sync(() =>
      connect({
        noDelay: true,
        autoSelectFamily: true,
        autoSelectFamilyAttemptTimeout: attemptTimeout,
        ...options
      }).on("error", () => undefined)
    ),
    (socket, exit) => (Exit.isFailure(exit) ? Effect.sync(() => socket.destroy()) : Effect.void)
  ).pipe(
    Effect.tap((socket) =>
      Effect.async<void, HttpClientFault>((resume) => {
        socket.once("connect", () => resume(Effect.void))
        socket.once("error", (error) => resume(fault(reasonOf(error), error)))
      })
    )
  )
