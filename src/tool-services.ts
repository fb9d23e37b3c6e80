import { Effect, Layer } from "effect"
import { foundation } from "./foundation.ts"
import { Content } from "./services/content/Content.ts"
import { Engines } from "./services/engine/Engines.ts"
import { Search } from "./services/search/Search.ts"

/** Services of the tools in a local process and their runtime, available until the scope closes. */
export const localToolServices = Effect.flatMap(Layer.toRuntime(foundation), (runtime) =>
  Effect.provide(
    Effect.map(Effect.all({ search: Search, content: Content, engines: Engines }), (services) => ({
      backing: services,
      runtime
    })),
    runtime
  )
)
