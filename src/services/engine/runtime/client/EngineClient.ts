import { Context, Data, Effect, Layer } from "effect"
import { type EngineFault } from "../../../../domain/Outcome.ts"
import { decodeBody, type TextKind } from "../../../http-client/Charset.ts"
import { make as makeCookies } from "./Cookies.ts"
import { redirected } from "./RedirectPolicy.ts"
import { headersOf } from "./Persona.ts"
import { isKeyed, type Secrets, secretsOf, withoutSecrets } from "./Secrets.ts"
import { tunnelled } from "./Tunnel.ts"
import { type EngineAnswer, type EngineRequest } from "../../Engine.ts"
import { type Answer, make as makeExchange, plainBody } from "../../../http-client/HttpExchange.ts"
import { codeOf, type HttpClientFault } from "../../../http-client/Fault.ts"
import { make as makeLimits } from "../../../http-client/Limits.ts"
import { type Request } from "../../../http-client/Response.ts"
import { connectTcp } from "../../../http-client/Tcp.ts"
import { Settings } from "../../../settings/Settings.ts"

/**
 * A request without a complete answer. Faults: `timeout`, `dns_error`, `connect_error` (also a truncated answer),
 * `tls_error`, `proxy_error`, `layout_changed` (a body too large or undecodable), `unsupported` (a header that cannot
 * be sent).
 */
export class EngineUnreachable extends Data.TaggedError("EngineUnreachable")<{
  readonly fault: EngineFault
  readonly cause: unknown
  /** HTTP status of an answer whose body is incomplete. */
  readonly status?: number | null
}> {}

const maxRedirects = 3
const maxBytes = 6 * 1024 * 1024

const query = (pairs: ReadonlyArray<readonly [name: string, value: string]>): string => {
  const params = new URLSearchParams()
  for (const [name, value] of pairs) params.append(name, value)
  return params.toString()
}

const bodyOf = ({ form, json }: EngineRequest): string | null => {
  if (form !== undefined) return query(form)
  return json === undefined ? null : JSON.stringify(json)
}

/** Adds key headers. A key replaces a header with the same name, such as one that holds a shared public key. */
const replaced = (headers: Request["headers"], by: Secrets["headers"]): Request["headers"] => {
  const names = new Set(by.map(([name]) => name.toLowerCase()))
  return [...headers.filter(([name]) => !names.has(name.toLowerCase())), ...by]
}

const requestOf = (request: EngineRequest, secrets: Secrets): Request => {
  const url = new URL(request.url)
  const params = [...(request.params ?? []), ...secrets.params]
  if (params.length > 0) url.search = query(params)
  return { method: request.method, url, headers: replaced(headersOf(request), secrets.headers), body: bodyOf(request) }
}

const kindOf = (contentType: string | null): TextKind => {
  if (contentType === null || /html/i.test(contentType)) return "html"
  return /xml/i.test(contentType) ? "xml" : "text"
}

const answerOf = (url: URL, answer: Answer): Effect.Effect<EngineAnswer, HttpClientFault> =>
  Effect.map(plainBody(answer, { maxBytes, past: "fault" }), (bytes) => {
    const { headers, status } = answer
    const contentType = headers["content-type"] ?? null
    return { status, headers, url: url.href, body: decodeBody(bytes, contentType, kindOf(contentType)) }
  })

/** Node.js error codes for header names and values that HTTP cannot carry. */
const unsendable = new Set(["ERR_INVALID_CHAR", "ERR_INVALID_HTTP_TOKEN", "ERR_HTTP_INVALID_HEADER_VALUE"])

const engineFault = ({ cause, reason }: HttpClientFault): EngineFault => {
  if (unsendable.has(codeOf(cause))) return "unsupported"
  switch (reason) {
    case "too_large":
    case "undecodable":
      return "layout_changed"
    case "truncated":
      return "connect_error"
    default:
      return reason
  }
}

const make = Effect.gen(function* () {
  const { engineKeys, searchProxy } = yield* Settings
  const cookies = yield* makeCookies
  const exchange = yield* makeExchange({
    open: searchProxy === null ? connectTcp : tunnelled(searchProxy),
    maxBytes,
    wantsBody: () => true
  })
  const limited = yield* makeLimits({ perHost: 16, overall: 256 })
  const ask = (request: Request) => limited(request.url.hostname)(exchange(request))

  const send = Effect.fn("EngineClient.send")(
    function* (request: EngineRequest) {
      const secrets = secretsOf(request, engineKeys)
      let next = requestOf(request, secrets)
      for (let followed = 0; ; followed++) {
        const answer = yield* ask(request.session === true ? yield* cookies.onto(next) : next)
        if (request.session === true) yield* cookies.keep(next.url, answer.setCookies)
        const target =
          request.follow && followed < maxRedirects ? redirected(next, answer.status, answer.headers["location"]) : null
        // A redirect to another host must not receive the key.
        if (target === null || (isKeyed(secrets) && target.url.host !== next.url.host))
          return yield* answerOf(withoutSecrets(next.url, secrets), answer)
        next = target
      }
    },
    Effect.mapError(
      (fault) => new EngineUnreachable({ fault: engineFault(fault), cause: fault.cause, status: fault.status })
    )
  )

  return { send }
})

/**
 * HTTP client for search requests: pooled, and through `SEARCH_PROXY` when it is set. Content fetches do not use it.
 */
export class EngineClient extends Context.Tag("quarry/EngineClient")<
  EngineClient,
  { readonly send: (request: EngineRequest) => Effect.Effect<EngineAnswer, EngineUnreachable> }
>() {
  static readonly layer: Layer.Layer<EngineClient, never, Settings> = Layer.scoped(EngineClient, make)
}
