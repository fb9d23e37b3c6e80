/** `quarry/http`: the HTTP interface, on a socket of its own or on a server of yours. */
export { Api } from "../http/Api.ts"
export { type Door, Doors } from "../http/Doors.ts"
export { Procedures } from "../http/Rpc.ts"
export { rpcDoor } from "../http/Rpc/Door.ts"
export { httpApp, httpServer } from "../http/Server.ts"
