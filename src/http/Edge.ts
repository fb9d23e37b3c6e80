import { type HttpApp, HttpApiError, HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { NodeHttpServerRequest } from "@effect/platform-node"
import { Cause, Effect, Option, Random, Ref } from "effect"
import { type AnyFailure, envelopeOf, envelopes } from "../domain/Envelope.ts"
import {
  BadRequest,
  InternalError,
  InvalidParameters,
  MethodNotAllowed,
  NotFound,
  ShuttingDown
} from "../domain/Failure.ts"
import { windowSeconds } from "../domain/RateLimits.ts"
import { searchKinds } from "../domain/SearchKind.ts"
import { type Budget, RateLimiter } from "../services/RateLimiter.ts"
import { Search } from "../services/Search.ts"
import { Settings } from "../services/Settings.ts"
import { clientOf } from "./ClientAddress.ts"
import { corsHeaders, preflightHeaders } from "./Cors.ts"
import { Drain } from "./Drain.ts"
import { queryProblems } from "./Problems.ts"
import { type Route, routes } from "./Routes.ts"
import { statuses } from "./Status.ts"

const isFailure = (value: unknown): value is AnyFailure =>
  typeof value === "object" && value !== null && "_tag" in value && String(value._tag) in envelopes

/** Draft "RateLimit header fields for HTTP", and the older X- triple. */
const budgetHeaders = ({ exceeded, group, limit, remaining, resetAt, resetIn }: Budget): Record<string, string> => ({
  "x-ratelimit-limit": String(limit),
  "x-ratelimit-remaining": String(remaining),
  "x-ratelimit-reset": String(resetAt),
  ratelimit: `"${group}";r=${remaining};t=${resetIn}`,
  "ratelimit-policy": `"${group}";q=${limit};w=${windowSeconds}`,
  ...(exceeded === null ? {} : { "retry-after": String(exceeded.retry_after) })
})

/** The answer that a failure gets, by the tables of envelopes and statuses. */
const failureResponse = (failure: AnyFailure): HttpServerResponse.HttpServerResponse => {
  const status = statuses[failure._tag]
  const response = HttpServerResponse.unsafeJson(envelopeOf(failure), { status })
  switch (failure._tag) {
    case "MethodNotAllowed":
      return HttpServerResponse.setHeader(response, "allow", failure.allowed.join(", "))
    case "ShuttingDown":
      return HttpServerResponse.setHeader(response, "retry-after", String(failure.retry_after))
    case "PayloadTooLarge":
      return HttpServerResponse.setHeader(response, "connection", "close")
    default:
      return response
  }
}

const hex = (value: number) => value.toString(16).padStart(8, "0")
const freshId = Effect.map(Effect.replicateEffect(Random.nextIntBetween(0, 2 ** 32), 4), (parts) =>
  parts.map(hex).join("")
)

/** Seconds that a client is asked to wait for while the service restarts. */
const restartSeconds = 5

/** Path and query of a request target, which may be an absolute URL (RFC 9112, section 3.2.2). */
const targetOf = (url: string): string =>
  /^https?:\/\//i.test(url) ? url.replace(/^https?:\/\/[^/?#]*/i, "") || "/" : url

/** RFC 9112, section 3.2: HTTP/1.1 requires a Host. */
const lacksHost = (request: HttpServerRequest.HttpServerRequest): boolean =>
  request.headers["host"] === undefined && NodeHttpServerRequest.toIncomingMessage(request).httpVersion === "1.1"

const pathOf = (target: string): string => target.replace(/[?#].*$/s, "")

const queryOf = (target: string): URLSearchParams => {
  const start = target.indexOf("?")
  return new URLSearchParams(start < 0 ? "" : target.slice(start + 1))
}

/**
 * What every request passes, whatever becomes of it: request id, budget, CORS, draining, unknown paths and methods,
 * and at the end every failure in its envelope. The one place where errors become responses.
 */
export const edge = Effect.gen(function* () {
  const limiter = yield* RateLimiter
  const settings = yield* Settings
  const search = yield* Search
  const drain = yield* Drain

  /** A wrong `backend` is found by the engines of this server, not by a Schema: it is named with the other fields. */
  const backendProblems = (path: string, query: URLSearchParams) => {
    const kind = searchKinds.find((one) => path === `/api/search/${one}`)
    const backend = query.getAll("backend")
    const [named] = backend
    return kind === undefined || named === undefined || backend.length > 1 || !routes.get(path)?.rules.has("backend")
      ? []
      : search.backendProblems(
          kind,
          named
            .trim()
            .toLowerCase()
            .replace(/\s*,\s*/g, ",")
        )
  }

  const asFailure = (error: unknown, target: string, route: Route | undefined): Option.Option<AnyFailure> => {
    if (isFailure(error)) return Option.some(error)
    if (!(error instanceof HttpApiError.HttpApiDecodeError) || route === undefined) return Option.none()
    const path = pathOf(target)
    const query = queryOf(target)
    const problems = queryProblems(error.issues, query, route.rules)
    // An issue that is about no parameter is about an answer of ours: a defect.
    if (problems.some(({ field }) => !route.rules.has(field))) return Option.none()
    const named = new Set(problems.map(({ field }) => field))
    const more = backendProblems(path, query).filter(({ field }) => !named.has(field))
    return Option.some(new InvalidParameters({ problems: [...problems, ...more] }))
  }

  return (app: HttpApp.Default<unknown>): HttpApp.Default =>
    Effect.gen(function* () {
      const request = yield* HttpServerRequest.HttpServerRequest
      const target = targetOf(request.url)
      const route = routes.get(pathOf(target))
      const given = request.headers["x-request-id"]
      const requestId = given !== undefined && /^[A-Za-z0-9._-]{1,128}$/.test(given) ? given : yield* freshId

      const isPreflight =
        request.method === "OPTIONS" &&
        request.headers["origin"] !== undefined &&
        request.headers["access-control-request-method"] !== undefined
      const client = clientOf(
        Option.getOrUndefined(request.remoteAddress),
        request.headers["x-forwarded-for"],
        settings.trustedProxies
      )
      const draining = yield* Ref.get(drain)
      const budget = yield* (isPreflight || draining ? limiter.peek : limiter.spend)(client, route?.group ?? "info")

      const answer = Effect.gen(function* () {
        if (draining) return yield* new ShuttingDown({ retry_after: restartSeconds })
        if (budget.exceeded !== null) return yield* budget.exceeded
        if (lacksHost(request)) return yield* new BadRequest()
        if (route === undefined) return yield* new NotFound()
        if (isPreflight) {
          return HttpServerResponse.empty({
            headers: preflightHeaders(route.methods, request.headers["access-control-request-headers"])
          })
        }
        if (request.method === "OPTIONS")
          return HttpServerResponse.empty({ headers: { allow: route.methods.join(", ") } })
        if (!route.methods.includes(request.method)) return yield* new MethodNotAllowed({ allowed: route.methods })
        return yield* Effect.provideService(
          app,
          HttpServerRequest.HttpServerRequest,
          target === request.url ? request : request.modify({ url: target })
        )
      })

      const response = yield* answer.pipe(
        Effect.catchAllCause((cause) => {
          if (Cause.isInterruptedOnly(cause)) return Effect.interrupt
          const failure = asFailure(Cause.squash(cause), target, route)
          return Option.match(failure, {
            onSome: (known) => Effect.succeed(failureResponse(known)),
            onNone: () =>
              Effect.as(
                Effect.logError("defect", cause).pipe(Effect.annotateLogs({ request_id: requestId })),
                failureResponse(new InternalError({ request_id: requestId }))
              )
          })
        })
      )
      return HttpServerResponse.setHeaders(response, {
        ...budgetHeaders(budget),
        ...corsHeaders(request.headers["origin"], settings.corsOrigins),
        "x-request-id": requestId,
        "x-content-type-options": "nosniff",
        ...((yield* Ref.get(drain)) ? { connection: "close" } : {})
      })
    })
})
