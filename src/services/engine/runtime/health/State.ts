import { type EngineFailure } from "../../../../domain/EngineReport.ts"
import { type Pace } from "../../Engine.ts"
import { type Bucket, take, waitFor } from "./Bucket.ts"
import { type Failed, noStrikes, type Resting, strike, withoutStrikes } from "./Rest.ts"
import { blank, countDistrust, countFailure, countGood, type Tally } from "./Tally.ts"

/** Health of one engine. Times are in milliseconds since 1970. */
export interface EngineState extends Resting {
  readonly tally: Tally
  readonly bucket: Bucket | null
  /** Ticket number of the running probe; null for none. */
  readonly probe: number | null
  /** When a resting engine was last queried by name; null for never. */
  readonly namedAt: number | null
  /** Whether a usable answer has arrived since the last irrelevant one. */
  readonly isTrusted: boolean
  /** Number of running attempts. */
  readonly underWay: number
  readonly tickets: number
}

export const fresh: EngineState = {
  tally: blank,
  bucket: null,
  strikes: noStrikes,
  rest: null,
  probe: null,
  namedAt: null,
  isTrusted: true,
  underWay: 0,
  tickets: 0
}

/** Permission for one attempt. */
export interface Ticket {
  readonly number: number
  readonly at: number
  /** Milliseconds until the token is available. */
  readonly waitMs: number
}

export type Admission =
  | { readonly _tag: "Admitted"; readonly ticket: Ticket }
  | { readonly _tag: "Refused"; readonly fault: "suspended" | "paced" }

/** Minimum milliseconds between queries by name to a resting engine. */
const namedEvery = 60_000

/** Whether the rest period is still running. */
export const isWithinRest = ({ rest }: EngineState, now: number): boolean => rest !== null && now < rest.until

/** When the rest ends, in milliseconds since 1970; null when the engine does not rest or is due for its probe. */
export const restsUntil = (state: EngineState, now: number): number | null =>
  state.rest !== null && isWithinRest(state, now) ? state.rest.until : null

/** When the engine may be queried again, in milliseconds since 1970; null when it may be queried now. */
export const askableAt = (state: EngineState, pace: Pace | undefined, now: number): number | null => {
  const token = pace === undefined ? now : now + waitFor(state.bucket, pace, now)
  const at = Math.max(restsUntil(state, now) ?? now, token)
  return at > now ? at : null
}

/** Whether `auto` skips the engine: it rests, or its probe is running. */
export const isResting = (state: EngineState, now: number): boolean =>
  isWithinRest(state, now) || (state.rest !== null && state.probe !== null)

const mayAsk = (state: EngineState, named: boolean, now: number): boolean =>
  isWithinRest(state, now)
    ? named && (state.namedAt === null || now - state.namedAt >= namedEvery)
    : !isResting(state, now)

/** Decides whether an attempt may start now. Returns the decision and the new state. */
export const admit = (
  state: EngineState,
  pace: Pace | undefined,
  { named, timeLeftMs }: { readonly named: boolean; readonly timeLeftMs: number },
  now: number
): readonly [Admission, EngineState] => {
  if (!mayAsk(state, named, now)) return [{ _tag: "Refused", fault: "suspended" }, state]
  const isBusy = pace?.maxConcurrent !== undefined && state.underWay >= pace.maxConcurrent
  if (isBusy && !named) return [{ _tag: "Refused", fault: "paced" }, state]
  const waitMs = pace === undefined ? 0 : waitFor(state.bucket, pace, now)
  if (waitMs > 0 && !(named && waitMs < timeLeftMs)) return [{ _tag: "Refused", fault: "paced" }, state]
  const number = state.tickets + 1
  return [
    { _tag: "Admitted", ticket: { number, at: now, waitMs } },
    {
      ...state,
      tickets: number,
      underWay: state.underWay + 1,
      bucket: pace === undefined ? null : take(state.bucket, pace, now),
      probe: state.rest !== null && !isWithinRest(state, now) ? number : state.probe,
      namedAt: named && state.rest !== null ? now : state.namedAt
    }
  ]
}

const without = (state: EngineState, ticket: Ticket): EngineState => ({
  ...state,
  underWay: state.underWay - 1,
  probe: state.probe === ticket.number ? null : state.probe
})

