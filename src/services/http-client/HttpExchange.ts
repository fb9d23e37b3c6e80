import { Context, Effect, type Scope } from "effect"
import { type IncomingMessage } from "node:http"
import { ClientKey } from "../rate-limiter/ClientKey.ts"
import { readBody } from "./Body.ts"
import { type Cap, decompress } from "./ContentEncoding.ts"
import { Abandoned, make as makeConnector, type Open } from "./Connector.ts"
import { type FairShare, make as makeFairShare } from "./FairShare.ts"
import { bodyFault, type HttpClientFault, Stale } from "./Fault.ts"
import { type Request, respond } from "./Response.ts"

export interface Answer {
  readonly status: number
  /** Names in lower case. Repeated headers are joined by a comma. */
  readonly headers: Readonly<Record<string, string>>
  /** The `Set-Cookie` headers as a list, since their dates contain commas (RFC 6265, section 3). */
  readonly setCookies: ReadonlyArray<string>
  /** The encoded body. Empty when `wantsBody` returned false. */
  readonly bytes: Uint8Array
  /** `Content-Encoding` of the bytes, always a known one; empty for none. */
  readonly encoding: string
}

/** Decodes the body of a response. */
export const plainBody = ({ bytes, encoding, status }: Answer, cap: Cap): Effect.Effect<Uint8Array, HttpClientFault> =>
  Effect.mapError(decompress(encoding, bytes, cap), ({ cause }) => bodyFault(cause, status))

export interface Options {
  readonly open: Open
  /** Maximum size of a body on the wire. */
  readonly maxBytes: number
  /** How to treat a larger body. Default: `fault`. */
  readonly past?: Cap["past"]
  /** Returns whether to read the body of a response. Otherwise closes the connection before the body arrives. */
  readonly wantsBody: (status: number, contentType: string | null) => boolean
}

/**
 * Sends one request without following redirects. Interruption closes the socket. Retries a GET once when a kept-alive
 * connection was closed by the peer.
 */
export type HttpExchange = (request: Request) => Effect.Effect<Answer, HttpClientFault>

/**
 * Makes the concurrency limit of each exchange for bodies beyond their first mebibyte: 24 at once, each up to its cap;
 * a single client gets up to 6. A reference, so that tests can replace it.
 */
export class LargeBodies extends Context.Reference<LargeBodies>()("quarry/http-client/LargeBodies", {
  defaultValue: (): Effect.Effect<FairShare> => makeFairShare({ capacity: 24, shareOfFree: 1 / 3 })
}) {}

/** Bytes of a connection besides the body: the head and the chunk framing. */
const mostOverhead = 1024 * 1024

/** Joins repeated headers by a comma. Of headers that must not be repeated, Node keeps the first. */
const headersOf = ({ headers }: IncomingMessage): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, typeof value === "string" ? value : value.join(", ")]]
    )
  )

const framing = (headers: Readonly<Record<string, string>>) => {
  const length = headers["content-length"]
  return { encoding: headers["content-encoding"] ?? "", length: length === undefined ? null : Number(length) }
}

/** Reads an empty body to its end, so that the connection can be reused. */
const drainEmptyBody = (incoming: IncomingMessage) =>
  Effect.async<void>((resume) => {
    incoming.once("close", () => resume(Effect.void)).resume()
  })

/** Makes an exchange with its own connection pool, which closes with the scope. */
export const make = (options: Options): Effect.Effect<HttpExchange, never, Scope.Scope> =>
  Effect.gen(function* () {
    const connector = yield* makeConnector(options.open)
    const share = yield* yield* LargeBodies
    const cap: Cap = { maxBytes: options.maxBytes, past: options.past ?? "fault" }

    const answerOf = (incoming: IncomingMessage): Effect.Effect<Answer, HttpClientFault> =>
      Effect.gen(function* () {
        const status = incoming.statusCode ?? 0
        const headers = headersOf(incoming)
        const { encoding, length } = framing(headers)
        const head = { status, headers, setCookies: incoming.headers["set-cookie"] ?? [] }
        if (length === 0) yield* drainEmptyBody(incoming)
        if (length === 0 || !options.wantsBody(status, headers["content-type"] ?? null))
          return { ...head, encoding: "", bytes: new Uint8Array() }
        const room = share(yield* ClientKey)
        return { ...head, encoding, bytes: yield* readBody({ stream: incoming, status, encoding, length }, cap, room) }
      })

    const mostBytes = 2 * options.maxBytes + mostOverhead

    const isRetryable = ({ method }: Request, { cause }: HttpClientFault): boolean =>
      cause instanceof Abandoned || (method === "GET" && cause instanceof Stale)

    return (request) => {
      const once = (isNew: boolean) => respond(connector, request, isNew, mostBytes, answerOf)
      return once(false).pipe(
        // Other kept-alive connections may be closing too, so the retry opens a new one.
        Effect.catchIf(
          (failure) => isRetryable(request, failure),
          () => once(true)
        )
      )
    }
  })
