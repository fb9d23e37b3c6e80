import { type CallToolResult } from "@modelcontextprotocol/server"
import { Cause, Effect, Either, Predicate } from "effect"
import { type AnyFailure, envelopeOf } from "../domain/Envelope.ts"
import { InternalError } from "../domain/Failure.ts"
import { Caller } from "../services/rate-limiter/Caller.ts"
import { logDefect, logFailedAnswer } from "../services/logging/FailureLog.ts"
import { freshRequestId } from "../services/logging/RequestId.ts"
import { noteCall } from "../services/logging/RequestRecord.ts"
import { adviceOf } from "./Advice.ts"
import { type Values } from "./Arguments.ts"
import { type ToolServices } from "./ToolServices.ts"
import { type Report } from "./Progress.ts"
import { type Tool } from "./Tool.ts"

/**
 * Converts a failure to a result: the envelope, and advice for the model as a second text. Older clients reject
 * `structuredContent` in errors (contract, section 5).
 */
const failed = (failure: AnyFailure): CallToolResult => ({
  content: [
    { type: "text", text: JSON.stringify(envelopeOf(failure)) },
    { type: "text", text: adviceOf(failure) }
  ],
  isError: true
})

export interface Call {
  readonly requestId: string | null
  readonly report: Report
}

/**
 * Runs a tool after spending the caller's budget. Every failure is a result. A defect is logged under the request's id,
 * or under a new id.
 */
export const callTool = (
  tool: Tool,
  backing: ToolServices,
  given: Values,
  { report, requestId }: Call
): Effect.Effect<CallToolResult, never, Caller> =>
  Effect.gen(function* () {
    const { spend } = yield* Caller
    yield* noteCall(tool.name)
    yield* spend(tool.group)
    const { body, text } = yield* tool.call(backing, given, report)
    return { content: [{ type: "text" as const, text }], structuredContent: { ...body } }
  }).pipe(
    Effect.catchAllCause((cause) => {
      if (Cause.isInterruptedOnly(cause)) return Effect.interrupt
      const known = Cause.failureOrCause(cause)
      if (Either.isLeft(known)) return Effect.as(logFailedAnswer(known.left), failed(known.left))
      return Effect.gen(function* () {
        const id = requestId ?? (yield* freshRequestId)
        const sensitive = Object.values(given).flat().filter(Predicate.isString)
        yield* logDefect(cause, { annotations: { request_id: id, tool: tool.name }, sensitive })
        return failed(new InternalError({ request_id: id }))
      })
    })
  )
