import { Clock, Effect, Layer, Ref } from "effect"
import { regionOf, worldwide } from "../../src/domain/Region.ts"
import { type SearchKind } from "../../src/domain/SearchKind.ts"
import { EngineClient } from "../../src/services/engine/runtime/client/EngineClient.ts"
import { EngineHealth } from "../../src/services/engine/runtime/health/EngineHealth.ts"
import { EnginePages } from "../../src/services/engine/runtime/EnginePages.ts"
import { Engines } from "../../src/services/engine/Engines.ts"
import {
  type Engine,
  type EngineAnswer,
  type EngineQuery,
  type EngineRequest,
  fault,
  firstPage,
  type Parsed,
  type Source
} from "../../src/services/engine/Engine.ts"
import { isIrrelevant } from "../../src/services/search/Relevance.ts"
import { Settings } from "../../src/services/settings/Settings.ts"

/** A request as the engine made it, without keys, and its answer; null where none came. */
export interface Exchange {
  readonly request: EngineRequest
  readonly answer: EngineAnswer | null
}

/** What came of asking an engine for its first page. */
export interface Asked<K extends SearchKind> {
  readonly engine: Engine
  readonly kind: K
  readonly source: Source<K>
  readonly query: EngineQuery<K>
  readonly parsed: Parsed<K>
  readonly tookMs: number
  /** In the order sent: steps, the page, and those of the source's other way. */
  readonly exchanges: ReadonlyArray<Exchange>
}

type Whole = EngineQuery<"images"> & EngineQuery<"videos">

/** The query that the service makes of these words where no filter is given. `now` in milliseconds since 1970. */
export const queryOf = (kind: SearchKind, text: string, now: number): Whole => ({
  text,
  region: kind === "books" ? worldwide : regionOf("us-en"),
  safesearch: kind === "books" ? "off" : "moderate",
  timelimit: null,
  now,
  size: null,
  color: null,
  type_image: null,
  layout: null,
  resolution: null,
  duration: null,
  license_videos: null
})

/** Paces as the service does, and forgets how the engines fared: nobody rests. */
export const unrested = Layer.effect(
  EngineHealth,
  Effect.map(EngineHealth, (health) => ({
    ...health,
    record: (engine, ticket) => health.release(engine, ticket, true),
    distrust: () => Effect.void
  }))
).pipe(Layer.provide(EngineHealth.layerMemory))

/**
 * Asks as the service does (`Engines.ask`), within `SEARCH_TIMEOUT`, with the exchanges kept and no page from before.
 * As under `auto`, an answer of an engine that poisons is `irrelevant` when no word of the query is in it.
 */
export const ask = Effect.fn("ask")(function* <K extends SearchKind>(
  engine: Engine,
  kind: K,
  source: Source<K>,
  text: string
) {
  const client = yield* EngineClient
  const { searchTimeout } = yield* Settings
  const seen = yield* Ref.make<ReadonlyArray<Exchange>>([])
  const keep = (request: EngineRequest, answer: EngineAnswer | null) =>
    Ref.update(seen, (exchanges) => [...exchanges, { request, answer }])
  const recording = Layer.succeed(EngineClient, {
    send: (request) =>
      client.send(request).pipe(
        Effect.tap((answer) => keep(request, answer)),
        Effect.tapError(() => keep(request, null))
      )
  })
  const query = queryOf(kind, text, yield* Clock.currentTimeMillis)
  const asking = { timeoutMs: searchTimeout * 1_000, named: true, oldest: query.now }
  const { parsed, tookMs } = yield* Effect.flatMap(Engines, (engines) => {
    const candidate = engines.forKind(kind).find((one) => one.engine.name === engine.name)
    return candidate === undefined
      ? Effect.dieMessage(`${engine.name} is not available`)
      : engines.ask(candidate, query, firstPage, asking)
  }).pipe(Effect.provide(Engines.layerOf([engine]).pipe(Layer.provide([recording, EnginePages.layerMemory()]))))
  const isPoisoned = source.returnsUnrelatedResults === true && isIrrelevant(text, parsed)
  const asked: Asked<K> = {
    engine,
    kind,
    source,
    query,
    parsed: isPoisoned ? fault("irrelevant") : parsed,
    tookMs,
    exchanges: yield* Ref.get(seen)
  }
  return asked
})
