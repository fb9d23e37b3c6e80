import { Clock, Context, Effect, Layer, MutableRef, Random } from "effect"
import { type EngineFailure } from "../../../../domain/EngineReport.ts"
import { giveBack, take } from "./Bucket.ts"
import {
  answered,
  confirmed,
  type ConnectionFault,
  failedToConnect,
  isConnectionFault,
  noOutage,
  type Warning
} from "./Outage.ts"
import { type Failed, type Rest } from "./Rest.ts"
import { retryAfterMs } from "../../../http-client/RetryAfter.ts"
import {
  admit,
  type Admission,
  type FaultEvent,
  answeredLate,
  distrusted,
  type EngineState,
  faulted,
  fresh,
  release,
  applyFault,
  succeeded,
  withoutFault,
  type Ticket
} from "./State.ts"
import { type Engine } from "../../Engine.ts"
import { Settings } from "../../../settings/Settings.ts"
import { addressOf, type Proxy } from "../../../settings/Proxy.ts"

/** The outcome of an attempt that says something about the engine. */
export interface AttemptResult {
  readonly outcome: "ok" | "empty" | EngineFailure
  /** Milliseconds that the engine took. */
  readonly tookMs: number
  /** HTTP status of the last answer, even if its body was incomplete; null without an answer. */
  readonly status: number | null
  /** The `Retry-After` header of that answer. */
  readonly retryAfter: string | undefined
  /** Whether the last request got a connection; only a timeout without one can be a fault of the outgoing connection. */
  readonly isConnected: boolean
}

/** Logs when an engine starts to rest and when it is back. */
const logRest = (engine: string, before: Rest | null, after: Rest | null): Effect.Effect<void> => {
  if (after === before) return Effect.void
  return after === null
    ? Effect.annotateLogs(Effect.logInfo("engine is back"), { engine })
    : Effect.annotateLogs(Effect.logInfo("engine rests"), {
        engine,
        reason: after.reason,
        level: after.level,
        until: new Date(after.until).toISOString()
      })
}

const logOutage = ({ engines, fault, message }: Warning, proxy: Proxy | null): Effect.Effect<void> =>
  Effect.annotateLogs(Effect.logWarning(message), {
    fault,
    engines,
    ...(proxy === null ? {} : { proxy: addressOf(proxy) })
  })

/**
 * Health of each engine, which decides whether an attempt may start. An engine rests after refusals and faults, is
 * probed after the rest, and has a rate limit. When every outgoing connection fails, no engine is held responsible. No
 * operation waits.
 */
export class EngineHealth extends Context.Tag("quarry/EngineHealth")<
  EngineHealth,
  {
    /** Admits or refuses an attempt. An admitted attempt must end with `record` or `release`. */
    readonly admit: (
      engine: Engine,
      asking: { readonly named: boolean; readonly timeLeftMs: number }
    ) => Effect.Effect<Admission>
    /**
     * Takes a token for a further request of the same attempt, without waiting. The balance may become negative, which
     * delays the next attempt.
     */
    readonly borrowToken: (engine: Engine) => Effect.Effect<void>
    /** Returns the token of a request that was not sent. */
    readonly giveBack: (engine: Engine) => Effect.Effect<void>
    /** Records that an HTTP answer arrived, whatever its content: the outgoing connection works. */
    readonly answered: Effect.Effect<void>
    readonly record: (engine: Engine, ticket: Ticket, told: AttemptResult) => Effect.Effect<void>
    /** Ends an attempt that says nothing about the engine. */
    readonly release: (engine: Engine, ticket: Ticket, wasSent: boolean) => Effect.Effect<void>
    /** Records that an answer recorded as `ok` turned out irrelevant. */
    readonly distrust: (name: string) => Effect.Effect<void>
    /** Records that a search stopped waiting for an answer. */
    readonly late: (name: string) => Effect.Effect<void>
    readonly look: (name: string) => Effect.Effect<EngineState>
  }
