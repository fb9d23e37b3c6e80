import { HttpApiBuilder, HttpRouter } from "@effect/platform"
import { Effect, Layer } from "effect"
import { Api } from "./Api.ts"
import { Drain } from "./Drain.ts"
import { requestPipeline } from "./RequestPipeline.ts"
import { handlers } from "./Handlers.ts"
import { serverLayers } from "./NodeServer.ts"
import { pages } from "./Pages.ts"
import { startLine } from "./StartLine.ts"

const api = HttpApiBuilder.api(Api).pipe(Layer.provide(handlers))

/** Only the spelling of the definition reaches a handler, so that no other one escapes its rate-limit group. */
const toTheLetter = HttpRouter.setRouterConfig({
  caseSensitive: true,
  ignoreTrailingSlash: false,
  ignoreDuplicateSlashes: false
})

const served = HttpApiBuilder.serve().pipe(
  Layer.provide(HttpApiBuilder.middleware(requestPipeline)),
  Layer.provide([api, pages]),
  Layer.provide(toTheLetter)
)

/** Everything that is served over HTTP, on a `NodeHttpServer` that is somebody else's to make, bind and end. */
export const httpApp = served.pipe(Layer.provide(Drain.layer))

/** The same on a socket of its own, as the settings say: bounded, and drained at the end. */
export const httpServer = Layer.unwrapEffect(
  Effect.map(serverLayers, ({ drain, server }) =>
    Layer.mergeAll(startLine, drain).pipe(Layer.provideMerge(served), Layer.provide(server))
  )
).pipe(Layer.provide(Drain.layer))
