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

/** An engine seen as a source of one kind. */
export interface Candidate<K extends SearchKind> {
  readonly kind: K
  readonly engine: Engine
  readonly source: Source<K>
}

/** What came of asking an engine for one of its pages. */
export interface Reply<K extends SearchKind> {
  readonly parsed: Parsed<K>
  readonly tookMs: number
  /** Whether it was kept from an earlier request. */
  readonly fromCache: boolean
}

export interface AskOptions {
  /** Waiting for the engine's pace included. */
  readonly timeoutMs: number
  /** Named by the user: asked even when it rests, and waited for when its pace is used up. */
  readonly named: boolean
  /** Milliseconds since 1970: pages kept from before that will not do. */
  readonly oldest: number
}

/** Items of one page; no honest page has more. */
const mostItems = 300

/** Requests for one page before the one that brings it. */
const mostSteps = 3

/** Milliseconds; who is late after less time than that may still be in good health. */
const enoughMs = 1_000

/** Faults that another way of asking may not have: never a refusal. */
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

/** No engine, whoever wrote it, fails an answer by what it makes: its wrong items are left out, its surplus cut. */
const checked = <K extends SearchKind>(kind: K, source: Source<K>): Source<K> => ({
  ...source,
  parse: (answer, query, cursor) => {
    const parsed = source.parse(answer, query, cursor)
    if (parsed._tag !== "Results") return parsed
    const items = parsed.items.filter(isItem[kind]).slice(0, mostItems)
    return items.length === 0 ? fault("layout_changed") : { ...parsed, items }
  }
})

/** The engines of this server, and the one way to ask them: no answer of theirs fails or throws. */
export class Engines extends Context.Tag("quarry/Engines")<
  Engines,
  {
    /** Those that have the kind and their keys and are not disabled, those that welcome programs first. */
    readonly forKind: <K extends SearchKind>(kind: K) => ReadonlyArray<Candidate<K>>
    /** Asks for one page; ends within `timeoutMs`, with the fault `timeout` then. */
    readonly ask: <K extends SearchKind>(
      candidate: Candidate<K>,
      query: EngineQuery<K>,
      cursor: Cursor,
      asking: AskOptions
    ) => Effect.Effect<Reply<K>>
    /** Whether an engine would answer `suspended` now, unless it is named. */
    readonly resting: (name: string) => Effect.Effect<boolean>
    /** When its rest ends, in milliseconds since 1970; null where it does not rest, or is due for its probe. */
    readonly restsUntil: (name: string) => Effect.Effect<number | null>
    /** When an engine that rests or has used up its pace may be asked again; null where nothing stands against it. */
    readonly askableAt: (engine: Engine) => Effect.Effect<number | null>
    /** An answer of it, not one from the cache, was found `irrelevant`. */
    readonly distrust: (name: string) => Effect.Effect<void>
    /** A search ended without its answer, so many milliseconds after it was asked. */
    readonly late: (name: string, waitedMs: number) => Effect.Effect<void>
    /** Why engines of the registry are not there, by name. */
    readonly leftOut: Effect.Effect<Readonly<Record<string, string>>>
    /** Every engine, in the order of the registry. */
    readonly report: Effect.Effect<ReadonlyArray<EngineReport>>
  }
>() {
  /** These engines and no others: how a program brings its own. */
  static readonly layerOf = (list: ReadonlyArray<Engine>) =>
    Layer.effect(
      Engines,
      Effect.gen(function* () {
        const { engineKeys, enginesDisabled } = yield* Settings
        const health = yield* EngineHealth
        const pages = yield* EnginePages
        const attempts = yield* makeAttempts(enoughMs)
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

        /** One page, by as many steps as the engine needs. */
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

        /** A page, or why there is none; no defect of an engine's own code passes. */
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

        /** The same, begun anew in the source's other way where the first cannot be had. */
        const bestAttempt = <K extends SearchKind>(
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
            Effect.timeoutTo(bestAttempt(kind, attempt, source, query, cursor), {
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
          late: (name, waitedMs) => Effect.when(health.late(name), () => waitedMs >= enoughMs),
          report: Effect.forEach(profiles, (profile) =>
            Effect.map(health.look(profile.name), (state) => reportOf(profile, state))
          )
        }
      })
    )

  static readonly layer = Engines.layerOf(engines)
}
