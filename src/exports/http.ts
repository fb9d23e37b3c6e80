/** `quarry/http`: the HTTP interface, on a socket of its own or on a server of yours. */
export { Api } from "../http/Api.ts"
export { type MountedApp as Door, MountedApps as Doors } from "../http/MountedApps.ts"
export { Procedures } from "../http/Rpc.ts"
export { rpcApp as rpcDoor } from "../http/Rpc/RpcApp.ts"
export { httpApp, httpServer } from "../http/Server.ts"
