import { Effect, Layer } from "effect"
import { logging } from "./services/logging/Logging.ts"
import { services } from "./services/Services.ts"
import { Settings, warnOfSettings } from "./services/settings/Settings.ts"

const warnings = Layer.unwrapEffect(Effect.sync(() => warnOfSettings(Object.keys(process.env))))

/** All that an interface is put on. */
export const foundation = Layer.merge(services, warnings).pipe(
  Layer.provideMerge(logging),
  Layer.provideMerge(Settings.layer),
  // Spans that nobody exports cost a fifth of a request.
  Layer.provideMerge(Layer.setTracerEnabled(false))
)
