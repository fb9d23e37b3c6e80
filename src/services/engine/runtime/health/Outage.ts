import { type EngineFailure } from "../../../../domain/EngineReport.ts"
import { type Resting } from "./Rest.ts"
import { type Blow } from "./State.ts"

/** Faults that an engine cannot be told apart by from the connection to it. */
export type ConnectionFault = "dns_error" | "connect_error" | "tls_error" | "proxy_error"

const connectionFaults: ReadonlySet<string> = new Set(["dns_error", "connect_error", "tls_error", "proxy_error"])

export const isConnectionFault = (outcome: "ok" | "empty" | EngineFailure): outcome is ConnectionFault =>
  connectionFaults.has(outcome)

/** A connection to an engine that failed. Times are in milliseconds since 1970. */
export interface ConnectionFailure {
  readonly engine: string
  readonly fault: ConnectionFault
  readonly at: number
  /** How the engine rests without the failure, and with it. */
  readonly before: Resting
  readonly after: Resting
  readonly blow: Blow
}

/**
 * What is known of the outgoing connection as a whole. It is suspected when two engines have failed to connect within
 * `span` and none has answered since the first of them; the proxy's own fault is enough by itself. The suspicion is
 * confirmed when no request is left that could still be answered, or none was for the length of `span`.
 */
export interface Outage {
  /** Since the last answer: those of the last `span`; the first of each engine once they are spared. */
  readonly failures: ReadonlyArray<ConnectionFailure>
  /** When the first suspected failure came; null while nothing is suspected. */
  readonly since: number | null
  /** Whether two engines failed: failures are held against no engine then. */
  readonly spares: boolean
  /** Whether the suspicion is confirmed. */
  readonly isDown: boolean
  readonly warnedAt: number | null
}

export const noOutage: Outage = { failures: [], since: null, spares: false, isDown: false, warnedAt: null }

/** Milliseconds in which failures of different engines are taken for one trouble. */
const span = 1_000

/** Milliseconds between two warnings. */
const warnEvery = 60_000

const firsts = (failures: ReadonlyArray<ConnectionFailure>): ReadonlyArray<ConnectionFailure> =>
  failures.filter(({ engine }, index) => failures.findIndex((one) => one.engine === engine) === index)

/**
 * The outage after a connection failed. `isSpared` says that the failure is not held against its engine; those of
 * `takenBack`, newest first, are not to be any longer.
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

/** What an operator is told of an outage. */
export interface Warning {
  readonly message: string
  readonly fault: ConnectionFault
  /** How many engines could not be reached. */
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

/** The outage after an ask ended with so many others still under way, and what to warn of, if it is time for it. */
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
 * The outage after an engine answered. `isBack` says that an outage is over that was warned of. Failures of a
 * suspicion that the answer disproves are in `heldAgain`, one of each engine: one trouble counts once.
 */
export const answered = (
  outage: Outage
): {
  readonly outage: Outage
  readonly isBack: boolean
  readonly heldAgain: ReadonlyArray<ConnectionFailure>
} => {
  const { failures, isDown, since, spares, warnedAt } = outage
  return {
    outage: failures.length === 0 && since === null ? outage : { ...noOutage, warnedAt },
    isBack: isDown && since !== null && warnedAt !== null && warnedAt >= since,
    heldAgain: spares && !isDown ? failures : []
  }
}
