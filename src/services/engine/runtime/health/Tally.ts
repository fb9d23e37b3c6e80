import { type EngineFailure } from "../../../../domain/EngineReport.ts"

/** Counts of the outcomes of an engine's attempts. */
export interface Tally {
  readonly successes: number
  readonly empties: number
  readonly failures: { readonly [F in EngineFailure]: number }
  /** Milliseconds of the most recent successes and empty answers, oldest first. */
  readonly latencies: ReadonlyArray<number>
  readonly lastError: { readonly outcome: EngineFailure; readonly at: number } | null
}

const remembered = 100

export const blank: Tally = {
  successes: 0,
  empties: 0,
  failures: {
    blocked: 0,
    rate_limited: 0,
    timeout: 0,
    dns_error: 0,
    connect_error: 0,
    tls_error: 0,
    proxy_error: 0,
    http_status: 0,
    layout_changed: 0,
    irrelevant: 0,
    unsupported: 0
  },
  latencies: [],
  lastError: null
}

export const countGood = (tally: Tally, outcome: "ok" | "empty", tookMs: number): Tally => ({
  ...tally,
  successes: tally.successes + (outcome === "ok" ? 1 : 0),
  empties: tally.empties + (outcome === "empty" ? 1 : 0),
  latencies: [...tally.latencies.slice(1 - remembered), tookMs]
})

export const countFailure = (tally: Tally, outcome: EngineFailure, at: number): Tally => ({
  ...tally,
  failures: { ...tally.failures, [outcome]: tally.failures[outcome] + 1 },
  lastError: { outcome, at }
})

/** Reclassifies a success as irrelevant. */
export const countDistrust = (tally: Tally, at: number): Tally => ({
  ...countFailure(tally, "irrelevant", at),
  successes: Math.max(0, tally.successes - 1)
})

/** The latency at the percentile `part`, from 0 to 1 (nearest-rank method); null without latencies. */
export const percentile = ({ latencies }: Tally, part: number): number | null =>
  latencies.toSorted((a, b) => a - b)[Math.max(0, Math.ceil(part * latencies.length) - 1)] ?? null
