/**
 * Mounts Quarry's HTTP interface on your own server, with your own socket, settings and route. The route has the same
 * request ids, rate limits and error envelopes as Quarry's own routes.
 */
import { NodeHttpServer, NodeRuntime } from "@effect/platform-node"
import { Effect, Layer } from "effect"
import { createServer } from "node:http"
import { searchKinds } from "quarry/domain"
import { httpApp, type MountedApp, MountedApps, rpcApp } from "quarry/http"
import { logging, services, Settings } from "quarry/services"

const kinds: MountedApp = {
  path: "/kinds",
  methods: ["GET"],
  description: "The kinds of search there are",
  handle: (_request, caller) => Effect.as(caller.spend("info"), Response.json(searchKinds))
}

const settings = Settings.layerOf({ APP_ENV: "development", LOG_LEVEL: "warn", ENGINES_DISABLED: "bing" })

const port = Number(process.env["PORT"] ?? 8080)
const server = createServer()
server.on("listening", () => {
  process.stdout.write(`${JSON.stringify(server.address())}\n`)
})

httpApp.pipe(
  Layer.provide(
    Layer.scoped(
      MountedApps,
      Effect.map(rpcApp, (rpc) => [kinds, rpc])
    )
  ),
  Layer.provide(services),
  Layer.provide(logging),
  Layer.provide(settings),
  Layer.provide(NodeHttpServer.layer(() => server, { port, host: "127.0.0.1" })),
  Layer.launch,
  NodeRuntime.runMain
)
