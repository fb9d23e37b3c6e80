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
  /** Names in lower case, repeated ones joined by a comma. */
  readonly headers: Readonly<Record<string, string>>
  /** The `Set-Cookie` headers one by one: a comma is part of their dates (RFC 6265, section 3). */
  readonly setCookies: ReadonlyArray<string>
  /** As they came. Empty where they were not wanted. */
  readonly bytes: Uint8Array
  /** `Content-Encoding` of these bytes, one that is known; empty for none. */
  readonly encoding: string
}

/** The body as it was before its encoding. */
export const plainBody = ({ bytes, encoding, status }: Answer, cap: Cap): Effect.Effect<Uint8Array, HttpClientFault> =>
  Effect.mapError(decompress(encoding, bytes, cap), ({ cause }) => bodyFault(cause, status))

export interface Options {
  readonly open: Open
  /** Of a body, on the wire. */
  readonly maxBytes: number
  /** What becomes of a larger one; a fault unless told otherwise. */
  readonly past?: Cap["past"]
  /** Whether the body of an answer of this status is wanted; else the connection is cut before it comes. */
  readonly wantsBody: (status: number, contentType: string | null) => boolean
}

/**
 * One request and its answer, redirects not followed. Interruption closes the socket. A GET is sent once more when a
 * connection that was kept was just being closed.
 */
export type HttpExchange = (request: Request) => Effect.Effect<Answer, HttpClientFault>

/**
 * Makes the share of each exchange in bodies past their first mebibyte: so many are read at once, each up to its cap; a
 * client alone has 6 of them. A reference, so that a test can count them.
 */
export class LargeBodies extends Context.Reference<LargeBodies>()("quarry/http-client/LargeBodies", {
  defaultValue: (): Effect.Effect<FairShare> => makeFairShare({ capacity: 24, part: 1 / 3 })
}) {}

/** What a connection brings beside a body: its head, and the frames of its pieces. */
const mostOverhead = 1024 * 1024

/** Repeated headers joined by a comma, but for those that may not be repeated, of which the first counts. */
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

/** To its end, though there is nothing: then the connection can be used again. */
const emptied = (incoming: IncomingMessage) =>
  Effect.async<void>((resume) => {
    incoming.once("close", () => resume(Effect.void)).resume()
  })

/** A pool of connections of its own, closed with the scope. */
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
        if (length === 0) yield* emptied(incoming)
        if (length === 0 || !options.wantsBody(status, headers["content-type"] ?? null))
          return { ...head, encoding: "", bytes: new Uint8Array() }
        const room = share(yield* ClientKey)
        return { ...head, encoding, bytes: yield* readBody({ stream: incoming, status, encoding, length }, cap, room) }
      })

    const mostBytes = 2 * options.maxBytes + mostOverhead

    const isWorthAnother = ({ method }: Request, { cause }: HttpClientFault): boolean =>
      cause instanceof Abandoned || (method === "GET" && cause instanceof Stale)

    return (request) => {
      const once = (isNew: boolean) => respond(connector, request, isNew, mostBytes, answerOf)
      return once(false).pipe(
        // Those that are kept may all be closing.
        Effect.catchIf(
          (failure) => isWorthAnother(request, failure),
          () => once(true)
        )
      )
    }
  })
