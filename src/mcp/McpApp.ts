import { isJsonContentType } from "@modelcontextprotocol/server"
import { Effect, Ref } from "effect"
import { parseJson } from "../domain/BoundedJson.ts"
import { type RateLimitExceeded } from "../domain/Failure.ts"
import { type Caller } from "../services/rate-limiter/Caller.ts"
import { Content } from "../services/content/Content.ts"
import { Engines } from "../services/engine/Engines.ts"
import { Search } from "../services/search/Search.ts"
import { Settings } from "../services/settings/Settings.ts"
import { refusalOf } from "./Admission.ts"
import { acceptsEvents, exchange } from "./SdkRequest.ts"
import {
  asksForProgress,
  idOf,
  isIgnored,
  isMessage,
  lenientBody,
  messagesOf,
  paramsProblem,
  resourceOf,
  takesBatches,
  toolOf
} from "./Messages.ts"
import { hasProgress, isTool, makeProtocol } from "./McpServer.ts"
import * as Refusal from "./Refusal.ts"
import { isContent } from "./Resources.ts"

const methods = ["POST"] as const

const utf8 = new TextDecoder("utf-8", { fatal: true })

const jsonOf = (request: Request) =>
  Effect.flatMap(
    Effect.promise(() => request.arrayBuffer()),
    (bytes) => Effect.option(Effect.try((): unknown => parseJson(utf8.decode(bytes))))
  )

interface SpendTracker {
  readonly caller: Caller["Type"]
  /** Spends `info` for each message that has not spent any budget yet. */
  readonly atLeast: (messages: number) => Effect.Effect<void, RateLimitExceeded>
  /** Seconds until every exceeded budget is available again; 0 when none was exceeded. */
  readonly wait: Effect.Effect<number>
}

const countingOf = (caller: Caller["Type"]): Effect.Effect<SpendTracker> =>
  Effect.map(Effect.all([Ref.make(0), Ref.make(0)]), ([counted, longest]) => {
    const spend: Caller["Type"]["spend"] = (group) =>
      Ref.update(counted, (sum) => sum + 1).pipe(
        Effect.zipRight(caller.spend(group)),
        Effect.tapError(({ retry_after }) => Ref.update(longest, (wait) => Math.max(wait, retry_after)))
      )
    return {
      caller: { spend, budgets: caller.budgets },
      atLeast: (messages) =>
        Effect.flatMap(Ref.get(counted), (sum) =>
          Effect.forEach(Array.from({ length: Math.max(0, messages - sum) }), () => spend("info"), { discard: true })
        ),
      wait: Ref.get(longest)
    }
  })

/**
 * Streamable HTTP without sessions (MCP, "Transports"). A tool call spends the budget of its group, a page read as a
 * resource `content`, any other message `info`. A tool call over budget is a failed result; any other message is a 429.
 */
export const mcpApp = Effect.gen(function* () {
  const policy = yield* Settings
  const backing = { search: yield* Search, content: yield* Content, engines: yield* Engines }
  const { connect } = makeProtocol((use) => use(backing))

  const respond = (request: Request, body: unknown, { atLeast, caller }: SpendTracker) =>
    Effect.gen(function* () {
      const understood = lenientBody(body)
      const messages = messagesOf(understood)
      if (!messages.every(isMessage)) return Refusal.invalid("Not a JSON-RPC 2.0 message", idOf(body))
      if (Array.isArray(body) && !takesBatches(request.headers.get("mcp-protocol-version"))) {
        return Refusal.invalid("This revision of the protocol has no batches", null)
      }
      const others = messages.filter((message) => !isTool(toolOf(message)))
      yield* Effect.forEach(others, (message) => caller.spend(isContent(resourceOf(message)) ? "content" : "info"), {
        discard: true
      })
      const [problem] = messages.map(paramsProblem).filter((one) => one !== null)
      if (problem !== undefined) return Refusal.invalidParams(problem, idOf(body))
      const heard = messages.filter((message) => !isIgnored(message))
      if (messages.length > 0 && heard.length === 0) return new Response(null, { status: 202 })
      const streams = asksForProgress(understood) && hasProgress(toolOf(understood)) && acceptsEvents(request)
      const connection = yield* connect({ caller, requestId: request.headers.get("x-request-id"), streams })
      const response = yield* exchange(connection, request, Array.isArray(body) ? heard : understood, streams)
      yield* atLeast(messages.length)
      return response
    }).pipe(Effect.catchTag("RateLimitExceeded", (failure) => Effect.succeed(Refusal.overBudget(failure, idOf(body)))))

  const answer = (request: Request, counting: SpendTracker) =>
    Effect.gen(function* () {
      const refusal = refusalOf(request.headers, policy)
      if (refusal !== null) return Refusal.notAllowed(refusal)
      if (request.method !== "POST") return Refusal.methodNotAllowed(methods)
      const type = request.headers.get("content-type")
      if (type !== null && !isJsonContentType(type)) return Refusal.unsupportedMediaType()
      const json = yield* jsonOf(request)
      if (json._tag === "None") return Refusal.malformed()
      return yield* respond(request, json.value, counting)
    })

  const handle = (request: Request, caller: Caller["Type"]) =>
    Effect.gen(function* () {
      const counting = yield* countingOf(caller)
      const response = yield* Effect.zipLeft(answer(request, counting), counting.atLeast(1)).pipe(
        Effect.catchTag("RateLimitExceeded", (failure) => Effect.succeed(Refusal.overBudget(failure, null)))
      )
      const wait = yield* counting.wait
      // The request pipeline reports the last budget that was spent. In a batch, that may not be the exceeded one.
      if (wait > 0) response.headers.set("retry-after", String(wait))
      return response
    })

  return {
    path: "/ai/mcp",
    methods,
    everyMethod: true,
    description: "Model Context Protocol (Streamable HTTP): the same searches and fetches as tools, resources, prompts",
    handle
  }
})
