import { RpcSerialization, RpcServer } from "@effect/rpc"
import { Array as Arr, Effect, Layer, Stream } from "effect"
import { MalformedJson, UnsupportedMediaType } from "../../domain/Failure.ts"
import { Search } from "../../services/search/Search.ts"
import { type MountedApp } from "../MountedApps.ts"
import { Procedures } from "../Rpc.ts"
import { check } from "./Admission.ts"
import { rpcHandlers } from "./RpcHandlers.ts"
import { messagesOf } from "./RpcMessages.ts"
import { makeProtocol, Posts } from "./RpcProtocol.ts"

const methods = ["POST"] as const

const utf8 = new TextDecoder("utf-8", { fatal: true })

const read = (request: Request) =>
  Effect.gen(function* () {
    const type = request.headers.get("content-type") ?? ""
    if (!/^(?:application\/(?:x-)?(?:nd)?json\s*(?:;|$)|$)/i.test(type)) {
      return yield* new UnsupportedMediaType({ expected: "application/ndjson" })
    }
    const bytes = yield* Effect.promise(() => request.arrayBuffer())
    const body = yield* Effect.try({
      try: () => utf8.decode(bytes),
      catch: () => new MalformedJson({ reason: "The body is not UTF-8." })
    })
    return yield* messagesOf(body)
  })

/**
 * The mounted app at `/rpc`. A call spends the budget of its endpoint before the response begins, so that the response
 * headers include it.
 */
export const rpcApp = Effect.gen(function* () {
  const { backendProblems } = yield* Search
  const { answer, contentType, protocol } = yield* makeProtocol
  yield* RpcServer.make(Procedures, { disableFatalDefects: true }).pipe(
    Effect.provideService(RpcServer.Protocol, protocol),
    Effect.forkScoped
  )
  const door: MountedApp = {
    path: "/rpc",
    methods,
    description: "The same procedures for clients of @effect/rpc, as newline-delimited JSON",
    handle: (request, caller) =>
      Effect.gen(function* () {
        const messages = yield* Effect.tapError(read(request), () => caller.spend("info"))
        const requests = messages.filter((message) => message._tag === "Request")
        if (requests.length === 0) yield* caller.spend("info")
        const [refused, calls] = Arr.separate(
          yield* Effect.forEach(requests, (call) => check(call, caller, backendProblems))
        )
        const pongs = messages.filter(({ _tag }) => _tag === "Ping").map(() => ({ _tag: "Pong" as const }))
        const lines = yield* answer(request.headers.get("x-request-id") ?? "", [...pongs, ...refused], calls)
        const body = yield* Stream.toReadableStreamEffect(lines)
        return new Response(body, { headers: { "content-type": contentType } })
      })
  }
  return door
}).pipe(Effect.provide(Layer.provideMerge(rpcHandlers, Layer.merge(Posts.layer, RpcSerialization.layerNdjson))))
