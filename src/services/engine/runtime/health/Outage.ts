import { type EngineFailure } from "../../../../domain/EngineReport.ts"
import { type Resting } from "./Rest.ts"
import { type FaultEvent } from "./State.ts"

/** Faults that the outgoing connection can cause as well as the engine. */
export type ConnectionFault = "dns_error" | "connect_error" | "tls_error" | "proxy_error"

const connectionFaults: ReadonlySet<string> = new Set(["dns_error", "connect_error", "tls_error", "proxy_error"])

export const isConnectionFault = (outcome: "ok" | "empty" | EngineFailure): outcome is ConnectionFault =>
  connectionFaults.has(outcome)

/** A failed connection to an engine. Times are in milliseconds since 1970. */
export interface ConnectionFailure {
  readonly engine: string
  readonly fault: ConnectionFault
  readonly at: number
  /** Strikes and rest of the engine without the failure, and with it. */
  readonly before: Resting
  readonly after: Resting
  readonly blow: FaultEvent
}

/**
 * State of the outgoing connection. An outage is suspected when two engines fail to connect within `span` and no engine
 * answers after the first failure, or when the proxy itself fails. The suspicion is confirmed when no other attempt is
 * running, or when no engine has answered for the length of `span`.
 */
export interface Outage {
  /** Failures since the last answer: those within `span`, or the first of each engine when `spares` is set. */
  readonly failures: ReadonlyArray<ConnectionFailure>
  /** When the first failure of the suspected outage occurred; null when none is suspected. */
  readonly since: number | null
  /** Whether two engines failed. Failures then do not count against any engine. */
  readonly spares: boolean
  /** Whether the outage is confirmed. */
  readonly isDown: boolean
  readonly warnedAt: number | null
}

export const noOutage: Outage = { failures: [], since: null, spares: false, isDown: false, warnedAt: null }

/** Milliseconds within which failures of different engines count as one incident. */
const span = 1_000

/** Minimum milliseconds between two warnings. */
const warnEvery = 60_000

const firsts = (failures: ReadonlyArray<ConnectionFailure>): ReadonlyArray<ConnectionFailure> =>
  failures.filter(({ engine }, index) => failures.findIndex((one) => one.engine === engine) === index)

/**
 * The outage after a failed connection. With `isSpared`, the failure does not count against its engine. `takenBack`
 * lists earlier failures that no longer count either, newest first.
 */
export const failedToConnect = (
  outage: Outage,
  failure: ConnectionFailure
): { readonly outage: Outage; readonly isSpared: boolean; readonly takenBack: ReadonlyArray<ConnectionFailure> } => {
  if (outage.spares) {
    return { outage: { ...outage, failures: firsts([...outage.failures, failure]) }, isSpared: true, takenBack: [] }
  }
  const earlier = outage.failures.filter(({ at }) => failure.at - at <= span)
  const failures = [...earlier, failure]
  const spares = failures.some(({ engine }) => engine !== failure.engine)
  const isSuspected = spares || failures.some(({ fault }) => fault === "proxy_error")
  const since = outage.since ?? (isSuspected ? (failures[0]?.at ?? failure.at) : null)
  return {
    outage: { ...outage, failures: spares ? firsts(failures) : failures, since, spares },
    isSpared: spares,
    takenBack: spares ? earlier.toReversed() : []
  }
}

/** The log message for an operator. */
export interface Warning {
  readonly message: string
  readonly fault: ConnectionFault
  /** Number of unreachable engines. */
  readonly engines: number
}

const causes: { readonly [F in ConnectionFault]: string } = {
  proxy_error: "the proxy makes no connections",
  dns_error: "name resolution fails",
  tls_error: "TLS handshakes fail",
  connect_error: "connections fail"
}

const warningOf = ({ failures }: Outage): Warning => {
  const seen = new Set(failures.map(({ fault }) => fault))
  const [only] = seen
  const mixed = seen.has("proxy_error") ? "proxy_error" : "connect_error"
  const fault = seen.size === 1 && only !== undefined ? only : mixed
  return {
    message: `outgoing connection is down: ${causes[fault]}`,
    fault,
    engines: firsts(failures).length
  }
}

/** The outage after an attempt ended while `underWay` others are still running. `warning` is null when none is due. */
export const confirmed = (
  outage: Outage,
  underWay: number,
  now: number
): { readonly outage: Outage; readonly warning: Warning | null } => {
  const { since, warnedAt } = outage
  const isDown = outage.isDown || (since !== null && (underWay === 0 || now - since >= span))
  if (!isDown || (warnedAt !== null && now - warnedAt < warnEvery)) {
    return { outage: isDown === outage.isDown ? outage : { ...outage, isDown }, warning: null }
  }
  return { outage: { ...outage, isDown, warnedAt: now }, warning: warningOf(outage) }
}

/**
 * The outage after an engine answered. `isBack` is set when an outage ends that was logged. `heldAgain` lists the
 * spared failures of a suspicion that the answer disproves, one per engine: one incident counts once.
 */
export const answered = (
  outage: Outage
): {
  readonly outage: Outage
  readonly isBack: boolean
  readonly reinstated: ReadonlyArray<ConnectionFailure>
} => {
  const { failures, isDown, since, spares, warnedAt } = outage
  return {
    outage: failures.length === 0 && since === null ? outage : { ...noOutage, warnedAt },
    isBack: isDown && since !== null && warnedAt !== null && warnedAt >= since,
    reinstated: spares && !isDown ? failures : []
  }
}
