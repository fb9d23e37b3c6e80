import { Effect, Layer } from "effect"
import { foundation } from "./foundation.ts"
import { MountedApps } from "./http/MountedApps.ts"
import { rpcApp } from "./http/Rpc/RpcApp.ts"
import { httpServer } from "./http/Server.ts"
import { launch } from "./launch.ts"
import { mcpApp } from "./mcp/McpApp.ts"

const mountedApps = Layer.scoped(MountedApps, Effect.all([rpcApp, mcpApp]))

launch(Layer.launch(Layer.provide(httpServer, mountedApps)).pipe(Effect.provide(foundation)))
