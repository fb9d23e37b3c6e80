import { Context, Effect, Either, Layer, RcMap } from "effect"
import { FetchFailed, type FetchReason, type PolicyReason, UrlNotAllowed } from "../../domain/Failure.ts"
import { ClientKey } from "../rate-limiter/ClientKey.ts"
import { mostBytes } from "../extractor/dom/Document.ts"
import { mayHoldText } from "../extractor/formats/MediaType.ts"
import { AddressRefused, guarded, hostKey } from "./GuardedConnection.ts"
import { make as makeHostBackoff } from "./HostBackoff.ts"
import { Resolver } from "./Resolver.ts"
import { make as makeRobots } from "./Robots.ts"
import { checkUrl } from "./UrlPolicy.ts"
import { acceptEncoding } from "../http-client/ContentEncoding.ts"
import { type HttpExchange, make as makeExchange, plainBody } from "../http-client/HttpExchange.ts"
import { make as makeFairShare } from "../http-client/FairShare.ts"
import { type HttpClientFault } from "../http-client/Fault.ts"
import { isRedirect, targetOf } from "../http-client/Redirect.ts"
import { hostOf, portOf } from "../http-client/ConnectionTarget.ts"
import { userAgent } from "../http-client/UserAgent.ts"
import { Settings } from "../settings/Settings.ts"

/** A complete 2xx response of a fetch target. */
export interface Fetched {
  /** After redirects, without a fragment. */
  readonly finalUrl: string
  readonly status: number
  /** The unparsed `Content-Type` header; null for none. */
  readonly contentType: string | null
  /** The encoded body, at most 10 MiB. Empty, and not downloaded, when the media type has no text. */
  readonly bytes: Uint8Array
  /** The `Content-Encoding` of the bytes, always one that `Extractor` supports; empty for none. */
  readonly encoding: string
}

const maxRedirects = 5

/** Maximum size of a robots.txt in bytes, compressed and decompressed. Larger files are cut. */
const maxRobotsBytes = 512 * 1024

/** Concurrency limits of fetches. A single client gets half of them, and 11 for one host and port. */
const concurrency = { overall: { capacity: 512, shareOfFree: 1 }, host: { capacity: 16, shareOfFree: 2 } } as const

const headers: ReadonlyArray<readonly [string, string]> = [
  ["User-Agent", userAgent],
  ["Accept", "text/html,application/xhtml+xml,application/xml;q=0.9,text/plain;q=0.8,*/*;q=0.5"],
  ["Accept-Language", "en;q=0.9,*;q=0.5"],
  ["Accept-Encoding", acceptEncoding]
]

/** Why a fetch failed, at any redirect hop. */
type Refusal =
  | { readonly _tag: "Policy"; readonly reason: PolicyReason }
  | { readonly _tag: "Fault"; readonly reason: FetchReason; readonly status: number | null }

const policyRefusal = (reason: PolicyReason): Refusal => ({ _tag: "Policy", reason })
const failure = (reason: FetchReason, status: number | null): Refusal => ({ _tag: "Fault", reason, status })

const refusalOf = ({ cause, reason, status }: HttpClientFault): Refusal => {
  if (cause instanceof AddressRefused) return policyRefusal(cause.reason)
  // A fetch has no proxy, and its internal timeouts are longer than those of any caller.
  return failure(reason === "proxy_error" || reason === "timeout" ? "connect_error" : reason, status)
}

const isSuccess = (status: number): boolean => status >= 200 && status < 300

const make = Effect.gen(function* () {
  const settings = yield* Settings
  const { resolve } = yield* Resolver
  const policy = { allowedNetworks: settings.fetchAllowedNetworks, allowedPorts: settings.fetchAllowedPorts }
  const rest = yield* makeHostBackoff()
  const share = yield* makeFairShare(concurrency.overall)
  const hosts = yield* RcMap.make({ lookup: (_host: string) => makeFairShare(concurrency.host) })
  const open = guarded(policy, resolve, rest)
  const pages = yield* makeExchange({
    open,
    maxBytes: mostBytes,
    wantsBody: (status, contentType) => isSuccess(status) && mayHoldText(contentType)
  })
  const robotsFiles = yield* makeExchange({ open, maxBytes: maxRobotsBytes, past: "cut", wantsBody: isSuccess })

  /** Sends the request of one hop, if the back-off of the host and the URL policy allow it. */
  const ask = (url: URL, exchange: HttpExchange) =>
    Effect.gen(function* () {
      const key = hostKey(hostOf(url), portOf(url))
      const ofHost = yield* RcMap.get(hosts, key)
      return yield* rest.check(key).pipe(
        Effect.mapError(() => failure("host_resting", null)),
        Effect.zipRight(Effect.mapError(exchange({ method: "GET", url, headers, body: null }), refusalOf)),
        Effect.tap((answer) => rest.answered(key, answer.status, answer.headers["retry-after"])),
        ofHost(yield* ClientKey)
      )
    }).pipe(Effect.scoped)

  const checked = (url: string) => Either.mapLeft(checkUrl(url, policy), policyRefusal)

  const robots = yield* makeRobots((text) =>
    Effect.gen(function* () {
      const url = yield* checked(text)
      const answer = yield* ask(url, robotsFiles)
      const bytes = yield* Effect.mapError(plainBody(answer, { maxBytes: maxRobotsBytes, past: "cut" }), refusalOf)
      return { url, answer: { ...answer, bytes } }
    })
  )

  const obeyRobots = (url: URL) =>
    robots(url).pipe(
      // A redirect of robots.txt to a forbidden URL counts as a refusal by robots.txt, not as an error of the requested
      // URL.
      Effect.catchIf(
        ({ _tag }) => _tag === "Policy",
        () => Effect.succeed(false)
      ),
      Effect.filterOrFail(
        (isAllowed) => isAllowed,
        () => policyRefusal("robots")
      )
    )

  const follow = Effect.fnUntraced(function* (asked: string) {
    let next = asked
    let lastStatus: number | null = null
    for (let hop = 0; hop <= maxRedirects; hop++) {
      const url = yield* checked(next)
      if (settings.fetchRespectRobots) yield* obeyRobots(url)
      const answer = yield* ask(url, pages)
      const { status } = answer
      const location = isRedirect(status) ? targetOf(answer.headers["location"], url.href) : null
      if (location === null) {
        const contentType = answer.headers["content-type"] ?? null
        if (!isSuccess(status)) return yield* Effect.fail(failure("http_status", status))
        return { finalUrl: url.href, status, contentType, bytes: answer.bytes, encoding: answer.encoding }
      }
      next = location
      lastStatus = status
    }
    return yield* Effect.fail(failure("too_many_redirects", lastStatus))
  })

  const fetch = Effect.fn("Fetcher.fetch")(function* (url: string) {
    // A forbidden URL fails at once, without waiting for capacity.
    yield* Either.mapLeft(checkUrl(url, policy), (reason) => new UrlNotAllowed({ url, reason }))
    return yield* follow(url).pipe(
      share(yield* ClientKey),
      Effect.mapError((refusal) =>
        refusal._tag === "Policy"
          ? new UrlNotAllowed({ url, reason: refusal.reason })
          : new FetchFailed({ url, reason: refusal.reason, status_code: refusal.status })
      )
    )
  })

  return { fetch }
})

/**
 * Fetches content. Never uses the search proxy. Skips addresses that the policy forbids and hosts in back-off, and
 * limits the concurrency of each client. The caller sets the timeout; interruption closes the sockets. Errors name the
 * requested URL, even when a redirect fails.
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
