import { Clock, Context, Effect, Layer } from "effect"
import { type HealthReport } from "../domain/Info.ts"
import { searchKinds } from "../domain/SearchKind.ts"
import { version } from "../domain/Version.ts"
import { Engines } from "./Engines.ts"

/** How the service is (contract, section 1): degraded when a kind has no engine left. */
export class Health extends Context.Tag("quarry/Health")<Health, { readonly report: Effect.Effect<HealthReport> }>() {
  static readonly layer = Layer.effect(
    Health,
    Effect.gen(function* () {
      const engines = yield* Engines
      const started = yield* Clock.currentTimeMillis
      const degraded = searchKinds.some((kind) => engines.forKind(kind).length === 0)
      return {
        report: Effect.map(Clock.currentTimeMillis, (now) => ({
          status: degraded ? "degraded" : "healthy",
          service: "quarry",
          version,
          uptime_seconds: Math.floor((now - started) / 1_000)
        }))
      }
    })
  )
}
