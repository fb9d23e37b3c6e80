import { type EngineFailure } from "../../../../domain/EngineReport.ts"
import { type Pace } from "../../Engine.ts"
import { type Bucket, take, waitFor } from "./Bucket.ts"
import { type Failed, noStrikes, type Resting, strike, withoutStrikes } from "./Rest.ts"
import { blank, countDistrust, countFailure, countGood, type Tally } from "./Tally.ts"

/** How one engine fares. Times are in milliseconds since 1970. */
export interface EngineState extends Resting {
  readonly tally: Tally
  readonly bucket: Bucket | null
  /** The ticket of the probe that is under way. */
  readonly probe: number | null
  /** When it was last asked by name while it rested. */
  readonly namedAt: number | null
  /** Whether an answer has come since the last one found irrelevant. */
  readonly isTrusted: boolean
  /** Asks under way. */
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

/** The permission for one ask. */
export interface Ticket {
  readonly number: number
  readonly at: number
  /** Milliseconds until its token is there. */
  readonly waitMs: number
}

export type Admission =
  | { readonly _tag: "Admitted"; readonly ticket: Ticket }
  | { readonly _tag: "Refused"; readonly fault: "suspended" | "paced" }

/** A resting engine is asked by name no more often. */
const namedEvery = 60_000

/** Whether its time to rest is not over. */
export const isOut = ({ rest }: EngineState, now: number): boolean => rest !== null && now < rest.until

/** When the rest of an engine ends; null where it does not rest, or is due for its probe. */
export const restsUntil = (state: EngineState, now: number): number | null =>
  state.rest !== null && isOut(state, now) ? state.rest.until : null

/** When an engine that rests or has used up its pace may be asked again; null where nothing stands against it now. */
export const askableAt = (state: EngineState, pace: Pace | undefined, now: number): number | null => {
  const token = pace === undefined ? now : now + waitFor(state.bucket, pace, now)
  const at = Math.max(restsUntil(state, now) ?? now, token)
  return at > now ? at : null
}

/** Whether nobody but those who name it may ask it: it rests, or is being probed. */
export const isResting = (state: EngineState, now: number): boolean =>
  isOut(state, now) || (state.rest !== null && state.probe !== null)

const mayAsk = (state: EngineState, named: boolean, now: number): boolean =>
  isOut(state, now) ? named && (state.namedAt === null || now - state.namedAt >= namedEvery) : !isResting(state, now)

/** Whether an engine may be asked now, and the state after it was. */
export const admit = (
  state: EngineState,
  pace: Pace | undefined,
  { named, timeLeftMs }: { readonly named: boolean; readonly timeLeftMs: number },
  now: number
): readonly [Admission, EngineState] => {
  if (!mayAsk(state, named, now)) return [{ _tag: "Refused", fault: "suspended" }, state]
  const isBusy = pace?.atOnce !== undefined && state.underWay >= pace.atOnce
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
      probe: state.rest !== null && !isOut(state, now) ? number : state.probe,
      namedAt: named && state.rest !== null ? now : state.namedAt
    }
  ]
}

const without = (state: EngineState, ticket: Ticket): EngineState => ({
  ...state,
  underWay: state.underWay - 1,
  probe: state.probe === ticket.number ? null : state.probe
})

/** Nothing was learned by the ask: the next one may probe in its place. */
export const release = (state: EngineState, ticket: Ticket, wasSent: boolean): EngineState => {
  const left = without(state, ticket)
  return !wasSent && left.namedAt === ticket.at ? { ...left, namedAt: null } : left
}

/** Faults of the way there and of the question: the engine has not shown how it fares. */
const saysNothing: ReadonlySet<EngineFailure> = new Set(["proxy_error", "unsupported"])

/** Sent before the rest began: one trouble that hits several requests counts once, and no old success ends it. */
const isOlder = ({ probe, rest }: EngineState, ticket: Ticket): boolean =>
  probe !== ticket.number && rest !== null && ticket.at <= rest.since

/** A fault and what was known of it when it came: enough to let it strike again. */
export interface Blow {
  readonly ticket: Ticket
  /** Whether the ask was the probe that ends or lengthens a rest. */
  readonly isProbe: boolean
  readonly failure: Failed
  readonly at: number
  /** From -1 to 1. */
  readonly jitter: number
}

/** The state after an ask failed, before its fault strikes. */
export const faulted = (state: EngineState, ticket: Ticket, { outcome }: Failed, now: number): EngineState => ({
  ...without(state, ticket),
  tally: countFailure(state.tally, outcome, now)
})

/** The state with the strike or rest that a fault is a reason for. */
export const struck = (state: EngineState, { at, failure, isProbe, jitter, ticket }: Blow): EngineState => {
  if (saysNothing.has(failure.outcome)) return state
  const carried = isProbe ? state.rest : null
  const isOld = !isProbe && isOlder(state, ticket)
  return { ...state, ...strike(state, failure, { carried, isOld, now: at, jitter }) }
}

/** The state without the strikes and the rest that lie between `before` and `after`. */
export const takenBack = (
  state: EngineState,
  { after, before }: { readonly before: Resting; readonly after: Resting }
): EngineState => ({
  ...state,
  rest: state.rest === after.rest ? before.rest : state.rest,
  strikes: withoutStrikes(state.strikes, before.strikes, after.strikes)
})

/** The state after an ask failed; `jitter` is from -1 to 1. */
export const failed = (state: EngineState, ticket: Ticket, failure: Failed, now: number, jitter: number): EngineState =>
  struck(faulted(state, ticket, failure, now), {
    ticket,
    isProbe: state.probe === ticket.number,
    failure,
    at: now,
    jitter
  })

/** The state after an answer that can be used. */
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
    // The answer may be found irrelevant yet; that the one before was not has been seen.
    strikes: { ...noStrikes, irrelevant: state.isTrusted ? 0 : state.strikes.irrelevant },
    isTrusted: true
  }
}

/** The state after an answer was not waited for any longer; its ask is released besides. */
export const answeredLate = (state: EngineState, now: number, jitter: number): EngineState => ({
  ...state,
  ...strike(
    state,
    { outcome: "timeout", status: null, retryAfterMs: null },
    { carried: isOut(state, now) ? null : state.rest, isOld: isOut(state, now), now, jitter }
  ),
  tally: countFailure(state.tally, "timeout", now)
})

/** The state after a success was found irrelevant; `jitter` is from -1 to 1. */
export const distrusted = (state: EngineState, now: number, jitter: number): EngineState => ({
  ...state,
  ...strike(
    state,
    { outcome: "irrelevant", status: null, retryAfterMs: null },
    { carried: null, isOld: state.rest !== null, now, jitter }
  ),
  tally: countDistrust(state.tally, now),
  isTrusted: false
})
