import { type HttpServerRequest } from "@effect/platform"
import { NodeHttpServerRequest } from "@effect/platform-node"
import { Clock, Effect, FiberRef, LogLevel, MutableRef } from "effect"
import { createHmac, randomBytes } from "node:crypto"
import { type Notes, flatOutcomes } from "../services/logging/RequestRecord.ts"
import { type SettingsShape } from "../services/settings/Settings.ts"

/** What is known of a request before it is answered. */
interface Begun {
  readonly request: HttpServerRequest.HttpServerRequest
  readonly requestId: string
  /** The route's pattern; null for a path that is none of ours, which is never logged. */
  readonly route: string | null
  readonly client: string
  readonly notes: MutableRef.MutableRef<Notes>
}

/** Hexadecimal digits of a client's hash: enough to tell clients apart. */
const hashDigits = 12

/** In production clients are hashed by a key that ends with the process, so that no log tells their addresses. */
const shownClient = (environment: SettingsShape["environment"]): ((client: string) => string) => {
  if (environment === "development") return (client) => client
  const key = randomBytes(32)
  return (client) => createHmac("sha256", key).update(client).digest("hex").slice(0, hashDigits)
}

/** What proxies log for a request whose client left before it had an answer. */
const clientGone = 499

/** The status of the answer, when it has ended in whatever way. */
const ended = (request: HttpServerRequest.HttpServerRequest): Effect.Effect<number> =>
  Effect.async<number>((resume) => {
    const response = NodeHttpServerRequest.toServerResponse(request)
    const end = () => {
      resume(Effect.succeed(response.headersSent ? response.statusCode : clientGone))
    }
    if (response.closed) return end()
    response.once("close", end)
  })

const isHeard = Effect.map(FiberRef.get(FiberRef.currentMinimumLogLevel), (least) =>
  LogLevel.lessThanEqual(least, LogLevel.Info)
)

const optional = ({ calls, engines, targets }: Notes) => ({
  ...(calls.length === 0 ? {} : { calls }),
  ...(Object.keys(engines).length === 0 ? {} : { engines: flatOutcomes(engines) }),
  ...(targets.length === 0 ? {} : { targets })
})

/**
 * Writes one line for each request, when its answer has ended: streams are noted whole. Takes no time where nobody
 * listens to `info`.
 */
export const makeAccessLog = ({ environment }: Pick<SettingsShape, "environment">) => {
  const shown = shownClient(environment)
  const line = ({ client, notes, request, requestId, route }: Begun, started: number) =>
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
  return (begun: Begun): Effect.Effect<void> =>
    Effect.whenEffect(
      Effect.flatMap(Clock.currentTimeMillis, (started) => Effect.forkDaemon(line(begun, started))),
      isHeard
    )
}
