import { type RpcMessage, RpcSerialization, RpcServer } from "@effect/rpc"
import { Cause, Context, Deferred, Effect, HashMap, Layer, Mailbox, Option, Ref, type Schema, Stream } from "effect"
import { InternalError } from "../../domain/Failure.ts"
import { ClientKey } from "../../services/rate-limiter/ClientKey.ts"
import { logDefect } from "../../services/logging/FailureLog.ts"
import { RequestRecord } from "../../services/logging/RequestRecord.ts"
import { failed } from "./Admission.ts"
import { type Request } from "./RpcMessages.ts"

/** A POST whose response is still open. */
interface OpenRequest {
  readonly requestId: string
  /** Context of the HTTP request. Procedures run in fibers of the RPC server, which do not inherit it. */
  readonly context: Context.Context<ClientKey | RequestRecord>
  readonly answers: Mailbox.Mailbox<Uint8Array>
}

/** POSTs with an open response, by their client id in the RPC server. */
export class Posts extends Context.Tag("quarry/http/Rpc/Posts")<
  Posts,
  Ref.Ref<HashMap.HashMap<number, OpenRequest>>
>() {
  static readonly layer = Layer.effect(Posts, Ref.make(HashMap.empty<number, OpenRequest>()))
}

type Listener = (clientId: number, message: RpcMessage.FromClientEncoded) => Effect.Effect<void>

const isFatal = (cause: Schema.CauseEncoded<unknown, unknown>): boolean => {
  switch (cause._tag) {
    case "Die":
      return true
    case "Sequential":
    case "Parallel":
      return isFatal(cause.left) || isFatal(cause.right)
    default:
      return false
  }
}

/** Logs a defect in a message and replaces it with an internal error, so that no internal detail reaches the client. */
const sanitized = (message: RpcMessage.FromServerEncoded, requestId: string) => {
  const told = (fault: unknown, instead: RpcMessage.FromServerEncoded) =>
    Effect.as(logDefect(Cause.die(fault), { annotations: { request_id: requestId } }), instead)
  if (message._tag === "Defect") return told(message.defect, { ...message, defect: "Internal server error" })
  return message._tag === "Exit" && message.exit._tag === "Failure" && isFatal(message.exit.cause)
    ? told(message.exit.cause, failed(message.requestId, new InternalError({ request_id: requestId })))
    : Effect.succeed(message)
}

/**
 * Connects POSTs to the RPC server. Each POST is a separate client. It disconnects when its response ends or is no
 * longer read, which interrupts its running calls.
 */
export const makeProtocol = Effect.gen(function* () {
  const serialization = yield* RpcSerialization.RpcSerialization
  const { encode } = serialization.unsafeMake()
  const utf8 = new TextEncoder()
  const listening = yield* Deferred.make<Listener>()
  const disconnects = yield* Mailbox.make<number>()
  const posts = yield* Posts
  const ids = yield* Ref.make(0)

  const ofPost = (clientId: number, use: (post: OpenRequest) => Effect.Effect<unknown>) =>
    Effect.flatMap(Ref.get(posts), (open) =>
      Option.match(HashMap.get(open, clientId), {
        onNone: () => Effect.void,
        onSome: (post) => Effect.asVoid(use(post))
      })
    )

  const forget = (clientId: number) => Ref.update(posts, HashMap.remove(clientId))

  const write = ({ answers }: OpenRequest, message: RpcMessage.FromServerEncoded) => {
    const line = encode(message)
    return line === undefined ? Effect.void : answers.offer(typeof line === "string" ? utf8.encode(line) : line)
  }

  const protocol = RpcServer.Protocol.of({
    run: (listener) => Effect.zipRight(Deferred.succeed(listening, listener), Effect.never),
    disconnects,
    send: (clientId, message) =>
      ofPost(clientId, (post) =>
        Effect.flatMap(sanitized(message, post.requestId), (shown) => write(post, shown)).pipe(
          Effect.provide(post.context)
        )
      ),
    // Also removes the POST of a response that is never read, since its stream never runs.
    end: (clientId) =>
      Effect.zipRight(
        ofPost(clientId, ({ answers }) => answers.end),
        forget(clientId)
      ),
    clientIds: Effect.map(Ref.get(posts), (open) => new Set(HashMap.keys(open))),
    initialMessage: Effect.succeedNone,
    supportsAck: false,
    supportsTransferables: false,
    supportsSpanPropagation: false
  })

  /** Answers a POST: first with the messages that are already known, then with the results of the calls. */
  const answer = (
    requestId: string,
    known: ReadonlyArray<RpcMessage.FromServerEncoded>,
    requests: ReadonlyArray<Request>
  ) =>
    Effect.gen(function* () {
      const listener = yield* Deferred.await(listening)
      const clientId = yield* Ref.getAndUpdate(ids, (id) => id + 1)
      const context = Context.add(Context.make(ClientKey, yield* ClientKey), RequestRecord, yield* RequestRecord)
      const post: OpenRequest = { requestId, context, answers: yield* Mailbox.make<Uint8Array>() }
      yield* Ref.update(posts, HashMap.set(clientId, post))
      const disconnect = Effect.zipRight(forget(clientId), disconnects.offer(clientId))
      yield* Effect.gen(function* () {
        yield* Effect.forEach(known, (message) => write(post, message), { discard: true })
        for (const { id, payload, tag } of requests) {
          // Headers that the client puts in a message are dropped: procedures use none of them.
          yield* listener(clientId, { _tag: "Request", id, tag, payload, headers: [["x-request-id", requestId]] })
        }
        yield* listener(clientId, { _tag: "Eof" })
      }).pipe(Effect.onInterrupt(() => disconnect))
      return Mailbox.toStream(post.answers).pipe(Stream.ensuring(disconnect))
    })

  return { protocol, answer, contentType: serialization.contentType }
})
