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

/** Matches paths exactly, so that no other spelling escapes its rate-limit group. */
const exactPaths = HttpRouter.setRouterConfig({
  caseSensitive: true,
  ignoreTrailingSlash: false,
  ignoreDuplicateSlashes: false
})

const served = HttpApiBuilder.serve().pipe(
  Layer.provide(HttpApiBuilder.middleware(requestPipeline)),
  Layer.provide([api, pages]),
  Layer.provide(exactPaths)
)

/** The whole HTTP interface, on a `NodeHttpServer` that the caller creates, binds and closes. */
export const httpApp = served.pipe(Layer.provide(Drain.layer))

/**
 * The whole HTTP interface on its own socket, configured by the settings, with connection limits and graceful shutdown.
 */
export const httpServer = Layer.unwrapEffect(
  Effect.map(serverLayers, ({ drain, server }) =>
    Layer.mergeAll(startLine, drain).pipe(Layer.provideMerge(served), Layer.provide(server))
  )
).pipe(Layer.provide(Drain.layer))
