import { HttpClient, HttpClientRequest } from "@effect/platform"
import { RpcClient, RpcSerialization } from "@effect/rpc"
import { Effect } from "effect"
import { type ClientOptions } from "../Client.ts"
import { Procedures } from "../Rpc.ts"

/**
 * A client of the procedures at `/rpc`, for as long as its scope lasts. An answer that does not come from them (a proxy's
 * 502, the service draining) is an `RpcClientError`: without the status check the call would wait for ever.
 */
export const rpcClient = ({ baseUrl, transformClient = (client) => client }: ClientOptions) =>
  Effect.gen(function* () {
    const http = transformClient(yield* HttpClient.HttpClient).pipe(
      HttpClient.mapRequest(HttpClientRequest.prependUrl(`${baseUrl}/rpc`)),
      HttpClient.filterStatusOk
    )
    const protocol = yield* Effect.provideService(
      RpcClient.makeProtocolHttp(http),
      RpcSerialization.RpcSerialization,
      RpcSerialization.ndjson
    )
    return yield* Effect.provideService(RpcClient.make(Procedures), RpcClient.Protocol, protocol)
  })
