import { Context, Effect, Either, Layer } from "effect"
import { FetchFailed, type FetchReason, type PolicyReason, UrlNotAllowed } from "../domain/Failure.ts"
import { mayHoldText } from "./Extractor/MediaType.ts"
import { AddressRefused, guarded } from "./Fetcher/GuardedConnection.ts"
import { isRedirect, targetOf } from "./Outgoing/Redirect.ts"
import { Resolver } from "./Fetcher/Resolver.ts"
import { checkUrl } from "./Fetcher/UrlPolicy.ts"
import { acceptEncoding } from "./Outgoing/ContentEncoding.ts"
import { make as makeExchange } from "./Outgoing/Exchange.ts"
import { type OutgoingFault } from "./Outgoing/Fault.ts"
import { userAgent } from "./Outgoing/UserAgent.ts"
import { Settings } from "./Settings.ts"

/** What a fetch target answered: a 2xx, whole and decompressed. */
export interface Fetched {
  /** After redirects, without a fragment. */
  readonly finalUrl: string
  readonly status: number
  /** The `Content-Type` header as it came; null for none. */
  readonly contentType: string | null
  /** At most 10 MiB; empty where the media type says that there is no text, which is not downloaded. */
  readonly bytes: Uint8Array
}

const maxRedirects = 5
const maxBytes = 10 * 1024 * 1024

const headers: ReadonlyArray<readonly [string, string]> = [
  ["User-Agent", userAgent],
  ["Accept", "text/html,application/xhtml+xml,application/xml;q=0.9,text/plain;q=0.8,*/*;q=0.5"],
  ["Accept-Language", "en;q=0.9,*;q=0.5"],
  ["Accept-Encoding", acceptEncoding]
]

const fetchReason = (fault: OutgoingFault): FetchReason =>
  // A fetch has no proxy, and its own times are longer than any caller's.
  fault.reason === "proxy_error" || fault.reason === "timeout" ? "connect_error" : fault.reason

const make = Effect.gen(function* () {
  const settings = yield* Settings
  const { resolve } = yield* Resolver
  const policy = { allowedNetworks: settings.fetchAllowedNetworks, allowedPorts: settings.fetchAllowedPorts }
  const exchange = yield* makeExchange({
    open: guarded(policy, resolve),
    maxBytes,
    wantsBody: (status, contentType) => status >= 200 && status < 300 && mayHoldText(contentType),
    perHost: 16,
    overall: 512
  })

  const fetch = Effect.fn("Fetcher.fetch")(function* (url: string) {
    const notAllowed = (reason: PolicyReason) => new UrlNotAllowed({ url, reason })
    const failed = (reason: FetchReason, status: number | null) => new FetchFailed({ url, reason, status_code: status })
    let next = url
    let lastStatus: number | null = null
    for (let hop = 0; hop <= maxRedirects; hop++) {
      const target = yield* Either.mapLeft(checkUrl(next, policy), notAllowed)
      const answer = yield* exchange({ method: "GET", url: target, headers, body: null }).pipe(
        Effect.mapError((fault) =>
          fault.cause instanceof AddressRefused
            ? notAllowed(fault.cause.reason)
            : failed(fetchReason(fault), fault.status)
        )
      )
      const { status } = answer
      const location = isRedirect(status) ? targetOf(answer.headers["location"], target.href) : null
      if (location === null) {
        const contentType = answer.headers["content-type"] ?? null
        if (status < 200 || status >= 300) return yield* failed("http_status", status)
        return { finalUrl: target.href, status, contentType, bytes: answer.bytes }
      }
      next = location
      lastStatus = status
    }
    return yield* failed("too_many_redirects", lastStatus)
  })

  return { fetch }
})

/**
 * The way out for content fetches: never through the search proxy, never to an address that policy forbids. The
 * caller bounds the time; interruption closes the sockets. Errors name the URL that was asked for, whatever hop they
 * are about.
 */
export class Fetcher extends Context.Tag("quarry/Fetcher")<
  Fetcher,
  { readonly fetch: (url: string) => Effect.Effect<Fetched, UrlNotAllowed | FetchFailed> }
>() {
  static readonly layerWithoutResolver: Layer.Layer<Fetcher, never, Settings | Resolver> = Layer.scoped(Fetcher, make)

  static readonly layer: Layer.Layer<Fetcher, never, Settings> = Layer.provide(
    Fetcher.layerWithoutResolver,
    Resolver.layer
  )
}
