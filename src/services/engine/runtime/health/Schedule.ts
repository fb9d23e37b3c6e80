import { type EngineFault } from "../../../../domain/Outcome.ts"

const second = 1_000
const minute = 60 * second
const hour = 60 * minute

/** No `Retry-After` is obeyed for longer. */
export const longestRetryAfter = hour

/** A rest is up to this part of its length longer or shorter, so that servers do not return all at once. */
export const jitterPart = 0.2

/** Faults that count together when they come in a row. */
export type Series = "blocked" | "rate_limited" | "timeout" | "connection" | "irrelevant"

/** How long a series rests, in milliseconds. */
interface Schedule {
  readonly first: number
  readonly most: number
  /** Faults in a row that the first rest takes. */
  readonly after: number
}

const schedules: { readonly [S in Series]: Schedule } = {
  blocked: { first: 3 * minute, most: hour, after: 1 },
  rate_limited: { first: minute, most: 30 * minute, after: 1 },
  timeout: { first: 15 * second, most: 5 * minute, after: 1 },
  connection: { first: 30 * second, most: 5 * minute, after: 2 },
  irrelevant: { first: 5 * minute, most: hour, after: 2 }
}

/** The longest that any rest lasts. */
export const longestRest = hour * (1 + jitterPart)

/** The series a fault counts in; null for those that are no reason to rest. `status` is that of the answer, if any. */
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

/** How often a series has rested, from 1, after so many faults in a row; 0 for not yet. */
export const levelOf = (series: Series, strikes: number): number => Math.max(0, strikes - schedules[series].after + 1)

/** Milliseconds of rest at a level, doubling from one to the next. */
export const restLength = (series: Series, level: number): number =>
  level === 0 ? 0 : Math.min(schedules[series].most, schedules[series].first * 2 ** (level - 1))
