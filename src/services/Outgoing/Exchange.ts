import { Effect, type Scope } from "effect"
import { Agent, type Dispatcher } from "undici"
import { ClientKey } from "../ClientKey.ts"
import { type Cap, readBody } from "./Body.ts"
import { Abandoned, make as makeConnector, type Open } from "./Connector.ts"
import { make as makeFairShare } from "./FairShare.ts"
import { headFault, isHangUp, type OutgoingFault } from "./Fault.ts"
import { make as makeLimits } from "./Limits.ts"

export interface Request {
  readonly method: "GET" | "POST"
  /** Without credentials; its fragment is not sent. */
  readonly url: URL
  /** In the order and letter case to be sent in. */
  readonly headers: ReadonlyArray<readonly [name: string, value: string]>
  readonly body: string | null
}

export interface Answer {
  readonly status: number
  /** Names in lower case, repeated ones joined by a comma. */
  readonly headers: Readonly<Record<string, string>>
  /** The `Set-Cookie` headers one by one: a comma is part of their dates (RFC 6265, section 3). */
  readonly setCookies: ReadonlyArray<string>
  /** Decompressed. Empty where it was not wanted. */
  readonly bytes: Uint8Array
}

export interface Options {
  readonly open: Open
  /** Of a body, on the wire and decompressed. */
  readonly maxBytes: number
  /** What becomes of a larger one; a fault unless told otherwise. */
  readonly past?: Cap["past"]
  /** Whether the body of an answer of this status is wanted; else the connection is cut before it comes. */
  readonly wantsBody: (status: number, contentType: string | null) => boolean
  /** Requests at once. */
  readonly perHost: number
  readonly overall: number
}

/**
 * One request and its answer, redirects not followed. Interruption closes the socket. A GET is sent once more when the
 * peer hung up before it answered: a pooled connection may have been closing.
 */
export type Exchange = (request: Request) => Effect.Effect<Answer, OutgoingFault>

/** Bodies past their first mebibyte that are read at once, each up to its cap; a client alone has 6 of them. */
const largeBodies = { capacity: 24, part: 1 / 3 } as const

const maxHeaderBytes = 32 * 1024

/** In milliseconds, whatever a server would like: fetches reach many hosts and come back to few. */
const maxKeepAlive = 15_000

/** Of silence, in milliseconds; longer than any time a caller may ask for, so that a slow host is the caller's timeout. */
const idle = 65_000

const joined = (headers: Dispatcher.ResponseData["headers"]): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, typeof value === "string" ? value : value.join(", ")]]
    )
  )

const setCookiesOf = (headers: Dispatcher.ResponseData["headers"]): ReadonlyArray<string> => {
  const set = headers["set-cookie"] ?? []
  return typeof set === "string" ? [set] : set
}

const framing = (headers: Readonly<Record<string, string>>) => {
  const length = headers["content-length"]
  return { encoding: headers["content-encoding"] ?? "", length: length === undefined ? null : Number(length) }
}

/** Signals when the scope ends, however it does: what was read to its end does not mind. */
const scopedSignal = Effect.acquireRelease(
  Effect.sync(() => new AbortController()),
  (controller) => Effect.sync(() => controller.abort())
).pipe(Effect.map(({ signal }) => signal))

/** A pool of connections of its own, closed with the scope. */
export const make = (options: Options): Effect.Effect<Exchange, never, Scope.Scope> =>
  Effect.gen(function* () {
    const connector = yield* makeConnector(options.open)
    const limited = yield* makeLimits(options)
    const share = yield* makeFairShare(largeBodies)
    const cap: Cap = { maxBytes: options.maxBytes, past: options.past ?? "fault" }
    const agent = yield* Effect.acquireRelease(
      Effect.sync(
        () =>
          new Agent({
            connect: connector.connect,
            connections: options.perHost,
            pipelining: 1,
            maxHeaderSize: maxHeaderBytes,
            headersTimeout: idle,
            bodyTimeout: idle,
            keepAliveMaxTimeout: maxKeepAlive
          })
      ),
      (agent) => Effect.promise(() => agent.destroy())
    )

    const once = (request: Request) =>
      Effect.gen(function* () {
        const { url } = request
        yield* connector.want(url.origin)
        const signal = yield* scopedSignal
        const response = yield* Effect.tryPromise({
          try: () =>
            agent.request({
              origin: url.origin,
              path: `${url.pathname}${url.search}`,
              method: request.method,
              headers: request.headers.flat(),
              body: request.body,
              signal
            }),
          catch: headFault
        })
        const { body: stream, statusCode: status } = response
        const headers = joined(response.headers)
        const setCookies = setCookiesOf(response.headers)
        // The signal destroys it at the end of the scope, which is an error to whoever listens.
        stream.on("error", () => undefined)
        if (!options.wantsBody(status, headers["content-type"] ?? null))
          return { status, headers, setCookies, bytes: new Uint8Array() }
        const room = share(yield* ClientKey)
        const bytes = yield* readBody({ stream, status, ...framing(headers) }, cap, room)
        return { status, headers, setCookies, bytes }
      }).pipe(Effect.scoped)

    return (request) =>
      once(request).pipe(
        Effect.retry({
          times: 1,
          while: ({ cause, reason, status }) =>
            status === null &&
            reason === "connect_error" &&
            (cause instanceof Abandoned || (request.method === "GET" && isHangUp(cause)))
        }),
        limited(request.url.hostname)
      )
  })
