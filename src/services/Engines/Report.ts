import { type EngineReport } from "../../domain/EngineReport.ts"
import { type EngineState } from "../EngineHealth/State.ts"
import { percentile, type Tally } from "../EngineHealth/Tally.ts"
import { type Engine, type Filter } from "./Engine.ts"

const iso = (ms: number): string => new Date(ms).toISOString()

const honoured = (source: { readonly honours: ReadonlyArray<Filter> } | undefined) =>
  source === undefined ? null : { honours: source.honours }

const latency = (tally: Tally): EngineReport["health"]["latency_ms"] => {
  const p50 = percentile(tally, 0.5)
  const p95 = percentile(tally, 0.95)
  return p50 === null || p95 === null ? null : { p50, p95 }
}

/** What an engine can do and how it fares. */
export const reportOf = (engine: Engine, { rest, tally }: EngineState): EngineReport => ({
  name: engine.name,
  website: engine.website,
  documentation: engine.documentation,
  access: engine.access,
  needs_key: engine.keys?.required ?? false,
  kinds: {
    text: honoured(engine.sources.text),
    images: honoured(engine.sources.images),
    videos: honoured(engine.sources.videos),
    news: honoured(engine.sources.news),
    books: honoured(engine.sources.books)
  },
  pace: engine.pace === undefined ? null : { per_minute: engine.pace.perMinute, burst: engine.pace.burst },
  health: {
    successes: tally.successes,
    empties: tally.empties,
    failures: tally.failures,
    latency_ms: latency(tally),
    last_error: tally.lastError && { outcome: tally.lastError.outcome, at: iso(tally.lastError.at) }
  },
  rest: rest && { reason: rest.reason, since: iso(rest.since), until: iso(rest.until), level: rest.level }
})
