import { Cause, Effect, HashMap, Layer, Option, Ref } from "effect"
import { InternalError } from "../../domain/Failure.ts"
import { engineListOf } from "../../domain/Info.ts"
import { Content } from "../../services/content/Content.ts"
import { Engines } from "../../services/engine/Engines.ts"
import { logDefect, logFailedAnswer } from "../../services/logging/FailureLog.ts"
import { Health } from "../../services/health/Health.ts"
import { noteCall } from "../../services/logging/RequestRecord.ts"
import { Search } from "../../services/search/Search.ts"
import { isFailure } from "../FailureResponse.ts"
import { makeReady } from "../Readiness.ts"
import { Calls, Procedures } from "../Rpc.ts"
import { Posts } from "./RpcProtocol.ts"

const procedures = Procedures.toLayer(
  Effect.gen(function* () {
    const { all, run, stream } = yield* Search
    const { fetch, fetchAll } = yield* Content
    const health = yield* Health
    const engines = yield* Engines
    const ready = yield* makeReady
    return {
      text: (query) => run("text", query),
      images: (query) => run("images", query),
      videos: (query) => run("videos", query),
      news: (query) => run("news", query),
      books: (query) => run("books", query),
      all: (query) => all(query),
      searchAll: stream,
      fetch,
      fetchMultiple: (request) => fetchAll(request),
      health: () => health.report,
      ready: () => ready,
      engines: () => Effect.map(engines.report, engineListOf)
    }
  })
)

/** Runs a call in the context of the POST that sent it. Logs a defect; the caller gets only the request id. */
const calls = Layer.effect(
  Calls,
  Effect.map(
    Posts,
    (posts) =>
      ({ clientId, headers, next, rpc }) =>
        Effect.gen(function* () {
          const post = HashMap.get(yield* Ref.get(posts), clientId)
          // The response has already ended.
          if (Option.isNone(post)) return yield* Effect.interrupt
          const request_id = headers["x-request-id"] ?? ""
          return yield* Effect.zipRight(noteCall(rpc._tag), next).pipe(
            Effect.tapError((failure) => (isFailure(failure) ? logFailedAnswer(failure) : Effect.void)),
            Effect.catchSomeCause((cause) =>
              Cause.isDie(cause)
                ? Option.some(
                    Effect.zipRight(
                      logDefect(cause, { annotations: { request_id, procedure: rpc._tag } }),
                      new InternalError({ request_id })
                    )
                  )
                : Option.none()
            ),
            Effect.provide(post.value.context)
          )
        })
  )
)

/** Handlers of the procedures. */
export const rpcHandlers = Layer.merge(procedures, calls)
