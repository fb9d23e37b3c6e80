import { type HttpApp, HttpApiError, HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { Cause, Context, Effect, Option, Ref } from "effect"
import { type AnyFailure } from "../domain/Envelope.ts"
import {
  BadRequest,
  InternalError,
  InvalidParameters,
  MethodNotAllowed,
  NotFound,
  ShuttingDown,
  Unauthorized
} from "../domain/Failure.ts"
import { searchKinds } from "../domain/SearchKind.ts"
import { remoteCaller } from "../services/rate-limiter/Caller.ts"
import { ClientKey } from "../services/rate-limiter/ClientKey.ts"
import { logDefect, logFailedAnswer } from "../services/logging/FailureLog.ts"
import { type Budget, RateLimiter } from "../services/rate-limiter/RateLimiter.ts"
import { freshRequestId } from "../services/logging/RequestId.ts"
import { makeRecord, RequestRecord } from "../services/logging/RequestRecord.ts"
import { Search } from "../services/search/Search.ts"
import { Settings } from "../services/settings/Settings.ts"
import { makeAccessLog } from "./AccessLog.ts"
import { budgetHeaders } from "./BudgetHeaders.ts"
import { identityOf } from "./Identity.ts"
import { compressed, fromMountedApp } from "./Compression.ts"
import { corsHeaders, preflightHeaders } from "./Cors.ts"
import { type MountedApp, MountedApps } from "./MountedApps.ts"
import { Drain } from "./Drain.ts"
import { failureResponse, isFailure } from "./FailureResponse.ts"
import { furtherProblems, queryProblems } from "./Problems.ts"
import { bytesOf } from "./RequestBody.ts"
import { type Route, routes, withImplied } from "./Routes.ts"
import { isPreflight, hasWrongHost, pathOf, queryOf, targetOf } from "./RequestTarget.ts"
import { canParseUrl } from "../domain/WebUrl.ts"

const requestIdOf = (given: string | undefined) =>
  given !== undefined && /^[A-Za-z0-9._-]{1,128}$/.test(given) ? Effect.succeed(given) : freshRequestId

/** Methods that a Fetch `Request` cannot have (Fetch standard, "forbidden method"). */
const unsendable = /^(?:CONNECT|TRACE|TRACK)$/

/** Merges CORS headers with the `Vary` header that the response already has. */
const mergeVary = (vary: string | undefined, cors: Record<string, string>): Record<string, string> =>
  vary === undefined || cors["vary"] === undefined ? cors : { ...cors, vary: `${vary}, ${cors["vary"]}` }

/** Values of a query string that must not be logged. */
const sensitiveOf = (query: URLSearchParams): ReadonlyArray<string> => [...query.getAll("q"), ...query.getAll("url")]

/** `Retry-After` in seconds while the service restarts. */
const restartSeconds = 5

/**
 * Request pipeline of all routes and mounted apps: request id, budget, CORS, draining, unknown paths and methods. The
 * only place where errors become responses; every failure gets its envelope.
 */
export const requestPipeline = Effect.gen(function* () {
  const limiter = yield* RateLimiter
  const settings = yield* Settings
  const search = yield* Search
  const drain = yield* Drain
  const logAccess = makeAccessLog(settings)
  const mounted = new Map((yield* MountedApps).map((mountedApp) => [mountedApp.path, mountedApp]))

  const asFailure = (error: unknown, target: string, route: Route | undefined): Option.Option<AnyFailure> => {
    if (isFailure(error)) return Option.some(error)
    if (!(error instanceof HttpApiError.HttpApiDecodeError) || route === undefined) return Option.none()
    const query = queryOf(target)
    const problems = queryProblems(error.issues, query, route.rules)
    // An issue without a matching parameter comes from encoding the response, which is a defect.
    if (problems.some(({ field }) => !route.rules.has(field))) return Option.none()
    const kind = searchKinds.find((one) => pathOf(target) === `/api/search/${one}`)
    const more = furtherProblems(query, route.rules, problems, (backend) =>
      kind === undefined ? [] : search.backendProblems(kind, backend)
    )
    return Option.some(new InvalidParameters({ problems: [...problems, ...more] }))
  }

  const outcome = <E>(
    answer: Effect.Effect<HttpServerResponse.HttpServerResponse, E, HttpServerRequest.HttpServerRequest>,
    { requestId, target }: { readonly requestId: string; readonly target: string },
    failureOf: (error: unknown) => Option.Option<AnyFailure>
  ) =>
    Effect.catchAllCause(answer, (cause) => {
      if (Cause.isInterruptedOnly(cause)) return Effect.interrupt
      return Option.match(failureOf(Cause.squash(cause)), {
        onSome: (known) => Effect.as(logFailedAnswer(known), failureResponse(known)),
        onNone: () =>
          Effect.as(
            logDefect(cause, { sensitive: sensitiveOf(queryOf(target)) }),
            failureResponse(new InternalError({ request_id: requestId }))
          )
      })
    })

  /** Answers a route of the API. The request has already spent its budget. */
  const answerRoute = (
    request: HttpServerRequest.HttpServerRequest,
    app: HttpApp.Default<unknown>,
    target: string,
    route: Route | undefined
  ) =>
    Effect.gen(function* () {
      if (hasWrongHost(request)) return yield* new BadRequest()
      if (route === undefined) return yield* new NotFound()
      if (isPreflight(request)) {
        const headers = preflightHeaders(route.methods, request.headers["access-control-request-headers"])
        return HttpServerResponse.empty({ headers })
      }
      if (request.method === "OPTIONS")
        return HttpServerResponse.empty({ headers: { allow: route.methods.join(", ") } })
      if (!route.methods.includes(request.method)) return yield* new MethodNotAllowed({ allowed: route.methods })
      const rewritten = target === request.url ? request : request.modify({ url: target })
      return yield* Effect.provideService(app, HttpServerRequest.HttpServerRequest, rewritten)
    })

  /** Converts a request to a Fetch `Request`, the form that mounted apps take. */
  const toFetchRequest = (
    request: HttpServerRequest.HttpServerRequest,
    mountedApp: MountedApp,
    target: string,
    requestId: string
  ) =>
    Effect.gen(function* () {
      const host = request.headers["host"] ?? ""
      const base = `http://${host}`
      if (/[@/?#\\]/.test(host) || !canParseUrl(target, base)) return yield* new BadRequest()
      if (unsendable.test(request.method)) return yield* new MethodNotAllowed({ allowed: mountedApp.methods })
      const hasBody = request.method !== "GET" && request.method !== "HEAD"
      const bytes = hasBody ? yield* bytesOf(request) : null
      // The key is already checked, and mounted apps do not need it.
      const { authorization: _, ...headers } = request.headers
      return new Request(new URL(target, base), {
        method: request.method,
        headers: new Headers(Object.entries({ ...headers, "x-request-id": requestId })),
        ...(bytes === null || bytes.length === 0 ? {} : { body: bytes })
      })
    })

  const answerMountedApp = (
    request: HttpServerRequest.HttpServerRequest,
    mountedApp: MountedApp,
    target: string,
    client: string,
    requestId: string,
    spent: Ref.Ref<Budget>
  ) =>
    Effect.gen(function* () {
      if (isPreflight(request)) {
        const headers = preflightHeaders(mountedApp.methods, request.headers["access-control-request-headers"])
        return HttpServerResponse.empty({ headers })
      }
      const caller = remoteCaller(limiter, client, (budget) => Ref.set(spent, budget))
      if (mountedApp.everyMethod !== true) {
        const allowed = withImplied(mountedApp.methods)
        if (!allowed.includes(request.method) || request.method === "OPTIONS") {
          yield* caller.spend("info")
          if (request.method !== "OPTIONS") return yield* new MethodNotAllowed({ allowed })
          return HttpServerResponse.empty({ headers: { allow: allowed.join(", ") } })
        }
      }
      const asked = yield* Effect.tapError(toFetchRequest(request, mountedApp, target, requestId), () =>
        Effect.ignore(caller.spend("info"))
      )
      return yield* Effect.flatMap(mountedApp.handle(asked, caller), fromMountedApp)
    }).pipe(Effect.interruptible)

  return (app: HttpApp.Default<unknown>): HttpApp.Default =>
    Effect.gen(function* () {
      const request = yield* HttpServerRequest.HttpServerRequest
      const target = targetOf(request.url)
      const path = pathOf(target)
      const route = routes.get(path)
      const mountedApp = mounted.get(path)
      const requestId = yield* requestIdOf(request.headers["x-request-id"])
      const { client, isAuthorized: isKnown } = identityOf(request, settings)
      const record = makeRecord(requestId)
      const isKnownPath = route !== undefined || mountedApp !== undefined
      yield* logAccess({ request, requestId, client, route: isKnownPath ? path : null, notes: record.notes })
      const draining = yield* Ref.get(drain)

      const needsKey = !isKnown && !isPreflight(request) && (mountedApp !== undefined || path.startsWith("/api/"))
      const spendsNothing = draining || isPreflight(request) || (mountedApp !== undefined && !needsKey)
      const group = needsKey ? "info" : (route?.group ?? "info")
      const budget = yield* (spendsNothing ? limiter.peek : limiter.spend)(client, group)
      const spent = yield* Ref.make(budget)
      const answer = Effect.gen(function* () {
        if (draining) return yield* new ShuttingDown({ retry_after: restartSeconds })
        if (budget.exceeded !== null && !spendsNothing) return yield* budget.exceeded
        if (needsKey) return yield* new Unauthorized()
        return yield* mountedApp === undefined
          ? answerRoute(request, app, target, route)
          : answerMountedApp(request, mountedApp, target, client, requestId, spent)
      })
      const context = Context.add(Context.make(ClientKey, client), RequestRecord, record)
      const plain = yield* outcome(answer, { requestId, target }, (error) => asFailure(error, target, route)).pipe(
        Effect.provide(context)
      )
      const response = yield* compressed(request, plain)

      return HttpServerResponse.setHeaders(response, {
        ...budgetHeaders(yield* Ref.get(spent)),
        ...mergeVary(response.headers["vary"], corsHeaders(request.headers["origin"], settings.corsOrigins)),
        "x-request-id": requestId,
        "x-content-type-options": "nosniff",
        ...((yield* Ref.get(drain)) ? { connection: "close" } : {})
      })
    })
})
