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
  type Blow,
  answeredLate,
  distrusted,
  type EngineState,
  faulted,
  fresh,
  release,
  struck,
  succeeded,
  takenBack,
  type Ticket
} from "./State.ts"
import { type Engine } from "../../Engine.ts"
import { Settings } from "../../../settings/Settings.ts"
import { addressOf, type Proxy } from "../../../settings/Proxy.ts"

/** What came of an ask that says something of the engine. */
export interface AttemptResult {
  readonly outcome: "ok" | "empty" | EngineFailure
  /** Milliseconds that the engine took. */
  readonly tookMs: number
  /** Of its last answer, whole or not; null where there was none. */
  readonly status: number | null
  /** The `Retry-After` header of that answer. */
  readonly retryAfter: string | undefined
}

/** Logs what an operator wants to know: an engine begins to rest, or is back. */
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
 * How each engine fares, and so whether it may be asked: a rest after refusals and faults, a probe after the rest, a
 * pace. When no connection can be made at all, no engine is blamed for it. Nothing here waits.
 */
export class EngineHealth extends Context.Tag("quarry/EngineHealth")<
  EngineHealth,
  {
    /** Permission for one ask; each has to end by `tell` or `release`. */
    readonly admit: (
      engine: Engine,
      asking: { readonly named: boolean; readonly timeLeftMs: number }
    ) => Effect.Effect<Admission>
    /** A token for a further request of the same ask: it goes at once, and the next ask waits for what it owes. */
    readonly owe: (engine: Engine) => Effect.Effect<void>
    /** Gives back the token of a request that was not sent. */
    readonly giveBack: (engine: Engine) => Effect.Effect<void>
    /** An HTTP answer of an engine has come, whatever it says: the outgoing connection works. */
    readonly answered: Effect.Effect<void>
    readonly record: (engine: Engine, ticket: Ticket, told: AttemptResult) => Effect.Effect<void>
    /** Ends an ask that says nothing of the engine. */
    readonly release: (engine: Engine, ticket: Ticket, wasSent: boolean) => Effect.Effect<void>
    /** An answer that was told as `ok` was found irrelevant. */
    readonly distrust: (name: string) => Effect.Effect<void>
    /** An answer was not waited for any longer. */
    readonly late: (name: string) => Effect.Effect<void>
    readonly look: (name: string) => Effect.Effect<EngineState>
  }
>() {
  /** What this process knows. */
  static readonly layerMemory = Layer.effect(
    EngineHealth,
    Effect.map(Settings, ({ searchProxy }) => {
      const states = new Map<string, EngineState>()
      const look = (name: string): EngineState => states.get(name) ?? fresh
      const outage = MutableRef.make(noOutage)

      const change = (name: string, to: (state: EngineState) => EngineState): Effect.Effect<void> =>
        Effect.suspend(() => {
          const before = look(name)
          const after = to(before)
          states.set(name, after)
          return logRest(name, before.rest, after.rest)
        })

      /** The time, and a number from -1 to 1. */
      const nowAndJitter = Effect.all([Clock.currentTimeMillis, Random.nextRange(-1, 1)])

      /** Looks whether the outgoing connection is down, now that an ask has ended. */
      const confirm = Effect.flatMap(Clock.currentTimeMillis, (now) => {
        const underWay = Array.from(states.values()).reduce((sum, state) => sum + state.underWay, 0)
        const found = confirmed(MutableRef.get(outage), underWay, now)
        MutableRef.set(outage, found.outage)
        return found.warning === null ? Effect.void : logOutage(found.warning, searchProxy)
      })

      /** A failure to connect is held against its engine unless all connections fail. */
      const unreached = (name: string, fault: ConnectionFault, blow: Blow) =>
        Effect.suspend(() => {
          const before = look(name)
          const after = struck(before, blow)
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
            Effect.forEach(failed.takenBack, (one) => change(one.engine, (state) => takenBack(state, one))),
            failed.isSpared ? Effect.void : change(name, () => after)
          )
        })

      const fail = (name: string, ticket: Ticket, failure: Failed, at: number, jitter: number) =>
        Effect.suspend(() => {
          const blow = { ticket, isProbe: look(name).probe === ticket.number, failure, at, jitter }
          states.set(name, faulted(look(name), ticket, failure, at))
          return failure.status === null && isConnectionFault(failure.outcome)
            ? unreached(name, failure.outcome, blow)
            : change(name, (state) => struck(state, blow))
        })

      return {
        look: (name) => Effect.sync(() => look(name)),
        admit: ({ name, pace }, asking) =>
          Effect.map(Clock.currentTimeMillis, (now) => {
            const [admission, state] = admit(look(name), pace, asking, now)
            states.set(name, state)
            return admission
          }),
        owe: ({ name, pace }) =>
          Effect.flatMap(Clock.currentTimeMillis, (now) =>
            change(name, (state) => (pace === undefined ? state : { ...state, bucket: take(state.bucket, pace, now) }))
          ),
        giveBack: ({ name, pace }) =>
          Effect.flatMap(Clock.currentTimeMillis, (now) =>
            change(name, (state) =>
              pace === undefined ? state : { ...state, bucket: giveBack(state.bucket, pace, now) }
            )
          ),
        answered: Effect.suspend(() => {
          const found = answered(MutableRef.get(outage))
          MutableRef.set(outage, found.outage)
          return Effect.zipRight(
            Effect.forEach(found.heldAgain, ({ blow, engine }) => change(engine, (state) => struck(state, blow)), {
              discard: true
            }),
            Effect.when(Effect.logInfo("outgoing connection is back"), () => found.isBack)
          )
        }),
        record: ({ name }, ticket, { outcome, retryAfter, status, tookMs }) =>
          Effect.flatMap(nowAndJitter, ([now, jitter]) =>
            outcome === "ok" || outcome === "empty"
              ? change(name, (state) => succeeded(state, ticket, { outcome, tookMs }))
              : fail(name, ticket, { outcome, status, retryAfterMs: retryAfterMs(retryAfter, now) }, now, jitter)
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
