import { HttpClient, HttpClientError, HttpClientRequest } from "@effect/platform"
import { RpcClient, RpcSerialization } from "@effect/rpc"
import { Effect } from "effect"
import { type ClientOptions } from "../Client.ts"
import { Procedures } from "../Rpc.ts"

/**
 * A client of the procedures at `/rpc`, valid until its scope closes. A response from another source (a proxy's 502 or
 * login page, a draining service) fails with an `RpcClientError`. Without this check, the call would wait forever.
 */
export const rpcClient = ({ baseUrl, transformClient = (client) => client }: ClientOptions) =>
  Effect.gen(function* () {
    const http = transformClient(yield* HttpClient.HttpClient).pipe(
      HttpClient.mapRequest(HttpClientRequest.prependUrl(`${baseUrl}/rpc`)),
      HttpClient.filterStatusOk,
      HttpClient.filterOrFail(
        (response) => (response.headers["content-type"] ?? "").startsWith("application/ndjson"),
        (response) =>
          new HttpClientError.ResponseError({
            request: response.request,
            response,
            reason: "Decode",
            description: "This is no answer of Quarry's procedures."
          })
      )
    )
    const protocol = yield* Effect.provideService(
      RpcClient.makeProtocolHttp(http),
      RpcSerialization.RpcSerialization,
      RpcSerialization.ndjson
    )
    return yield* Effect.provideService(RpcClient.make(Procedures), RpcClient.Protocol, protocol)
  })
