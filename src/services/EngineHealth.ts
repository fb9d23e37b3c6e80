import { Clock, Context, Effect, Layer, Random } from "effect"
import { type EngineFailure } from "../domain/EngineReport.ts"
import { giveBack, take } from "./EngineHealth/Bucket.ts"
import { retryAfterMs } from "./EngineHealth/RetryAfter.ts"
import {
  admit,
  type Admission,
  dawdled,
  distrusted,
  type EngineState,
  failed,
  fresh,
  release,
  succeeded,
  type Ticket
} from "./EngineHealth/State.ts"
import { type Engine } from "./Engines/Engine.ts"

/** What came of an ask that says something of the engine. */
export interface Told {
  readonly outcome: "ok" | "empty" | EngineFailure
  /** Milliseconds that the engine took. */
  readonly tookMs: number
  /** Of its last answer; null where there was none. */
  readonly status: number | null
  /** The `Retry-After` header of that answer. */
  readonly retryAfter: string | undefined
}

/**
 * How each engine fares, and so whether it may be asked: a rest after refusals and faults, a probe after the rest, a
 * pace. Nothing here waits.
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
    readonly tell: (engine: Engine, ticket: Ticket, told: Told) => Effect.Effect<void>
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
  static readonly layerMemory = Layer.sync(EngineHealth, () => {
    const states = new Map<string, EngineState>()
    const look = (name: string): EngineState => states.get(name) ?? fresh

    /** Logs what an operator wants to know: an engine begins to rest, or is back. */
    const change = (name: string, to: (state: EngineState) => EngineState): Effect.Effect<void> =>
      Effect.suspend(() => {
        const before = look(name)
        const after = to(before)
        states.set(name, after)
        if (after.rest === before.rest) return Effect.void
        return after.rest === null
          ? Effect.annotateLogs(Effect.logInfo("engine is back"), { engine: name })
          : Effect.annotateLogs(Effect.logInfo("engine rests"), {
              engine: name,
              reason: after.rest.reason,
              level: after.rest.level,
              until: new Date(after.rest.until).toISOString()
            })
      })

    /** The time, and a number from -1 to 1. */
    const nowAndJitter = Effect.all([Clock.currentTimeMillis, Random.nextRange(-1, 1)])

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
      tell: ({ name }, ticket, { outcome, retryAfter, status, tookMs }) =>
        Effect.flatMap(nowAndJitter, ([now, jitter]) =>
          change(name, (state) =>
            outcome === "ok" || outcome === "empty"
              ? succeeded(state, ticket, { outcome, tookMs })
              : failed(state, ticket, { outcome, status, retryAfterMs: retryAfterMs(retryAfter, now) }, now, jitter)
          )
        ),
      release: ({ name }, ticket, wasSent) => change(name, (state) => release(state, ticket, wasSent)),
      distrust: (name) =>
        Effect.flatMap(nowAndJitter, ([now, jitter]) => change(name, (state) => distrusted(state, now, jitter))),
      late: (name) =>
        Effect.flatMap(nowAndJitter, ([now, jitter]) => change(name, (state) => dawdled(state, now, jitter)))
    }
  })
}
