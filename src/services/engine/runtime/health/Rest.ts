import { type EngineFailure } from "../../../../domain/EngineReport.ts"
import { jitterPart, levelOf, longestRetryAfter, restLength, type Series, seriesOf } from "./Schedule.ts"

/** Times are in milliseconds since 1970. */
export interface Rest {
  readonly reason: EngineFailure
  readonly series: Series
  readonly since: number
  readonly until: number
  /** Level of the rest within its series, from 1. */
  readonly level: number
}

/** The part of an engine's state that determines its rest. */
export interface Resting {
  /** Faults of each series since the last good answer. */
  readonly strikes: { readonly [S in Series]: number }
  /** Kept after its end, until a probe ends or extends it. */
  readonly rest: Rest | null
}

export const noStrikes: Resting["strikes"] = {
  blocked: 0,
  rate_limited: 0,
  timeout: 0,
  connection: 0,
  irrelevant: 0
}

/** Subtracts the strikes that were added between `before` and `after`. */
export const withoutStrikes = (
  strikes: Resting["strikes"],
  before: Resting["strikes"],
  after: Resting["strikes"]
): Resting["strikes"] => {
  const less = (series: Series) => Math.max(0, strikes[series] - (after[series] - before[series]))
  return {
    blocked: less("blocked"),
    rate_limited: less("rate_limited"),
    timeout: less("timeout"),
    connection: less("connection"),
    irrelevant: less("irrelevant")
  }
}

export interface Failed {
  readonly outcome: EngineFailure
  /** HTTP status of the answer; null without an answer. */
  readonly status: number | null
  /** Milliseconds from the `Retry-After` header; null without one. */
  readonly retryAfterMs: number | null
}

/** Applies `Retry-After`. It sets the exact rest of a rate-limited engine, and the minimum rest after other faults. */
const applyRetryAfter = ({ outcome, retryAfterMs }: Failed, ms: number): number => {
  if (retryAfterMs === null || ms === 0) return ms
  const said = Math.min(longestRetryAfter, retryAfterMs)
  return outcome === "rate_limited" ? said : Math.max(said, ms)
}

/** Circumstances of a fault. */
interface Circumstances {
  /** The rest that a failed probe extends; null for none. */
  readonly previousRest: Rest | null
  /** Whether the attempt started before the current rest, so that the incident is already counted. */
  readonly isOld: boolean
  readonly now: number
  /** From -1 to 1. */
  readonly jitter: number
}

/** Counts a fault and starts a rest when one is due. Never shortens an existing rest. */
export const strike = ({ rest, strikes }: Resting, failure: Failed, circumstances: Circumstances): Resting => {
  const { previousRest: carried, isOld, jitter, now } = circumstances
  const own = seriesOf(failure.outcome, failure.status)
  const struck = new Set([own, carried?.series ?? null].filter((series) => series !== null))
  const counted = { ...strikes }
  for (const series of struck) counted[series] = isOld ? Math.max(1, strikes[series]) : strikes[series] + 1

  const [longest] = Array.from(struck, (series) => {
    const level = levelOf(series, counted[series])
    const ms = restLength(series, level) * (1 + jitterPart * jitter)
    const reason = series === own || carried === null ? failure.outcome : carried.reason
    return { reason, series, level, ms: Math.ceil(series === own ? applyRetryAfter(failure, ms) : ms) }
  }).sort((a, b) => b.ms - a.ms)
  if (longest === undefined || longest.ms === 0) return { strikes: counted, rest }
  const { level, ms, reason, series } = longest
  const until = now + ms
  if (rest !== null && until <= rest.until) return { strikes: counted, rest }
  return { strikes: counted, rest: { reason, series, since: isOld && rest !== null ? rest.since : now, until, level } }
}
