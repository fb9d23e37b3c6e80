import { Clock, Effect, MutableRef } from "effect"
import { type SearchAnswer } from "../../domain/Answer.ts"
import { InvalidParameters, type SearchError, SearchFailed, SearchTimedOut } from "../../domain/Failure.ts"
import { type SourceReceipt } from "../../domain/Outcome.ts"
import { type QueryOf } from "../../domain/Query.ts"
import { type SearchKind } from "../../domain/SearchKind.ts"
import { type Engines } from "../engine/Engines.ts"
import { type SettingsShape } from "../settings/Settings.ts"
import { backendOf, backendProblems } from "./Backend.ts"
import { engineQueries } from "./EngineQueries.ts"
import { kinds } from "./Kinds.ts"
import { readRounds } from "./Rounds.ts"
import { planOf } from "./Plan.ts"
import { failedBefore, hasAnswer, isRead, openWindow, receipts, type Window } from "./Window.ts"
import { makeWindowStore } from "./WindowStore.ts"

/** Whole seconds until `at` (milliseconds since 1970), at least 1. */
const secondsUntil = (at: number, now: number): number => Math.max(1, Math.ceil((at - now) / 1_000))

const failure = (sources: ReadonlyArray<SourceReceipt>, retry: { readonly retry_after?: number }): SearchError => {
  const asked = sources.filter(({ outcome }) => !["unsupported", "suspended", "paced"].includes(outcome))
  return asked.length > 0 && asked.every(({ outcome }) => outcome === "timeout")
    ? new SearchTimedOut({ sources, ...retry })
    : new SearchFailed({ sources, ...retry })
}

/** Increments the count while the effect runs. */
const counted =
  (count: MutableRef.MutableRef<number>) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.acquireUseRelease(
      Effect.sync(() => MutableRef.increment(count)),
      () => effect,
      () => Effect.sync(() => MutableRef.decrement(count))
    )

export type KindSearch<K extends SearchKind> = (
  query: QueryOf[K]
) => Effect.Effect<SearchAnswer<K>, SearchError | InvalidParameters>

/**
 * The search of one kind. Each query has a window of fused results that grows as pages are requested. Concurrent
 * requests for the same query wait for the one that is reading.
 */
export const makeKindSearch = <K extends SearchKind>(
  kind: K,
  engines: Engines["Type"],
  settings: SettingsShape
): KindSearch<K> => {
  const timeoutMs = settings.searchTimeout * 1_000
  const candidates = engines.forKind(kind)
  const names = candidates.map(({ engine }) => engine.name)
  const windows = makeWindowStore<K>((query) => openWindow(planOf(kind, candidates, query)))
  const keptMs = settings.cacheTtl * 1_000

  /**
   * Whether a window can be served again: it has an answer, and each engine that failed `timeoutMs` ago or earlier
   * still rests. A window of named engines must not have such failures.
   */
  const isGood = (window: Window<K>, now: number) =>
    hasAnswer(window)
      ? Effect.every(failedBefore(window, now - timeoutMs), (name) =>
          window.isNamed ? Effect.succeed(false) : engines.resting(name)
        )
      : Effect.succeed(false)

  /** The outcome of each engine, with the end of the rest for suspended engines. */
  const receiptsOf = (window: Window<K>): Effect.Effect<ReadonlyArray<SourceReceipt>> =>
    Effect.forEach(receipts(window), (receipt) =>
      receipt.outcome !== "suspended"
        ? Effect.succeed(receipt)
        : Effect.map(engines.restsUntil(receipt.engine), (until) =>
            until === null ? receipt : { ...receipt, until: new Date(until).toISOString() }
          )
    )

  /** The earliest time for a retry, from the resting or `paced` engines of the plan; empty when unknown. */
  const retryOf = ({ progress }: Window<K>) =>
    Effect.gen(function* () {
      const times = yield* Effect.forEach(progress, ({ candidate: { engine }, last }) =>
        Effect.flatMap(engines.restsUntil(engine.name), (until) =>
          until === null && last?.outcome !== "paced" ? Effect.succeed(null) : engines.askableAt(engine)
        )
      )
      const known = times.filter((at) => at !== null)
      const now = yield* Clock.currentTimeMillis
      return known.length === 0 ? {} : { retry_after: secondsUntil(Math.min(...known), now) }
    })

  /** A first page opens a new window, unless the existing one is being read, or is good and newer than `keptMs`. */
  const windowFor = Effect.fnUntraced(function* (query: QueryOf[K], now: number) {
    const held = yield* windows.find(query, now)
    const window = MutableRef.get(held.state)
    if (query.page > 1 || !isRead(window) || MutableRef.get(held.readers) > 0) return held
    const isKept = now - held.openedAt < keptMs && (yield* isGood(window, now))
    return isKept ? held : yield* windows.renew(query, now)
  })

  return Effect.fn("Search.run")(function* (query) {
    yield* Effect.annotateCurrentSpan({ kind, page: query.page })
    const problems = backendProblems(backendOf(query), names)
    if (problems.length > 0) return yield* new InvalidParameters({ problems })

    const started = yield* Clock.currentTimeMillis
    const held = yield* windowFor(query, started)
    const until = query.page * query.max_results
    const asked = yield* readRounds({
      kind,
      engines,
      state: held.state,
      query: engineQueries[kind](query, started),
      needed: until,
      deadline: started + timeoutMs,
      timeoutMs,
      oldest: query.page > 1 ? 0 : started - keptMs
    }).pipe(
      held.lock.withPermits(1),
      counted(held.readers),
      // Reading keeps the deadline itself. This timeout bounds the wait for the lock.
      Effect.timeoutTo({ duration: timeoutMs + 200, onTimeout: () => true, onSuccess: (asked) => asked })
    )
    yield* windows.evict
    const window = MutableRef.get(held.state)
    const sources = yield* receiptsOf(window)
    const results = window.fused
      .slice(until - query.max_results, until)
      .map(({ engines, found }) => kinds[kind].item(found, engines))
    if (results.length === 0 && !sources.some(({ outcome }) => outcome === "ok" || outcome === "empty")) {
      return yield* failure(sources, yield* retryOf(window))
    }
    const answer: SearchAnswer<K> = {
      success: true,
      query: query.q,
      results_count: results.length,
      results,
      page: query.page,
      sources,
      took_ms: (yield* Clock.currentTimeMillis) - started,
      cached: !asked
    }
    return answer
  })
}
