import { Effect, Layer } from "effect"
import { logging } from "./services/logging/Logging.ts"
import { services } from "./services/Services.ts"
import { Settings, warnOfSettings } from "./services/settings/Settings.ts"

const warnings = Layer.unwrapEffect(Effect.sync(() => warnOfSettings(Object.keys(process.env))))

/** The Layers that every interface requires. */
export const foundation = Layer.merge(services, warnings).pipe(
  Layer.provideMerge(logging),
  Layer.provideMerge(Settings.layer),
  // Spans without an exporter cost a fifth of a request.
  Layer.provideMerge(Layer.setTracerEnabled(false))
)
