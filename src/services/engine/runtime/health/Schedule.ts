import { type EngineFault } from "../../../../domain/Outcome.ts"

const second = 1_000
const minute = 60 * second
const hour = 60 * minute

/** Upper limit for `Retry-After`, in milliseconds. */
export const longestRetryAfter = hour

/** Jitter as a fraction of the rest, in both directions, so that several servers do not retry at the same time. */
export const jitterPart = 0.2

/** Groups of faults whose consecutive occurrences are counted together. */
export type Series = "blocked" | "rate_limited" | "timeout" | "connection" | "irrelevant"

/** Length of the rests of a series, in milliseconds. */
interface Schedule {
  readonly first: number
  readonly most: number
  /** Consecutive faults before the first rest. */
  readonly after: number
}

const schedules: { readonly [S in Series]: Schedule } = {
  blocked: { first: 3 * minute, most: hour, after: 1 },
  rate_limited: { first: minute, most: 30 * minute, after: 1 },
  timeout: { first: 15 * second, most: 5 * minute, after: 1 },
  connection: { first: 30 * second, most: 5 * minute, after: 2 },
  irrelevant: { first: 5 * minute, most: hour, after: 2 }
}

/** The maximum length of a rest, in milliseconds. */
export const longestRest = hour * (1 + jitterPart)

/**
 * The series of a fault; null when the fault is no reason to rest. `status` is the HTTP status, null without an answer.
 */
export const seriesOf = (fault: EngineFault, status: number | null): Series | null => {
  switch (fault) {
    case "blocked":
    case "rate_limited":
    case "timeout":
    case "irrelevant":
      return fault
    case "dns_error":
    case "connect_error":
    case "tls_error":
      return "connection"
    case "http_status":
      return status !== null && status >= 500 ? "connection" : null
    default:
      return null
  }
}

/** Level of the rest after `strikes` consecutive faults, from 1; 0 for no rest yet. */
export const levelOf = (series: Series, strikes: number): number => Math.max(0, strikes - schedules[series].after + 1)

/** Milliseconds of rest at a level. Each level doubles the previous one, up to the limit of the series. */
export const restLength = (series: Series, level: number): number =>
  level === 0 ? 0 : Math.min(schedules[series].most, schedules[series].first * 2 ** (level - 1))
