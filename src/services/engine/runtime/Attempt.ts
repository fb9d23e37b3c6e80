import { Clock, Effect, Exit, MutableRef, Schema } from "effect"
import { EngineFailure } from "../../../domain/EngineReport.ts"
import { type SearchKind } from "../../../domain/SearchKind.ts"
import { EngineClient, EngineUnreachable } from "./client/EngineClient.ts"
import { ConnectionListener } from "../../http-client/Response.ts"
import { EngineHealth, type AttemptResult } from "./health/EngineHealth.ts"
import { type Ticket } from "./health/State.ts"
import { type Engine, type EngineRequest, fault, type Parsed } from "../Engine.ts"

/** The requests that an attempt has sent so far. */
interface Sent {
  readonly requests: number
  /** Whether the last request does not wait for a connection. */
  readonly isConnected: boolean
  /** Total milliseconds spent on these requests. */
  readonly tookMs: number
  /** HTTP status of the last answer; null before it arrives. */
  readonly status: number | null
  readonly retryAfter: string | undefined
}

/** An admitted attempt to read a page. It can send several requests. */
export interface Attempt {
  readonly engine: Engine
  readonly ticket: Ticket
  readonly sent: MutableRef.MutableRef<Sent>
}

const isFailure = Schema.is(EngineFailure)

/**
 * The outcome to record; null when it says nothing about the engine. An interrupted engine might still have answered.
 */
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
 * Runs attempts under the control of `EngineHealth`, which admits them, limits their rate and records their outcome. A
 * timeout is not recorded when the engine had less than `enoughMs` milliseconds.
 */
export const makeAttempts = Effect.fnUntraced(function* (minBlameMs: number) {
  const client = yield* EngineClient
  const health = yield* EngineHealth

  /** Attempts whose request is not answered yet. */
  const sending = new Set<Attempt>()

  const settle = <K extends SearchKind>({ engine, sent, ticket }: Attempt, exit: Exit.Exit<Parsed<K>>) => {
    const { isConnected, requests, retryAfter, status, tookMs } = MutableRef.get(sent)
    if (requests === 0) return Effect.zipRight(health.giveBack(engine), health.release(engine, ticket, false))
    const reached = outcomeOf(exit)
    // An interrupted request that never got a connection counts as a timeout: `isConnecting` kept it from being late.
    const outcome = reached === null && Exit.isInterrupted(exit) && !isConnected ? "timeout" : reached
    return outcome === null || (outcome === "timeout" && tookMs < minBlameMs)
      ? health.release(engine, ticket, true)
      : health.record(engine, ticket, { outcome, tookMs, status, retryAfter, isConnected })
  }

  /** Whether a request to the engine waits for its connection. */
  const isConnecting = (name: string): boolean =>
    Array.from(sending).some(({ engine, sent }) => engine.name === name && !MutableRef.get(sent).isConnected)

  /** Runs `ask` when the attempt is admitted; otherwise returns `suspended` or `paced`. */
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
                sent: MutableRef.make<Sent>({
                  requests: 0,
                  isConnected: true,
                  tookMs: 0,
                  status: null,
                  retryAfter: undefined
                })
              }
        )
      ),
      (attempt) => (typeof attempt === "string" ? Effect.succeed(fault(attempt)) : ask(attempt)),
      (attempt, exit) => (typeof attempt === "string" ? Effect.void : settle(attempt, exit))
    )

  /** Fails with `suspended` when the engine began to rest while the attempt waited for its token. */
  const failIfResting = ({ engine, ticket }: Attempt) =>
    Effect.flatMap(health.look(engine.name), ({ rest }) =>
      rest !== null && rest.since >= ticket.at
        ? new EngineUnreachable({ fault: "suspended", cause: "rests since it was admitted" })
        : Effect.void
    )

  /**
   * Waits for the token of the attempt's first request. Later requests borrow a token instead of waiting: a delay could
   * waste the requests already sent.
   */
  const awaitToken = (attempt: Attempt): Effect.Effect<void, EngineUnreachable> => {
    const { engine, sent, ticket } = attempt
    if (MutableRef.get(sent).requests > 0) return health.borrowToken(engine)
    return ticket.waitMs > 0 ? Effect.zipRight(Effect.sleep(ticket.waitMs), failIfResting(attempt)) : Effect.void
  }

  /** Records the status of an answer whose body is incomplete. */
  const recordPartialAnswer = ({ sent }: Attempt, status: number): Effect.Effect<void> =>
    Effect.suspend(() => {
      MutableRef.update(sent, (before) => ({ ...before, status }))
      return health.answered
    })

  /** Sends one request of an attempt. */
  const send = Effect.fnUntraced(function* (attempt: Attempt, request: EngineRequest) {
    yield* awaitToken(attempt)
    const since = yield* Clock.currentTimeMillis
    MutableRef.update(attempt.sent, (sent) => ({
      ...sent,
      requests: sent.requests + 1,
      isConnected: true,
      status: null,
      retryAfter: undefined
    }))
    sending.add(attempt)
    const onConnection = (isConnected: boolean) =>
      void MutableRef.update(attempt.sent, (sent) => ({ ...sent, isConnected }))
    const answer = yield* client.send(request).pipe(
      Effect.provideService(ConnectionListener, onConnection),
      Effect.tap(() => health.answered),
      Effect.tapError(({ status = null }) => (status === null ? Effect.void : recordPartialAnswer(attempt, status))),
      Effect.ensuring(
        Effect.map(Clock.currentTimeMillis, (now) => {
          sending.delete(attempt)
          MutableRef.update(attempt.sent, (sent) => ({ ...sent, tookMs: sent.tookMs + now - since }))
        })
      )
    )
    MutableRef.update(attempt.sent, (sent) => ({
      ...sent,
      status: answer.status,
      retryAfter: answer.headers["retry-after"]
    }))
    return answer
  })

  return { isConnecting, permitted, send }
})
