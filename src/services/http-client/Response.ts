import { Context, Effect, Schedule, type Scope } from "effect"
import { constVoid } from "effect/Function"
import { type ClientRequest, type IncomingMessage, request as send } from "node:http"
import { type Socket } from "node:net"
import { type Connector } from "./Connector.ts"
import { bodyFault, CapReached, fault, headFault, isHangUp, HttpClientFault, Stale } from "./Fault.ts"
import { hostOf, portOf } from "./ConnectionTarget.ts"

export interface Request {
  readonly method: "GET" | "POST"
  /** Without credentials. The fragment is not sent. */
  readonly url: URL
  /** In the order and letter case to send. */
  readonly headers: ReadonlyArray<readonly [name: string, value: string]>
  readonly body: string | null
}

/** Maximum size of a response head, and of all interim responses (1xx) together. */
const maxHeaderBytes = 32 * 1024

/** Maximum number of interim responses. None of them is used. */
const mostInterim = 20

/**
 * Idle timeout in milliseconds. Longer than any timeout of a caller, so that a slow host ends in the caller's timeout.
 */
const idle = 65_000

/** Interval between two checks of the received bytes. */
const metered = Schedule.spaced("250 millis")

const headersOf = ({ body, headers, url }: Request): ReadonlyArray<string> => [
  ...["Host", url.host, "Connection", "keep-alive"],
  ...headers.flat(),
  ...(body === null ? [] : ["Content-Length", String(Buffer.byteLength(body))])
]

/** A request that was sent, and the state of its connection. */
interface Sent {
  readonly outgoing: ClientRequest
  socket: Socket | null
  error: Error | null
  /** Bytes that the connection had received before this request. */
  before: number
}

/**
 * Called with `false` when a request starts to wait for its connection, and with `true` when it has one, TLS included.
 * Tells a caller that interrupts the request whether the host was silent or could not be reached.
 */
export class ConnectionListener extends Context.Reference<ConnectionListener>()(
  "quarry/http-client/ConnectionListener",
  {
    defaultValue: (): ((isConnected: boolean) => void) => constVoid
  }
) {}

const sent = (
  request: Request,
  connector: Connector,
  isNew: boolean,
  onConnection: (isConnected: boolean) => void
): Effect.Effect<Sent, HttpClientFault, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.try({
      try: () => {
        onConnection(false)
        const outgoing = send({
          agent: connector.agentFor(request.url, isNew),
          protocol: request.url.protocol,
          host: hostOf(request.url),
          port: portOf(request.url),
          path: `${request.url.pathname}${request.url.search}`,
          method: request.method,
          headers: headersOf(request),
          maxHeaderSize: maxHeaderBytes,
          timeout: idle
        })
        const state: Sent = { outgoing, socket: null, error: null, before: 0 }
        outgoing.on("error", (error) => (state.error ??= error))
        outgoing.once("timeout", () => outgoing.destroy(fault("timeout", null)))
        outgoing.once("socket", (socket) => {
          state.socket = socket
          state.before = socket.bytesRead
          onConnection(true)
        })
        return state
      },
      catch: headFault
    }),
    ({ outgoing }) => Effect.sync(() => outgoing.destroy())
  )

const bounded = (outgoing: ClientRequest) => {
  let interim = 0
  let bytes = 0
  outgoing.on("information", ({ rawHeaders }) => {
    interim++
    for (const text of rawHeaders) bytes += text.length
    if (interim > mostInterim || bytes > maxHeaderBytes) outgoing.destroy(fault("too_large", new CapReached({ bytes })))
  })
}

/**
 * Waits for the response head. The body is not read yet. Closing the scope closes the connection unless the whole body
 * was read.
 */
const headOf = ({ outgoing }: Sent, body: string | null) =>
  Effect.async<IncomingMessage, HttpClientFault>((resume) => {
    bounded(outgoing)
    outgoing.once("error", (error) =>
      resume(headFault(outgoing.reusedSocket && isHangUp(error) ? new Stale({ cause: error }) : error))
    )
    // The request does not ask for a protocol upgrade.
    outgoing.once("upgrade", (_, socket) => {
      socket.destroy()
      resume(fault("undecodable", null))
    })
    outgoing.once("response", (incoming) => {
      // Closing the scope destroys the response, which emits an error.
      incoming.on("error", () => undefined)
      resume(Effect.succeed(incoming))
    })
    outgoing.end(body ?? undefined)
  })

/**
 * Prefers the error of the request, which has the cause. The reader of the body only sees that the body was aborted.
 */
const preferRequestError = ({ error }: Sent, failure: HttpClientFault): HttpClientFault => {
  if (error === null) return failure
  return error instanceof HttpClientFault ? error : bodyFault(error, failure.status ?? 0)
}

/**
 * Ends a request whose connection has received more than `most` bytes. This includes chunk framing, which never reaches
 * the reader of the body.
 */
const meter = (state: Sent, most: number): Effect.Effect<void> =>
  Effect.sync(() => {
    const bytes = (state.socket?.bytesRead ?? 0) - state.before
    if (bytes > most) state.outgoing.destroy(fault("too_large", new CapReached({ bytes })))
  }).pipe(Effect.repeat(metered), Effect.asVoid)

/**
 * Sends a request and passes the response to `use`, which reads the body as needed. With `isNew`, opens a new
 * connection.
 */
export const respond = <A>(
  connector: Connector,
  request: Request,
  isNew: boolean,
  mostBytes: number,
  use: (incoming: IncomingMessage) => Effect.Effect<A, HttpClientFault>
): Effect.Effect<A, HttpClientFault> =>
  Effect.gen(function* () {
    yield* connector.want(request.url)
    const state = yield* sent(request, connector, isNew, yield* ConnectionListener)
    yield* Effect.forkScoped(meter(state, mostBytes))
    const incoming = yield* headOf(state, request.body)
    return yield* Effect.mapError(use(incoming), (failure) => preferRequestError(state, failure))
  }).pipe(Effect.scoped)
