import { Clock, Data, Effect } from "effect"
import { retryAfterMs } from "../http-client/RetryAfter.ts"

/** The host is in back-off: it sent a `Retry-After`, or connections to it failed repeatedly. */
export class HostInBackoff extends Data.TaggedError("HostInBackoff") {}

/** The back-off state of a host. Times are in milliseconds since 1970, 0 for never. */
export interface HostState {
  /** Consecutive failed connections. */
  readonly failures: number
  readonly failedAt: number
  readonly unreachableUntil: number
  /** From its `Retry-After`. */
  readonly busyUntil: number
}

export const fresh: HostState = { failures: 0, failedAt: 0, unreachableUntil: 0, busyUntil: 0 }

const restAfter = 3
const forgottenAfter = 60_000
const firstRest = 30_000
const longestRest = 300_000
/** Limit on the value of `Retry-After`, in milliseconds. */
const longestRetryAfter = 3_600_000

/** Starts a back-off for a 429 or 503 with `Retry-After`. Other 4xx and 5xx responses concern a single page. */
export const answered = (
  standing: HostState,
  status: number,
  retryAfter: string | undefined,
  now: number
): HostState => {
  const asked = status === 429 || status === 503 ? retryAfterMs(retryAfter, now) : null
  if (asked === null) return standing
  return { ...standing, busyUntil: Math.max(standing.busyUntil, now + Math.min(asked, longestRetryAfter)) }
}

export const connected = (standing: HostState): HostState => ({ ...fresh, busyUntil: standing.busyUntil })

/**
 * Starts a back-off of 30 s after the third consecutive failure. The first failure after a back-off starts another one,
 * twice as long, up to 5 minutes.
 */
export const notConnected = (standing: HostState, now: number): HostState => {
  const { failedAt, unreachableUntil } = standing
  // Concurrent attempts fail one after the other. They do not extend the back-off.
  if (now < unreachableUntil) return standing
  const isInARow = now - Math.max(failedAt, unreachableUntil) < forgottenAfter
  const failures = isInARow ? standing.failures + 1 : 1
  const rest = Math.min(longestRest, firstRest * 2 ** (failures - restAfter))
  return { ...standing, failures, failedAt: now, unreachableUntil: failures < restAfter ? 0 : now + rest }
}

export const isResting = ({ busyUntil, unreachableUntil }: HostState, now: number): boolean =>
  now < Math.max(busyUntil, unreachableUntil)

const isForgettable = (standing: HostState, now: number): boolean =>
  !isResting(standing, now) && now - Math.max(standing.failedAt, standing.unreachableUntil) >= forgottenAfter

export interface HostBackoff {
  /** Fails while the host is in back-off. */
  readonly check: (host: string) => Effect.Effect<void, HostInBackoff>
  readonly answered: (host: string, status: number, retryAfter: string | undefined) => Effect.Effect<void>
  readonly connected: (host: string) => Effect.Effect<void>
  readonly notConnected: (host: string) => Effect.Effect<void>
}

/**
 * Makes the back-off of hosts, by host and port. Keeps at most `capacity` entries and evicts the least recently
 * changed.
 */
export const make = (capacity = 10_000): Effect.Effect<HostBackoff> =>
  Effect.sync(() => {
    const hosts = new Map<string, HostState>()
    const change = (host: string, to: (standing: HostState, now: number) => HostState) =>
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
