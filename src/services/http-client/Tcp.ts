import { Effect, Exit, type Scope } from "effect"
import { connect, type Socket, type TcpNetConnectOpts } from "node:net"
import { codeOf, fault, type HttpClientFault } from "./Fault.ts"

/**
 * Milliseconds for one of several addresses before the next one is tried. Node then abandons the former, so its default
 * of 250 ms fails for distant hosts.
 */
const attemptTimeout = 1_500

/** Node reports DNS and connection errors by the same event. */
const reasonOf = (error: Error) =>
  codeOf(error) === "ENOTFOUND" || codeOf(error).startsWith("EAI_") ? "dns_error" : "connect_error"

/**
 * Opens a TCP connection. Destroys the socket when the scope ends in failure or interruption. Otherwise the caller owns
 * it.
 */
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
