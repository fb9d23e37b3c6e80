import { Layer } from "effect"
import { logging } from "./services/Logging.ts"
import { services } from "./services/Services.ts"
import { Settings } from "./services/Settings.ts"

/** All that an interface is put on. */
export const foundation = services.pipe(
  Layer.provideMerge(logging),
  Layer.provideMerge(Settings.layer),
  // Spans that nobody exports cost a fifth of a request.
  Layer.provideMerge(Layer.setTracerEnabled(false))
)
