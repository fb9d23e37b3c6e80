/** `quarry/http`: the HTTP interface, on its own socket or on your server. */
export { Api } from "../http/Api.ts"
export { type MountedApp, MountedApps } from "../http/MountedApps.ts"
export { Procedures } from "../http/Rpc.ts"
export { rpcApp } from "../http/Rpc/RpcApp.ts"
export { httpApp, httpServer } from "../http/Server.ts"
