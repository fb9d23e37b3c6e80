import { type EngineReport } from "../../../domain/EngineReport.ts"
import { type Region, regions } from "../../../domain/Region.ts"
import { type EngineState } from "./health/State.ts"
import { percentile, type Tally } from "./health/Tally.ts"
import { type Engine, type EngineQuery, type Filter } from "../Engine.ts"

const iso = (ms: number): string => new Date(ms).toISOString()

/** A query without filters, valid for every kind. */
const plain = (region: Region): EngineQuery<"images"> & EngineQuery<"videos"> => ({
  text: "",
  region,
  safesearch: "moderate",
  timelimit: null,
  now: 0,
  size: null,
  color: null,
  type_image: null,
  layout: null,
  resolution: null,
  duration: null,
  license_videos: null
})

interface Honouring {
  readonly honours: ReadonlyArray<Filter>
  readonly lacks?: (query: ReturnType<typeof plain>) => ReadonlyArray<Filter>
}

const honoured = (source: Honouring | undefined) => {
  if (source === undefined) return null
  const lacksRegion = (region: Region) => source.lacks?.(plain(region)).includes("region") === true
  return {
    honours: source.honours,
    regions: source.honours.includes("region") ? { except: regions.filter(lacksRegion).map(({ code }) => code) } : null
  }
}

const latency = (tally: Tally): EngineReport["health"]["latency_ms"] => {
  const p50 = percentile(tally, 0.5)
  const p95 = percentile(tally, 0.95)
  return p50 === null || p95 === null ? null : { p50, p95 }
}

/** The static capabilities of an engine. */
export const profileOf = (engine: Engine): Omit<EngineReport, "health" | "rest"> => ({
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
  pace: engine.pace === undefined ? null : { per_minute: engine.pace.perMinute, burst: engine.pace.burst }
})

/** Adds the current health to a profile. */
export const reportOf = (profile: ReturnType<typeof profileOf>, { rest, tally }: EngineState): EngineReport => ({
  ...profile,
  health: {
    successes: tally.successes,
    empties: tally.empties,
    failures: tally.failures,
    latency_ms: latency(tally),
    last_error: tally.lastError && { outcome: tally.lastError.outcome, at: iso(tally.lastError.at) }
  },
  rest: rest && { reason: rest.reason, since: iso(rest.since), until: iso(rest.until), level: rest.level }
})
