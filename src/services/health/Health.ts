import { Clock, Context, Effect, Layer } from "effect"
import { type HealthReport } from "../../domain/Info.ts"
import { type SearchKind, searchKinds } from "../../domain/SearchKind.ts"
import { version } from "../../domain/Version.ts"
import { EngineHealth } from "../engine/runtime/health/EngineHealth.ts"
import { isWithinRest } from "../engine/runtime/health/State.ts"
import { Engines } from "../engine/Engines.ts"

/** The state of the service (contract, section 1). It is degraded when a kind has no usable engine. */
export class Health extends Context.Tag("quarry/Health")<
  Health,
  {
    readonly report: Effect.Effect<HealthReport>
    /** The kinds without a usable engine: there is none, or all are resting. An engine due for a probe is usable. */
    readonly readiness: Effect.Effect<ReadonlyArray<SearchKind>>
  }
>() {
  static readonly layer = Layer.effect(
    Health,
    Effect.gen(function* () {
      const engines = yield* Engines
      const health = yield* EngineHealth
      const started = yield* Clock.currentTimeMillis

      const isUsable = (name: string) =>
        Effect.zipWith(health.look(name), Clock.currentTimeMillis, (state, now) => !isWithinRest(state, now))

      const readiness = Effect.filter(
        searchKinds,
        (kind) => Effect.exists(engines.forKind(kind), ({ engine }) => isUsable(engine.name)),
        { negate: true }
      )

      return {
        readiness,
        report: Effect.zipWith(readiness, Clock.currentTimeMillis, (lacking, now) => ({
          status: lacking.length > 0 ? ("degraded" as const) : ("healthy" as const),
          service: "quarry",
          version,
          uptime_seconds: Math.floor((now - started) / 1_000)
        }))
      }
    })
  )
}
