import { Effect, Layer } from "effect"
import { foundation } from "./foundation.ts"
import { Doors } from "./http/Doors.ts"
import { rpcDoor } from "./http/Rpc/Door.ts"
import { httpServer } from "./http/Server.ts"
import { launch } from "./launch.ts"
import { mcpDoor } from "./mcp/Door.ts"

const doors = Layer.scoped(Doors, Effect.all([rpcDoor, mcpDoor]))

launch(Layer.launch(Layer.provide(httpServer, doors)).pipe(Effect.provide(foundation)))
