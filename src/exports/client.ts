/** `quarry/client`: typed clients of a running service, without any server code. */
export { Api } from "../http/Api.ts"
export { type ClientOptions, restClient } from "../http/Client.ts"
export { Procedures } from "../http/Rpc.ts"
export { rpcClient } from "../http/Rpc/RpcClient.ts"
