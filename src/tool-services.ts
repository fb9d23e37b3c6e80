import { Effect, Layer } from "effect"
import { foundation } from "./foundation.ts"
import { Content } from "./services/content/Content.ts"
import { Engines } from "./services/engine/Engines.ts"
import { Search } from "./services/search/Search.ts"

/** What the tools of a local process are over, and the runtime that goes with it, until the scope ends. */
export const localToolServices = Effect.flatMap(Layer.toRuntime(foundation), (runtime) =>
  Effect.provide(
    Effect.map(Effect.all({ search: Search, content: Content, engines: Engines }), (services) => ({
      backing: services,
      runtime
    })),
    runtime
  )
)
