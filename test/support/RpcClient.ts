import { FetchHttpClient, HttpClient, HttpClientRequest } from "@effect/platform"
import { Effect } from "effect"
import { rpcClient } from "../../src/http/Rpc/RpcClient.ts"
import { newClient } from "./Client.ts"
import { Server } from "./Server.ts"

/** A client of the service's procedures whose address, as the trusted hop gives it, is `from`. */
export const connect = (from: string = newClient()) =>
  Effect.flatMap(Server, ({ baseUrl }) =>
    rpcClient({
      baseUrl,
      transformClient: HttpClient.mapRequest(HttpClientRequest.setHeader("X-Forwarded-For", from))
    })
  ).pipe(Effect.provide(FetchHttpClient.layer))
