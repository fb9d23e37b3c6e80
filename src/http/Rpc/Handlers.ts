import { Cause, Effect, Layer, Option } from "effect"
import { InternalError } from "../../domain/Failure.ts"
import { engineListOf } from "../../domain/Info.ts"
import { ClientKey } from "../../services/ClientKey.ts"
import { Content } from "../../services/Content.ts"
import { Engines } from "../../services/Engines.ts"
import { Health } from "../../services/Health.ts"
import { Search } from "../../services/Search.ts"
import { makeReady } from "../Readiness.ts"
import { Calls, Procedures } from "../Rpc.ts"
import { clientHeader } from "./Protocol.ts"

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

/** Runs a call for whom it was sent by. A defect is told to the log, and to the caller no more than the request id. */
const calls = Layer.succeed(Calls, ({ headers, next, rpc }) =>
  Effect.catchSomeCause(Effect.provideService(next, ClientKey, headers[clientHeader] ?? ""), (cause) => {
    if (!Cause.isDie(cause)) return Option.none()
    const request_id = headers["x-request-id"] ?? ""
    return Option.some(
      Effect.zipRight(
        Effect.logError("defect", cause).pipe(Effect.annotateLogs({ request_id, procedure: rpc._tag })),
        new InternalError({ request_id })
      )
    )
  })
)

/** The procedures over the services. */
export const rpcHandlers = Layer.merge(procedures, calls)
