import { Clock, Effect, MutableRef } from "effect"
import { type SearchAnswer } from "../../domain/Answer.ts"
import { InvalidParameters, type SearchError, SearchFailed, SearchTimedOut } from "../../domain/Failure.ts"
import { type QueryOf } from "../../domain/Query.ts"
import { type SearchKind } from "../../domain/SearchKind.ts"
import { type Candidate, type Engines } from "../Engines.ts"
import { type SettingsShape } from "../Settings.ts"
import { backendProblems, namedEngines } from "./Backend.ts"
import { engineQueries, filtersAsked } from "./EngineQueries.ts"
import { kinds } from "./Kinds.ts"
import { readRounds } from "./Rounds.ts"
import { isWhole, openWindow, receipts } from "./Window.ts"
import { makeWindowStore } from "./WindowStore.ts"

const backendOf = (query: QueryOf[SearchKind]): string => ("backend" in query ? query.backend : "auto")

/** Which engines are asked, and which are passed over because others honour the filters better. */
const choose = <K extends SearchKind>(kind: K, all: ReadonlyArray<Candidate<K>>, query: QueryOf[K]) => {
  const named = namedEngines(backendOf(query))
  if (named !== null) return { asked: all.filter(({ engine }) => named.includes(engine.name)), passedOver: [] }
  const wanted = filtersAsked(query)
  const asked = engineQueries[kind](query, 0)
  const able = all.filter(({ source }) => {
    const lacking = source.lacks?.(asked) ?? []
    return wanted.every((filter) => source.honours.includes(filter) && !lacking.includes(filter))
  })
  return able.length === 0
    ? { asked: all, passedOver: [] }
    : { asked: able, passedOver: all.filter((one) => !able.includes(one)).map(({ engine }) => engine.name) }
}

const failure = (sources: ReturnType<typeof receipts>): SearchError => {
  const asked = sources.filter(({ outcome }) => outcome !== "unsupported")
  return asked.length > 0 && asked.every(({ outcome }) => outcome === "timeout")
    ? new SearchTimedOut({ sources })
    : new SearchFailed({ sources })
}

export type KindSearch<K extends SearchKind> = (
  query: QueryOf[K]
) => Effect.Effect<SearchAnswer<K>, SearchError | InvalidParameters>

/**
 * The search of one kind. Each query has a window of fused results that grows as pages are asked for; whoever asks
 * the same at the same time waits for the one that is reading.
 */
export const makeKindSearch = <K extends SearchKind>(
  kind: K,
  engines: Engines["Type"],
  settings: SettingsShape
): KindSearch<K> => {
  const timeoutMs = settings.searchTimeout * 1_000
  const candidates = engines.forKind(kind)
  const names = candidates.map(({ engine }) => engine.name)
  const windows = makeWindowStore<K>((query) => {
    const { asked, passedOver } = choose(kind, candidates, query)
    return openWindow(asked, passedOver)
  })

  /** A first page starts afresh, unless the window is being read right now or is good enough to be given again. */
  const windowFor = Effect.fnUntraced(function* (query: QueryOf[K], now: number) {
    const held = yield* windows.find(query, now)
    const window = MutableRef.get(held.state)
    const isUnread = window.progress.every(({ last }) => last === null)
    const isGood = isWhole(window) && now - held.openedAt < settings.cacheTtl * 1_000
    return query.page > 1 || isUnread || isGood ? held : yield* windows.renew(query, now)
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
      timeoutMs
    }).pipe(
      held.lock.withPermits(1),
      // Reading keeps to the deadline by itself; this bounds the wait for somebody else's turn.
      Effect.timeoutTo({ duration: timeoutMs + 200, onTimeout: () => true, onSuccess: (asked) => asked })
    )
    yield* windows.settle
    const window = MutableRef.get(held.state)
    const sources = receipts(window)
    const results = window.fused
      .slice(until - query.max_results, until)
      .map(({ engines, found }) => kinds[kind].item(found, engines))
    if (results.length === 0 && !sources.some(({ outcome }) => outcome === "ok" || outcome === "empty")) {
      return yield* failure(sources)
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
