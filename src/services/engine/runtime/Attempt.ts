import { Clock, Effect, Exit, MutableRef, Schema } from "effect"
import { EngineFailure } from "../../../domain/EngineReport.ts"
import { type SearchKind } from "../../../domain/SearchKind.ts"
import { EngineClient, EngineUnreachable } from "./client/EngineClient.ts"
import { EngineHealth, type AttemptResult } from "./health/EngineHealth.ts"
import { type Ticket } from "./health/State.ts"
import { type Engine, type EngineRequest, fault, type Parsed } from "../Engine.ts"

/** What one ask has sent so far. */
interface Sent {
  readonly requests: number
  /** Milliseconds that the engine was given for them. */
  readonly tookMs: number
  /** Of the last answer; null before it. */
  readonly status: number | null
  readonly retryAfter: string | undefined
}

/** One permitted ask of an engine. */
export interface Attempt {
  readonly engine: Engine
  readonly ticket: Ticket
  readonly sent: MutableRef.MutableRef<Sent>
}

const isFailure = Schema.is(EngineFailure)

/** What an ask says of the engine; null for nothing: who was interrupted may have been about to answer. */
const outcomeOf = <K extends SearchKind>(exit: Exit.Exit<Parsed<K>>): AttemptResult["outcome"] | null => {
  if (Exit.isFailure(exit)) return null
  switch (exit.value._tag) {
    case "Results":
      return "ok"
    case "Empty":
      return "empty"
    case "Fault":
      return isFailure(exit.value.fault) ? exit.value.fault : null
  }
}

/**
 * Asks under the eye of `EngineHealth`: permitted by it, at the engine's pace, and told to it. An engine that was given
 * less than `enoughMs` milliseconds is not blamed for taking longer.
 */
export const makeAttempts = Effect.fnUntraced(function* (enoughMs: number) {
  const client = yield* EngineClient
  const health = yield* EngineHealth

  const settle = <K extends SearchKind>({ engine, sent, ticket }: Attempt, exit: Exit.Exit<Parsed<K>>) => {
    const { requests, retryAfter, status, tookMs } = MutableRef.get(sent)
    if (requests === 0) return Effect.zipRight(health.giveBack(engine), health.release(engine, ticket, false))
    const outcome = outcomeOf(exit)
    return outcome === null || (outcome === "timeout" && tookMs < enoughMs)
      ? health.release(engine, ticket, true)
      : health.record(engine, ticket, { outcome, tookMs, status, retryAfter })
  }

  /** What `ask` brings, or `suspended` or `paced` where it is not permitted. */
  const permitted = <K extends SearchKind>(
    engine: Engine,
    { named, timeoutMs }: { readonly named: boolean; readonly timeoutMs: number },
    ask: (attempt: Attempt) => Effect.Effect<Parsed<K>>
  ): Effect.Effect<Parsed<K>> =>
    Effect.acquireUseRelease(
      health.admit(engine, { named, timeLeftMs: timeoutMs }).pipe(
        Effect.map((admission) =>
          admission._tag === "Refused"
            ? admission.fault
            : {
                engine,
                ticket: admission.ticket,
                sent: MutableRef.make<Sent>({ requests: 0, tookMs: 0, status: null, retryAfter: undefined })
              }
        )
      ),
      (attempt) => (typeof attempt === "string" ? Effect.succeed(fault(attempt)) : ask(attempt)),
      (attempt, exit) => (typeof attempt === "string" ? Effect.void : settle(attempt, exit))
    )

  /** An engine that began to rest while its token was waited for is left alone. */
  const untroubled = ({ engine, ticket }: Attempt) =>
    Effect.flatMap(health.look(engine.name), ({ rest }) =>
      rest !== null && rest.since >= ticket.at
        ? new EngineUnreachable({ fault: "suspended", cause: "rests since it was admitted" })
        : Effect.void
    )

  /** Waits for the ticket's token; a step is not kept waiting, or its first request would have been for nothing. */
  const paced = (attempt: Attempt): Effect.Effect<void, EngineUnreachable> => {
    const { engine, sent, ticket } = attempt
    if (MutableRef.get(sent).requests > 0) return health.owe(engine)
    return ticket.waitMs > 0 ? Effect.zipRight(Effect.sleep(ticket.waitMs), untroubled(attempt)) : Effect.void
  }

  /** The head of an answer came, and not all of its body. */
  const answeredInPart = ({ sent }: Attempt, status: number): Effect.Effect<void> =>
    Effect.suspend(() => {
      MutableRef.update(sent, (before) => ({ ...before, status }))
      return health.answered
    })

  /** Sends one request of an ask. */
  const send = Effect.fnUntraced(function* (attempt: Attempt, request: EngineRequest) {
    yield* paced(attempt)
    const since = yield* Clock.currentTimeMillis
    MutableRef.update(attempt.sent, (sent) => ({
      ...sent,
      requests: sent.requests + 1,
      status: null,
      retryAfter: undefined
    }))
    const answer = yield* client.send(request).pipe(
      Effect.tap(() => health.answered),
      Effect.tapError(({ status = null }) => (status === null ? Effect.void : answeredInPart(attempt, status))),
      Effect.ensuring(
        Effect.map(Clock.currentTimeMillis, (now) =>
          MutableRef.update(attempt.sent, (sent) => ({ ...sent, tookMs: sent.tookMs + now - since }))
        )
      )
    )
    MutableRef.update(attempt.sent, (sent) => ({
      ...sent,
      status: answer.status,
      retryAfter: answer.headers["retry-after"]
    }))
    return answer
  })

  return { permitted, send }
})