>() {
  /** In-memory health of this process. */
  static readonly layerMemory = Layer.effect(
    EngineHealth,
    Effect.map(Settings, ({ searchProxy }) => {
      const states = new Map<string, EngineState>()
      const look = (name: string): EngineState => states.get(name) ?? fresh
      const outage = MutableRef.make(noOutage)
      /** Time of the last answer of any engine, in milliseconds since 1970. */
      const answeredAt = MutableRef.make(Number.NEGATIVE_INFINITY)

      const change = (name: string, to: (state: EngineState) => EngineState): Effect.Effect<void> =>
        Effect.suspend(() => {
          const before = look(name)
          const after = to(before)
          states.set(name, after)
          return logRest(name, before.rest, after.rest)
        })

      /** The current time in milliseconds, and a random number from -1 to 1. */
      const nowAndJitter = Effect.all([Clock.currentTimeMillis, Random.nextRange(-1, 1)])

      /** Checks after each attempt whether the outgoing connection is down. */
      const confirm = Effect.flatMap(Clock.currentTimeMillis, (now) => {
        const underWay = Array.from(states.values()).reduce((sum, state) => sum + state.underWay, 0)
        const found = confirmed(MutableRef.get(outage), underWay, now)
        MutableRef.set(outage, found.outage)
        return found.warning === null ? Effect.void : logOutage(found.warning, searchProxy)
      })

      /** Counts a failed connection against its engine, unless all connections fail. */
      const recordConnectionFailure = (name: string, fault: ConnectionFault, blow: FaultEvent) =>
        Effect.suspend(() => {
          const before = look(name)
          const after = applyFault(before, blow)
          const failed = failedToConnect(MutableRef.get(outage), {
            engine: name,
            fault,
            at: blow.at,
            before,
            after,
            blow
          })
          MutableRef.set(outage, failed.outage)
          return Effect.zipRight(
            Effect.forEach(failed.takenBack, (one) => change(one.engine, (state) => withoutFault(state, one))),
            failed.isSpared ? Effect.void : change(name, () => after)
          )
        })

      /** The connection fault of a failed attempt. A timeout is one when no engine has answered since the attempt began. */
      const connectionFaultOf = (ticket: Ticket, { outcome, status }: Failed, isConnected: boolean) => {
        if (status !== null) return null
        if (isConnectionFault(outcome)) return outcome
        const isUnreached = outcome === "timeout" && !isConnected && MutableRef.get(answeredAt) < ticket.at
        return isUnreached ? "connect_error" : null
      }

      const fail = (name: string, ticket: Ticket, failure: Failed, isConnected: boolean, at: number, jitter: number) =>
        Effect.suspend(() => {
          const event = { ticket, isProbe: look(name).probe === ticket.number, failure, at, jitter }
          states.set(name, faulted(look(name), ticket, failure, at))
          const fault = connectionFaultOf(ticket, failure, isConnected)
          return fault === null
            ? change(name, (state) => applyFault(state, event))
            : recordConnectionFailure(name, fault, { ...event, failure: { ...failure, outcome: fault } })
        })

      return {
        look: (name) => Effect.sync(() => look(name)),
        admit: ({ name, pace }, asking) =>
          Effect.map(Clock.currentTimeMillis, (now) => {
            const [admission, state] = admit(look(name), pace, asking, now)
            states.set(name, state)
            return admission
          }),
        borrowToken: ({ name, pace }) =>
          Effect.flatMap(Clock.currentTimeMillis, (now) =>
            change(name, (state) => (pace === undefined ? state : { ...state, bucket: take(state.bucket, pace, now) }))
          ),
        giveBack: ({ name, pace }) =>
          Effect.flatMap(Clock.currentTimeMillis, (now) =>
            change(name, (state) =>
              pace === undefined ? state : { ...state, bucket: giveBack(state.bucket, pace, now) }
            )
          ),
        answered: Effect.flatMap(Clock.currentTimeMillis, (now) => {
          MutableRef.set(answeredAt, now)
          const found = answered(MutableRef.get(outage))
          MutableRef.set(outage, found.outage)
          return Effect.zipRight(
            Effect.forEach(found.reinstated, ({ blow, engine }) => change(engine, (state) => applyFault(state, blow)), {
              discard: true
            }),
            Effect.when(Effect.logInfo("outgoing connection is back"), () => found.isBack)
          )
        }),
        record: ({ name }, ticket, { isConnected, outcome, retryAfter, status, tookMs }) =>
          Effect.flatMap(nowAndJitter, ([now, jitter]) =>
            outcome === "ok" || outcome === "empty"
              ? change(name, (state) => succeeded(state, ticket, { outcome, tookMs }))
              : fail(
                  name,
                  ticket,
                  { outcome, status, retryAfterMs: retryAfterMs(retryAfter, now) },
                  isConnected,
                  now,
                  jitter
                )
          ).pipe(Effect.zipRight(confirm)),
        release: ({ name }, ticket, wasSent) =>
          Effect.zipRight(
            change(name, (state) => release(state, ticket, wasSent)),
            confirm
          ),
        distrust: (name) =>
          Effect.flatMap(nowAndJitter, ([now, jitter]) => change(name, (state) => distrusted(state, now, jitter))),
        late: (name) =>
          Effect.flatMap(nowAndJitter, ([now, jitter]) => change(name, (state) => answeredLate(state, now, jitter)))
      }
    })
  )
}
