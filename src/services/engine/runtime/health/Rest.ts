import { type EngineFailure } from "../../../../domain/EngineReport.ts"
import { jitterPart, levelOf, longestRetryAfter, restLength, type Series, seriesOf } from "./Schedule.ts"

/** Times are in milliseconds since 1970. */
export interface Rest {
  readonly reason: EngineFailure
  readonly series: Series
  readonly since: number
  readonly until: number
  /** How often the series has rested, from 1. */
  readonly level: number
}

/** What decides on an engine's rest. */
export interface Resting {
  /** Faults of each series since the last good answer. */
  readonly strikes: { readonly [S in Series]: number }
  /** Kept when its time is over, until a probe ends or lengthens it. */
  readonly rest: Rest | null
}

export const noStrikes: Resting["strikes"] = {
  blocked: 0,
  rate_limited: 0,
  timeout: 0,
  connection: 0,
  irrelevant: 0
}

/** Strikes less those that were added from `before` to `after`. */
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
  /** Of the answer; null where there was none. */
  readonly status: number | null
  /** Milliseconds that the engine asks to be left alone for. */
  readonly retryAfterMs: number | null
}

/** Who says when to return is taken at its word; after other faults it rests no shorter than that. */
const asSaid = ({ outcome, retryAfterMs }: Failed, ms: number): number => {
  if (retryAfterMs === null || ms === 0) return ms
  const said = Math.min(longestRetryAfter, retryAfterMs)
  return outcome === "rate_limited" ? said : Math.max(said, ms)
}

/** What else is known of a fault. */
interface Circumstances {
  /** The rest that the fault shows not to be over. */
  readonly carried: Rest | null
  /** Of an ask from before the rest: counted already. */
  readonly isOld: boolean
  readonly now: number
  /** From -1 to 1. */
  readonly jitter: number
}

/** A rest for a fault, if it is time for one; never a shorter one than there is. */
export const strike = ({ rest, strikes }: Resting, failure: Failed, circumstances: Circumstances): Resting => {
  const { carried, isOld, jitter, now } = circumstances
  const own = seriesOf(failure.outcome, failure.status)
  const struck = new Set([own, carried?.series ?? null].filter((series) => series !== null))
  const counted = { ...strikes }
  for (const series of struck) counted[series] = isOld ? Math.max(1, strikes[series]) : strikes[series] + 1

  const [longest] = Array.from(struck, (series) => {
    const level = levelOf(series, counted[series])
    const ms = restLength(series, level) * (1 + jitterPart * jitter)
    const reason = series === own || carried === null ? failure.outcome : carried.reason
    return { reason, series, level, ms: Math.ceil(series === own ? asSaid(failure, ms) : ms) }
  }).sort((a, b) => b.ms - a.ms)
  if (longest === undefined || longest.ms === 0) return { strikes: counted, rest }
  const { level, ms, reason, series } = longest
  const until = now + ms
  if (rest !== null && until <= rest.until) return { strikes: counted, rest }
  return { strikes: counted, rest: { reason, series, since: isOld && rest !== null ? rest.since : now, until, level } }
}