/** Ends an attempt that says nothing about the engine. The next attempt may then be the probe. */
export const release = (state: EngineState, ticket: Ticket, wasSent: boolean): EngineState => {
  const left = without(state, ticket)
  return !wasSent && left.namedAt === ticket.at ? { ...left, namedAt: null } : left
}

/** Faults of the proxy or the query. They say nothing about the health of the engine. */
const neutralFaults: ReadonlySet<EngineFailure> = new Set(["proxy_error", "unsupported"])

/**
 * Whether the attempt started before the rest. One incident that hits several attempts counts once, and an earlier
 * success does not end the rest.
 */
const isOlder = ({ probe, rest }: EngineState, ticket: Ticket): boolean =>
  probe !== ticket.number && rest !== null && ticket.at <= rest.since

/** A fault and its circumstances, sufficient to apply it to the state later. */
export interface FaultEvent {
  readonly ticket: Ticket
  /** Whether the attempt was the probe that ends or extends a rest. */
  readonly isProbe: boolean
  readonly failure: Failed
  readonly at: number
  /** From -1 to 1. */
  readonly jitter: number
}

/** The state after a failed attempt, before the fault is applied. */
export const faulted = (state: EngineState, ticket: Ticket, { outcome }: Failed, now: number): EngineState => ({
  ...without(state, ticket),
  tally: countFailure(state.tally, outcome, now)
})

/** Applies the strike or the rest that a fault causes. */
export const applyFault = (state: EngineState, { at, failure, isProbe, jitter, ticket }: FaultEvent): EngineState => {
  if (neutralFaults.has(failure.outcome)) return state
  const carried = isProbe ? state.rest : null
  const isOld = !isProbe && isOlder(state, ticket)
  return { ...state, ...strike(state, failure, { previousRest: carried, isOld, now: at, jitter }) }
}

/** Removes the strikes and the rest that were added between `before` and `after`. */
export const withoutFault = (
  state: EngineState,
  { after, before }: { readonly before: Resting; readonly after: Resting }
): EngineState => ({
  ...state,
  rest: state.rest === after.rest ? before.rest : state.rest,
  strikes: withoutStrikes(state.strikes, before.strikes, after.strikes)
})

/** The state after a failed attempt, with its fault applied. `jitter` ranges from -1 to 1. */
export const failed = (state: EngineState, ticket: Ticket, failure: Failed, now: number, jitter: number): EngineState =>
  applyFault(faulted(state, ticket, failure, now), {
    ticket,
    isProbe: state.probe === ticket.number,
    failure,
    at: now,
    jitter
  })

/** The state after a usable answer. */
export const succeeded = (
  state: EngineState,
  ticket: Ticket,
  { outcome, tookMs }: { readonly outcome: "ok" | "empty"; readonly tookMs: number }
): EngineState => {
  const counted = { ...without(state, ticket), tally: countGood(state.tally, outcome, tookMs) }
  if (isOlder(state, ticket)) return counted
  return {
    ...counted,
    rest: null,
    probe: null,
    namedAt: null,
    // This answer can still turn out irrelevant, so the count is reset only when the previous answer did not.
    strikes: { ...noStrikes, irrelevant: state.isTrusted ? 0 : state.strikes.irrelevant },
    isTrusted: true
  }
}

/** The state after a search stopped waiting for an answer. The attempt itself is released separately. */
export const answeredLate = (state: EngineState, now: number, jitter: number): EngineState => ({
  ...state,
  ...strike(
    state,
    { outcome: "timeout", status: null, retryAfterMs: null },
    { previousRest: isWithinRest(state, now) ? null : state.rest, isOld: isWithinRest(state, now), now, jitter }
  ),
  tally: countFailure(state.tally, "timeout", now)
})

/** The state after a success turned out irrelevant. `jitter` ranges from -1 to 1. */
export const distrusted = (state: EngineState, now: number, jitter: number): EngineState => ({
  ...state,
  ...strike(
    state,
    { outcome: "irrelevant", status: null, retryAfterMs: null },
    { previousRest: null, isOld: state.rest !== null, now, jitter }
  ),
  tally: countDistrust(state.tally, now),
  isTrusted: false
})
