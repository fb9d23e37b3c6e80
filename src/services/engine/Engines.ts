import { Cause, Clock, Context, Effect, Layer, Schema } from "effect"
import { type EngineReport } from "../../domain/EngineReport.ts"
import { type EngineFault } from "../../domain/Outcome.ts"
import { BookItem, type RawResult, ImageItem, NewsItem, TextItem, VideoItem } from "../../domain/ResultItem.ts"
import { type SearchKind } from "../../domain/SearchKind.ts"
import { EngineHealth } from "./runtime/health/EngineHealth.ts"
import { askableAt, isResting, restsUntil } from "./runtime/health/State.ts"
import { EnginePages } from "./runtime/EnginePages.ts"
import { readAnswer } from "./runtime/ParsedAnswer.ts"
import { type Cursor, type Engine, type EngineQuery, fault, firstPage, type Parsed, type Source } from "./Engine.ts"
import { type Attempt, makeAttempts } from "./runtime/Attempt.ts"
import { engines, enginesFor } from "./catalogue/registry.ts"
import { profileOf, reportOf } from "./runtime/EngineReports.ts"
import { logDefect } from "../logging/FailureLog.ts"
import { redactedCause } from "../logging/Redaction.ts"
import { Settings } from "../settings/Settings.ts"
import { hasItsKeys, missingKeys } from "../settings/EngineKeys.ts"

/** An engine and its source for one kind. */
export interface Candidate<K extends SearchKind> {
  readonly kind: K
  readonly engine: Engine
  readonly source: Source<K>
}

/** The outcome of a request for one page. */
export interface Reply<K extends SearchKind> {
  readonly parsed: Parsed<K>
  readonly tookMs: number
  /** Whether the page came from the cache. */
  readonly fromCache: boolean
}

export interface AskOptions {
  /** Includes the wait for a token of the engine's rate limit. */
  readonly timeoutMs: number
  /** Whether the user named the engine. It is then queried even while it rests, and a missing token is waited for. */
  readonly named: boolean
  /** Milliseconds since 1970. Pages cached before this time are ignored. */
  readonly oldest: number
}

/** Maximum items of one page. No legitimate page has more. */
const mostItems = 300

/** Maximum intermediate requests before the request that returns the page. */
const mostSteps = 3

/** Milliseconds. A timeout does not count against an engine that had less time than this. */
const minBlameMs = 1_000

/** Faults for which the `fallback` cursor is tried. None of them is a refusal. */
const unreadable: ReadonlySet<EngineFault> = new Set([
  "layout_changed",
  "http_status",
  "dns_error",
  "connect_error",
  "tls_error"
])

const isUnreadable = <K extends SearchKind>(parsed: Parsed<K>): boolean =>
  parsed._tag === "Fault" && unreadable.has(parsed.fault)

const isItem: { readonly [K in SearchKind]: (found: RawResult<K>) => boolean } = {
  text: Schema.is(TextItem.omit("engines")),
  images: Schema.is(ImageItem.omit("engines")),
  videos: Schema.is(VideoItem.omit("engines")),
  news: Schema.is(NewsItem.omit("engines")),
  books: Schema.is(BookItem.omit("engines"))
}

/**
 * Drops items that do not match their schema and limits their number, so that a faulty parser cannot break an answer.
 */
const checked = <K extends SearchKind>(kind: K, source: Source<K>): Source<K> => ({
  ...source,
  parse: (answer, query, cursor) => {
    const parsed = source.parse(answer, query, cursor)
    if (parsed._tag !== "Results") return parsed
    const items = parsed.items.filter(isItem[kind]).slice(0, mostItems)
    return items.length === 0 ? fault("layout_changed") : { ...parsed, items }
  }
})

/** The enabled engines and the only way to query them. Queries never fail or throw: each problem is a `Fault`. */
export class Engines extends Context.Tag("quarry/Engines")<
  Engines,
  {
    /** The enabled engines of a kind that have their required keys, in registry order, `api` before `page`. */
    readonly forKind: <K extends SearchKind>(kind: K) => ReadonlyArray<Candidate<K>>
    /** Requests one page. Ends within `timeoutMs`, with the fault `timeout` when the engine is slower. */
    readonly ask: <K extends SearchKind>(
      candidate: Candidate<K>,
      query: EngineQuery<K>,
      cursor: Cursor,
      asking: AskOptions
    ) => Effect.Effect<Reply<K>>
    /** Whether the engine would return `suspended` now to a search that does not name it. */
    readonly resting: (name: string) => Effect.Effect<boolean>
    /** When the engine's rest ends, in milliseconds since 1970; null when it does not rest or is due for its probe. */
    readonly restsUntil: (name: string) => Effect.Effect<number | null>
    /** When the engine may be queried again, in milliseconds since 1970; null when it may be queried now. */
    readonly askableAt: (engine: Engine) => Effect.Effect<number | null>
    /** Records that an answer of the engine was `irrelevant`. Not to be called for cached answers. */
    readonly distrust: (name: string) => Effect.Effect<void>
    /** Records that a search ended without an answer of the engine, `waitedMs` milliseconds after the request. */
    readonly late: (name: string, waitedMs: number) => Effect.Effect<void>
    /** Reasons why engines of the registry are unavailable, by engine name. */
    readonly leftOut: Effect.Effect<Readonly<Record<string, string>>>
    /** Every enabled engine, in registry order. */
    readonly report: Effect.Effect<ReadonlyArray<EngineReport>>
  }
