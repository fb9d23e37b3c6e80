import { Cache, Clock, Duration, Effect, Equal, Hash, Ref } from "effect"
import { type SearchAnswer } from "../../domain/Answer.ts"
import { InvalidParameters, type SearchError, SearchFailed, SearchTimedOut } from "../../domain/Failure.ts"
import { type QueryOf } from "../../domain/Query.ts"
import { type SearchKind } from "../../domain/SearchKind.ts"
import { type Candidate, type Engines } from "../Engines.ts"
import { type SettingsShape } from "../Settings.ts"
import { backendProblems, namedEngines } from "./Backend.ts"
import { engineQueries, filtersAsked } from "./EngineQueries.ts"
import { kinds } from "./Kinds.ts"
import { absorb, due, isWhole, openWindow, receipts, type Window } from "./Window.ts"

/** Engines of a kind asked at the same time. */
const fanOut = 8

/** Pages read of one engine for one request. */
const roundsPerRequest = 30

/** How long a window is kept for its next page; at least five minutes (contract, section 2). */
const windowLife = Duration.minutes(15)

/** Windows kept per kind. */
const windowCapacity = 256

/** A window that several requests share; whoever holds the lock reads on. */
interface Held<K extends SearchKind> {
  readonly openedAt: number
  readonly state: Ref.Ref<Window<K>>
  readonly lock: Effect.Semaphore
}

const backendOf = (query: QueryOf[SearchKind]): string => ("backend" in query ? query.backend : "auto")

/** A query whatever its page: what a window is found by. */
class WindowKey<K extends SearchKind> implements Equal.Equal {
  readonly query: QueryOf[K]
  readonly #text: string

  constructor(query: QueryOf[K]) {
    this.query = query
    const members = Object.entries(query).filter(([name]) => name !== "page" && name !== "max_results")
    this.#text = JSON.stringify(members.sort(([one], [other]) => (one < other ? -1 : 1)))
  }

  [Equal.symbol](that: Equal.Equal): boolean {
    return that instanceof WindowKey && that.#text === this.#text
  }

  [Hash.symbol](): number {
    return Hash.string(this.#text)
  }
}

/** Which engines are asked, and which are passed over because others honour the filters better. */
const choose = <K extends SearchKind>(all: ReadonlyArray<Candidate<K>>, query: QueryOf[K]) => {
  const named = namedEngines(backendOf(query))
  if (named !== null) return { asked: all.filter(({ name }) => named.includes(name)), passedOver: [] }
  const wanted = filtersAsked(query)
  const able = all.filter(({ source }) => wanted.every((filter) => source.honours.includes(filter)))
  return able.length === 0
    ? { asked: all, passedOver: [] }
    : { asked: able, passedOver: all.filter((one) => !able.includes(one)).map(({ name }) => name) }
}

export type KindSearch<K extends SearchKind> = (
  query: QueryOf[K]
) => Effect.Effect<SearchAnswer<K>, SearchError | InvalidParameters>

/**
 * The search of one kind. Each query has a window of fused results that grows as pages are asked for; whoever asks
 * the same at the same time waits for the one that is reading.
 */
export const makeKindSearch =
  (engines: Engines["Type"], settings: SettingsShape) =>
  <K extends SearchKind>(kind: K) =>
    Effect.gen(function* () {
      const timeoutMs = settings.searchTimeout * 1_000
      const candidates = engines.forKind(kind)

      const windows = yield* Cache.make({
        capacity: windowCapacity,
        timeToLive: windowLife,
        lookup: ({ query }: WindowKey<K>) =>
          Effect.gen(function* () {
            const { asked, passedOver } = choose(candidates, query)
            const held: Held<K> = {
              openedAt: yield* Clock.currentTimeMillis,
              state: yield* Ref.make(openWindow(asked, passedOver)),
              lock: yield* Effect.makeSemaphore(1)
            }
            return held
          })
      })

      /** A first page starts afresh, unless the window is being read right now or is good enough to be given again. */
      const windowFor = Effect.fnUntraced(function* (query: QueryOf[K], now: number) {
        const key = new WindowKey(query)
        const held = yield* windows.get(key)
        if (query.page > 1) return held
        const window = yield* Ref.get(held.state)
        const unread = window.progress.every(({ last }) => last === null)
        if (unread || (isWhole(window) && now - held.openedAt < settings.cacheTtl * 1_000)) return held
        yield* windows.invalidate(key)
        return yield* windows.get(key)
      })

      /** Reads rounds until `needed` results are there, the engines have no more, or the time is up. */
      const readOn = Effect.fnUntraced(function* (held: Held<K>, query: QueryOf[K], needed: number, deadline: number) {
        let asked = false
        for (let round = 0; round < roundsPerRequest; round++) {
          const now = yield* Clock.currentTimeMillis
          const window = yield* Ref.get(held.state)
          const next = due(window, now, timeoutMs)
          if (window.fused.length >= needed || next.length === 0 || deadline <= now) break
          asked = true
          const engineQuery = engineQueries[kind](query, now)
          const answered = yield* Effect.forEach(
            next,
            (progress) =>
              Effect.map(engines.ask(progress.candidate, engineQuery, progress.cursor, deadline - now), (reply) => ({
                progress,
                reply
              })),
            { concurrency: fanOut }
          )
          const then = yield* Clock.currentTimeMillis
          yield* Ref.update(held.state, (state) => absorb(kinds[kind], state, answered, then))
        }
        return asked
      })

      const search: KindSearch<K> = Effect.fn("Search.run")(function* (query) {
        yield* Effect.annotateCurrentSpan({ kind, page: query.page })
        const problems = backendProblems(
          backendOf(query),
          candidates.map(({ name }) => name)
        )
        if (problems.length > 0) return yield* new InvalidParameters({ problems })

        const started = yield* Clock.currentTimeMillis
        const held = yield* windowFor(query, started)
        const until = query.page * query.max_results
        const asked = yield* readOn(held, query, until, started + timeoutMs).pipe(
          held.lock.withPermits(1),
          // Engines keep to the deadline by themselves; this bounds the wait for somebody else's turn.
          Effect.timeoutTo({ duration: timeoutMs + 200, onTimeout: () => true, onSuccess: (asked) => asked })
        )
        const window = yield* Ref.get(held.state)
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
      return search
    })

const failure = (sources: ReturnType<typeof receipts>): SearchError => {
  const asked = sources.filter(({ outcome }) => outcome !== "unsupported")
  return asked.length > 0 && asked.every(({ outcome }) => outcome === "timeout")
    ? new SearchTimedOut({ sources })
    : new SearchFailed({ sources })
}
