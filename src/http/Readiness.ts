import { Clock, Effect } from "effect"
import { type EngineReport } from "../domain/EngineReport.ts"
import { NotReady } from "../domain/Failure.ts"
import { type Ready } from "../domain/Info.ts"
import { type SearchKind } from "../domain/SearchKind.ts"
import { Engines } from "../services/engine/Engines.ts"
import { Health } from "../services/health/Health.ts"

/** Retry delay in seconds for a kind that has no engine at all. Only a restart can add one. */
const withoutEngine = 60

/** Seconds until the first resting engine of a kind can be asked again. */
const waitFor = (kind: SearchKind, engines: ReadonlyArray<EngineReport>, now: number): number => {
  const ends = engines.flatMap(({ kinds, rest }) =>
    kinds[kind] === null || rest === null ? [] : [Date.parse(rest.until)]
  )
  return ends.length === 0 ? withoutEngine : Math.max(1, Math.ceil((Math.min(...ends) - now) / 1_000))
}

/** Succeeds when every kind of search has a usable engine. Fails with the kinds that have none. */
export const makeReady = Effect.map(Effect.all([Health, Engines]), ([{ readiness }, { report }]) =>
  Effect.gen(function* () {
    const kinds = yield* readiness
    if (kinds.length === 0) return { success: true, status: "ready" } satisfies typeof Ready.Type
    const engines = yield* report
    const now = yield* Clock.currentTimeMillis
    return yield* new NotReady({ kinds, retry_after: Math.max(...kinds.map((kind) => waitFor(kind, engines, now))) })
  })
)