>() {
  /** Serves exactly these engines, for programs that bring their own. */
  static readonly layerOf = (list: ReadonlyArray<Engine>) =>
    Layer.effect(
      Engines,
      Effect.gen(function* () {
        const { engineKeys, enginesDisabled } = yield* Settings
        const health = yield* EngineHealth
        const pages = yield* EnginePages
        const attempts = yield* makeAttempts(minBlameMs)
        const enabled = list.filter((engine) => !enginesDisabled.has(engine.name) && hasItsKeys(engine, engineKeys))

        const leftOut = Object.fromEntries(
          list
            .filter((engine) => !enabled.includes(engine))
            .map((engine) => [
              engine.name,
              enginesDisabled.has(engine.name) ? "disabled" : `needs ${missingKeys(engine, engineKeys).join(" and ")}`
            ])
        )

        const profiles = enabled.map(profileOf)

        const forKind = <K extends SearchKind>(kind: K): ReadonlyArray<Candidate<K>> =>
          enginesFor(kind, enabled).map(({ engine, source }) => ({ kind, engine, source: checked(kind, source) }))

        /** Requests one page, including its intermediate steps. */
        const page = Effect.fnUntraced(function* <K extends SearchKind>(
          attempt: Attempt,
          source: Source<K>,
          query: EngineQuery<K>,
          cursor: Cursor
        ) {
          let at = cursor
          for (let taken = 0; taken <= mostSteps; taken += 1) {
            const answer = yield* attempts.send(attempt, source.request(query, at))
            const reading = readAnswer(source, answer, query, at)
            if (reading._tag !== "Step") return reading
            at = reading.cursor
          }
          return fault("layout_changed")
        })

        /** Reads a page. Connection failures and defects in an engine's code become faults. */
        const readPage = <K extends SearchKind>(
          kind: K,
          attempt: Attempt,
          source: Source<K>,
          query: EngineQuery<K>,
          cursor: Cursor
        ): Effect.Effect<Parsed<K>> =>
          Effect.suspend(() => page(attempt, source, query, cursor)).pipe(
            Effect.catchTag("EngineUnreachable", (unreachable) =>
              Effect.as(
                Effect.logDebug("engine unreachable", redactedCause(Cause.fail(unreachable.cause), [query.text])).pipe(
                  Effect.annotateLogs({ engine: attempt.engine.name, kind })
                ),
                fault(unreachable.fault)
              )
            ),
            Effect.catchAllDefect((defect) =>
              Effect.as(
                logDefect(Cause.die(defect), {
                  message: "engine defect",
                  annotations: { engine: attempt.engine.name, kind },
                  sensitive: [query.text]
                }),
                fault("layout_changed")
              )
            )
          )

        /** Reads a page, and retries with the `fallback` cursor when the first page is unreadable. */
        const readPageWithFallback = <K extends SearchKind>(
          kind: K,
          attempt: Attempt,
          { fallback, ...source }: Source<K>,
          query: EngineQuery<K>,
          cursor: Cursor
        ): Effect.Effect<Parsed<K>> =>
          Effect.flatMap(readPage(kind, attempt, source, query, cursor), (parsed) =>
            cursor === firstPage && fallback !== undefined && isUnreadable(parsed)
              ? readPage(kind, attempt, source, query, fallback)
              : Effect.succeed(parsed)
          )

        const ask = Effect.fn("Engines.ask")(function* <K extends SearchKind>(
          { engine, kind, source }: Candidate<K>,
          query: EngineQuery<K>,
          cursor: Cursor,
          { named, oldest, timeoutMs }: AskOptions
        ) {
          yield* Effect.annotateCurrentSpan({ engine: engine.name, page: cursor.page })
          const started = yield* Clock.currentTimeMillis
          const key = { engine: engine.name, kind, query, cursor }
          const kept = yield* pages.get(key, oldest)
          if (kept !== null) {
            return { parsed: kept, tookMs: (yield* Clock.currentTimeMillis) - started, fromCache: true }
          }
          const parsed = yield* attempts.permitted(engine, { named, timeoutMs }, (attempt) =>
            Effect.timeoutTo(readPageWithFallback(kind, attempt, source, query, cursor), {
              duration: timeoutMs,
              onTimeout: (): Parsed<K> => fault("timeout"),
              onSuccess: (parsed) => parsed
            })
          )
          if (parsed._tag !== "Fault") yield* pages.put(key, parsed)
          return { parsed, tookMs: (yield* Clock.currentTimeMillis) - started, fromCache: false }
        })

        return {
          forKind,
          leftOut: Effect.succeed(leftOut),
          ask,
          resting: (name) =>
            Effect.zipWith(health.look(name), Clock.currentTimeMillis, (state, now) => isResting(state, now)),
          restsUntil: (name) => Effect.zipWith(health.look(name), Clock.currentTimeMillis, restsUntil),
          askableAt: ({ name, pace }) =>
            Effect.zipWith(health.look(name), Clock.currentTimeMillis, (state, now) => askableAt(state, pace, now)),
          distrust: health.distrust,
          late: (name, waitedMs) =>
            Effect.when(health.late(name), () => waitedMs >= minBlameMs && !attempts.isConnecting(name)),
          report: Effect.forEach(profiles, (profile) =>
            Effect.map(health.look(profile.name), (state) => reportOf(profile, state))
          )
        }
      })
    )

  static readonly layer = Engines.layerOf(engines)
}
