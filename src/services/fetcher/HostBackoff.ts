import { Clock, Data, Effect } from "effect"
import { retryAfterMs } from "../http-client/RetryAfter.ts"

/** The host asked to be left alone, or could not be connected to again and again. */
export class HostInBackoff extends Data.TaggedError("HostResting") {}

/** How a host fares. Times are in milliseconds since 1970, 0 for never. */
export interface Standing {
  /** Connections that failed in a row. */
  readonly failures: number
  readonly failedAt: number
  readonly unreachableUntil: number
  /** As its `Retry-After` says. */
  readonly busyUntil: number
}

export const fresh: Standing = { failures: 0, failedAt: 0, unreachableUntil: 0, busyUntil: 0 }

const restAfter = 3
const forgottenAfter = 60_000
const firstRest = 30_000
const longestRest = 300_000
/** Whatever the host says. */
const longestRetryAfter = 3_600_000

/** Only what a host says of itself makes it rest: a page's own 4xx and 5xx do not. */
export const answered = (standing: Standing, status: number, retryAfter: string | undefined, now: number): Standing => {
  const asked = status === 429 || status === 503 ? retryAfterMs(retryAfter, now) : null
  if (asked === null) return standing
  return { ...standing, busyUntil: Math.max(standing.busyUntil, now + Math.min(asked, longestRetryAfter)) }
}

export const connected = (standing: Standing): Standing => ({ ...fresh, busyUntil: standing.busyUntil })

/** The third failure in a row makes it rest for 30 s; the first after a rest at once, twice as long, 5 minutes at most. */
export const notConnected = (standing: Standing, now: number): Standing => {
  const { failedAt, unreachableUntil } = standing
  // Those that were under way together are told one after the other: they are no further rest.
  if (now < unreachableUntil) return standing
  const isInARow = now - Math.max(failedAt, unreachableUntil) < forgottenAfter
  const failures = isInARow ? standing.failures + 1 : 1
  const rest = Math.min(longestRest, firstRest * 2 ** (failures - restAfter))
  return { ...standing, failures, failedAt: now, unreachableUntil: failures < restAfter ? 0 : now + rest }
}

export const isResting = ({ busyUntil, unreachableUntil }: Standing, now: number): boolean =>
  now < Math.max(busyUntil, unreachableUntil)

const isForgettable = (standing: Standing, now: number): boolean =>
  !isResting(standing, now) && now - Math.max(standing.failedAt, standing.unreachableUntil) >= forgottenAfter

export interface HostBackoff {
  /** Fails while the host rests. */
  readonly check: (host: string) => Effect.Effect<void, HostInBackoff>
  readonly answered: (host: string, status: number, retryAfter: string | undefined) => Effect.Effect<void>
  readonly connected: (host: string) => Effect.Effect<void>
  readonly notConnected: (host: string) => Effect.Effect<void>
}

/** How hosts, named with their port, fare. At most `capacity` are kept: past that, the one that changed first goes. */
export const make = (capacity = 10_000): Effect.Effect<HostBackoff> =>
  Effect.sync(() => {
    const hosts = new Map<string, Standing>()
    const change = (host: string, to: (standing: Standing, now: number) => Standing) =>
      Effect.map(Clock.currentTimeMillis, (now) => {
        const before = hosts.get(host)
        const after = to(before ?? fresh, now)
        if (after === (before ?? fresh)) return
        hosts.delete(host)
        if (isForgettable(after, now)) return
        for (const [oldest] of hosts) {
          if (hosts.size < capacity) break
          hosts.delete(oldest)
        }
        hosts.set(host, after)
      })
    return {
      check: (host) =>
        Effect.flatMap(Clock.currentTimeMillis, (now) =>
          isResting(hosts.get(host) ?? fresh, now) ? new HostInBackoff() : Effect.void
        ),
      answered: (host, status, retryAfter) =>
        change(host, (standing, now) => answered(standing, status, retryAfter, now)),
      connected: (host) => change(host, connected),
      notConnected: (host) => change(host, notConnected)
    }
  })
