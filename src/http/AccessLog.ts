import { type HttpServerRequest } from "@effect/platform"
import { NodeHttpServerRequest } from "@effect/platform-node"
import { Clock, Effect, FiberRef, LogLevel, MutableRef } from "effect"
import { createHmac, randomBytes } from "node:crypto"
import { type Notes, flatOutcomes } from "../services/logging/RequestRecord.ts"
import { type SettingsShape } from "../services/settings/Settings.ts"

/** Request data that is available before the response. */
interface RequestStart {
  readonly request: HttpServerRequest.HttpServerRequest
  readonly requestId: string
  /** Path of a known route or mounted app. Null for an unknown path, which is never logged. */
  readonly route: string | null
  readonly client: string
  readonly notes: MutableRef.MutableRef<Notes>
}

/** Hexadecimal digits kept of a client's hash: enough to tell clients apart. */
const hashDigits = 12

/**
 * Hashes clients in production with a random key that exists only as long as the process, so that logs do not reveal
 * addresses.
 */
const loggedClient = (environment: SettingsShape["environment"]): ((client: string) => string) => {
  if (environment === "development") return (client) => client
  const key = randomBytes(32)
  return (client) => createHmac("sha256", key).update(client).digest("hex").slice(0, hashDigits)
}

/** Status that proxies log when a client disconnects before it gets a response. */
const clientGone = 499

/** Returns the response status after the response has closed, for any reason. */
const ended = (request: HttpServerRequest.HttpServerRequest): Effect.Effect<number> =>
  Effect.async<number>((resume) => {
    const response = NodeHttpServerRequest.toServerResponse(request)
    const end = () => {
      resume(Effect.succeed(response.headersSent ? response.statusCode : clientGone))
    }
    if (response.closed) return end()
    response.once("close", end)
  })

const isInfoEnabled = Effect.map(FiberRef.get(FiberRef.currentMinimumLogLevel), (least) =>
  LogLevel.lessThanEqual(least, LogLevel.Info)
)

const optional = ({ calls, engines, targets }: Notes) => ({
  ...(calls.length === 0 ? {} : { calls }),
  ...(Object.keys(engines).length === 0 ? {} : { engines: flatOutcomes(engines) }),
  ...(targets.length === 0 ? {} : { targets })
})

/**
 * Writes one line per request after its response has closed, so that streams are measured in full. Does nothing when
 * the `info` level is disabled.
 */
export const makeAccessLog = ({ environment }: Pick<SettingsShape, "environment">) => {
  const shown = loggedClient(environment)
  const line = ({ client, notes, request, requestId, route }: RequestStart, started: number) =>
    Effect.gen(function* () {
      const status = yield* ended(request)
      const ms = (yield* Clock.currentTimeMillis) - started
      yield* Effect.annotateLogs(Effect.logInfo("request"), {
        request_id: requestId,
        method: request.method,
        route: route ?? "unknown",
        status,
        ms,
        client: shown(client),
        ...optional(MutableRef.get(notes))
      })
    })
  return (begun: RequestStart): Effect.Effect<void> =>
    Effect.whenEffect(
      Effect.flatMap(Clock.currentTimeMillis, (started) => Effect.forkDaemon(line(begun, started))),
      isInfoEnabled
    )
}
