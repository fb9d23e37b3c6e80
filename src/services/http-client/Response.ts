import { Effect, Schedule, type Scope } from "effect"
import { type ClientRequest, type IncomingMessage, request as send } from "node:http"
import { type Socket } from "node:net"
import { type Connector } from "./Connector.ts"
import { bodyFault, CapReached, fault, headFault, isHangUp, HttpClientFault, Stale } from "./Fault.ts"
import { hostOf, portOf } from "./ConnectionTarget.ts"

export interface Request {
  readonly method: "GET" | "POST"
  /** Without credentials; its fragment is not sent. */
  readonly url: URL
  /** In the order and letter case to be sent in. */
  readonly headers: ReadonlyArray<readonly [name: string, value: string]>
  readonly body: string | null
}

/** Of a head, and of all interim answers (1xx) before it together. */
const maxHeaderBytes = 32 * 1024

/** Interim answers: none is of use to us. */
const mostInterim = 20

/** Of silence, in milliseconds; longer than any time a caller may ask for, so that a slow host is the caller's timeout. */
const idle = 65_000

/** Between two looks at how much has come in. */
const metered = Schedule.spaced("250 millis")

const headersOf = ({ body, headers, url }: Request): ReadonlyArray<string> => [
  ...["Host", url.host, "Connection", "keep-alive"],
  ...headers.flat(),
  ...(body === null ? [] : ["Content-Length", String(Buffer.byteLength(body))])
]

/** A request that was sent, and what becomes of the connection it got. */
interface Sent {
  readonly outgoing: ClientRequest
  socket: Socket | null
  error: Error | null
  /** Bytes that the connection had brought before. */
  before: number
}

const sent = (
  request: Request,
  connector: Connector,
  isNew: boolean
): Effect.Effect<Sent, HttpClientFault, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.try({
      try: () => {
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

/** The head of the answer; its body is still to be read. The end of the scope cuts the connection, unless all was read. */
const headOf = ({ outgoing }: Sent, body: string | null) =>
  Effect.async<IncomingMessage, HttpClientFault>((resume) => {
    bounded(outgoing)
    outgoing.once("error", (error) =>
      resume(headFault(outgoing.reusedSocket && isHangUp(error) ? new Stale({ cause: error }) : error))
    )
    // Nobody asked for another protocol.
    outgoing.once("upgrade", (_, socket) => {
      socket.destroy()
      resume(fault("undecodable", null))
    })
    outgoing.once("response", (incoming) => {
      // The end of the scope destroys it, which is an error to whoever listens.
      incoming.on("error", () => undefined)
      resume(Effect.succeed(incoming))
    })
    outgoing.end(body ?? undefined)
  })

/** What is wrong with a body is told by the request first; whoever reads the body only learns that it broke off. */
const told = ({ error }: Sent, failure: HttpClientFault): HttpClientFault => {
  if (error === null) return failure
  return error instanceof HttpClientFault ? error : bodyFault(error, failure.status ?? 0)
}

/**
 * Ends a request once its connection has brought more than `most` bytes, whatever they are: padding around the pieces of
 * a body never comes to those who read it.
 */
const meter = (state: Sent, most: number): Effect.Effect<void> =>
  Effect.sync(() => {
    const bytes = (state.socket?.bytesRead ?? 0) - state.before
    if (bytes > most) state.outgoing.destroy(fault("too_large", new CapReached({ bytes })))
  }).pipe(Effect.repeat(metered), Effect.asVoid)

/** Sends a request, over a new connection if `isNew`, and hands its answer to `use`, which reads what it wants of it. */
export const respond = <A>(
  connector: Connector,
  request: Request,
  isNew: boolean,
  mostBytes: number,
  use: (incoming: IncomingMessage) => Effect.Effect<A, HttpClientFault>
): Effect.Effect<A, HttpClientFault> =>
  Effect.gen(function* () {
    yield* connector.want(request.url)
    const state = yield* sent(request, connector, isNew)
    yield* Effect.forkScoped(meter(state, mostBytes))
    const incoming = yield* headOf(state, request.body)
    return yield* Effect.mapError(use(incoming), (failure) => told(state, failure))
  }).pipe(Effect.scoped)
