import { Clock, Context, Effect, Layer, Schema } from "effect"
import { type EngineFault } from "../domain/Outcome.ts"
import { BookItem, type Found, ImageItem, NewsItem, TextItem, VideoItem } from "../domain/ResultItem.ts"
import { type SearchKind } from "../domain/SearchKind.ts"
import { EngineClient } from "./EngineClient.ts"
import { readAnswer } from "./Engines/Answer.ts"
import { type Cursor, type Engine, type EngineQuery, fault, type Parsed, type Source } from "./Engines/Engine.ts"
import { engines, enginesFor } from "./Engines/registry.ts"
import { Settings } from "./Settings.ts"

/** An engine seen as a source of one kind. */
export interface Candidate<K extends SearchKind> {
  readonly name: string
  readonly weight: number
  readonly source: Source<K>
}

/** What came of asking an engine for one of its pages. */
export interface Reply<K extends SearchKind> {
  readonly parsed: Parsed<K>
  readonly tookMs: number
}

/** Items of one page; no honest page has more. */
const mostItems = 300

const isItem: { readonly [K in SearchKind]: (found: Found<K>) => boolean } = {
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
    /** Those that have the kind and are not disabled, those that welcome programs first. */
    readonly forKind: <K extends SearchKind>(kind: K) => ReadonlyArray<Candidate<K>>
    /** Asks for one page; ends within `timeoutMs`, with the fault `timeout` then. */
    readonly ask: <K extends SearchKind>(
      candidate: Candidate<K>,
      query: EngineQuery<K>,
      cursor: Cursor,
      timeoutMs: number
    ) => Effect.Effect<Reply<K>>
  }
>() {
  /** These engines and no others: how a program brings its own. */
  static readonly layerOf = (list: ReadonlyArray<Engine>) =>
    Layer.effect(
      Engines,
      Effect.gen(function* () {
        const client = yield* EngineClient
        const { enginesDisabled } = yield* Settings
        const enabled = list.filter((engine) => !enginesDisabled.has(engine.name))

        const forKind = <K extends SearchKind>(kind: K): ReadonlyArray<Candidate<K>> =>
          enginesFor(kind, enabled).map(({ engine, source }) => ({
            name: engine.name,
            weight: engine.weight,
            source: checked(kind, source)
          }))

        const ask = Effect.fn("Engines.ask")(function* <K extends SearchKind>(
          { name, source }: Candidate<K>,
          query: EngineQuery<K>,
          cursor: Cursor,
          timeoutMs: number
        ) {
          yield* Effect.annotateCurrentSpan({ engine: name, page: cursor.page })
          const started = yield* Clock.currentTimeMillis
          const outcome = (reason: EngineFault): Parsed<K> => fault(reason)
          const parsed: Parsed<K> = yield* Effect.suspend(() => client.send(source.request(query, cursor))).pipe(
            Effect.map((answer) => readAnswer(source, answer, query, cursor)),
            Effect.catchTag("EngineUnreachable", (unreachable) =>
              Effect.as(
                Effect.logDebug("engine unreachable", unreachable.cause).pipe(Effect.annotateLogs({ engine: name })),
                outcome(unreachable.fault)
              )
            ),
            Effect.catchAllDefect((defect) =>
              Effect.as(
                Effect.logError("engine defect", defect).pipe(Effect.annotateLogs({ engine: name })),
                outcome("layout_changed")
              )
            ),
            Effect.timeoutTo({
              duration: timeoutMs,
              onTimeout: () => outcome("timeout"),
              onSuccess: (reply) => reply
            })
          )
          return { parsed, tookMs: (yield* Clock.currentTimeMillis) - started }
        })

        return { forKind, ask }
      })
    )

  static readonly layer = Engines.layerOf(engines)
}
