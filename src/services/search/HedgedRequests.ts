import { Clock, Effect, MutableRef, Option, Queue } from "effect"
import { type SearchKind } from "../../domain/SearchKind.ts"
import { type Candidate, type Engines, type Reply } from "../engine/Engines.ts"
import { type EngineQuery, fault } from "../engine/Engine.ts"
import { isIrrelevant } from "./Relevance.ts"
import { type Answered, activate, type Due, reserve, type Window } from "./Window.ts"

/** Fractions of `SEARCH_TIMEOUT`. */
export const timeoutFractions = {
  /** Time without an answer after which an engine is late and another one is queried in addition. */
  hedge: 1 / 8,
  /** Time that a round waits for all of its engines. After that it no longer waits for late ones. */
  patience: 1 / 4,
  /** Minimum time that a round waits for other engines after its first answer. */
  grace: 1 / 16,
  /** Maximum wait for late engines when no other engine is left to query. */
  unfilled: 1 / 2,
  /** Minimum time left to query an engine. With less time it would only be recorded as late. */
  least: 1 / 20
} as const

export interface Reading<K extends SearchKind> {
  readonly kind: K
  readonly engines: Engines["Type"]
  readonly state: MutableRef.MutableRef<Window<K>>
  readonly query: EngineQuery<K>
  readonly needed: number
  /** Milliseconds since 1970. */
  readonly deadline: number
  readonly timeoutMs: number
  /** Milliseconds since 1970. Pages cached before this time are requested again. */
  readonly oldest: number
}

interface Asked<K extends SearchKind> {
  readonly progress: Due<K>
  readonly since: number
  readonly isLate: boolean
}

/** Whether the outcome comes from the engine now: not from the cache, and not from its rest or rate limit. */
const reachedEngine = <K extends SearchKind>({ fromCache, parsed }: Reply<K>): boolean =>
  !fromCache && !(parsed._tag === "Fault" && (parsed.fault === "suspended" || parsed.fault === "paced"))

const isAnswer = <K extends SearchKind>({ reply }: Answered<K>): boolean => reply.parsed._tag !== "Fault"

/**
 * Queries engines concurrently for one search. A failed engine is replaced immediately by the next one in reserve. A
 * late engine stays, and the next one is queried in addition. Engines in `resting` are not queried.
 */
export const makeHedgedRequests = Effect.fnUntraced(function* <K extends SearchKind>(
  { deadline, engines, oldest, query, state, timeoutMs }: Reading<K>,
  resting: ReadonlySet<string>
) {
  const { isNamed } = MutableRef.get(state)
  const replies = yield* Queue.unbounded<Answered<K>>()
  const pending = new Map<string, Asked<K>>()
  const reached = MutableRef.make(false)
  const underWay = (): ReadonlyArray<Asked<K>> => Array.from(pending.values())

  /** The engines in reserve that may be queried, in plan order. */
  const available = () =>
    reserve(MutableRef.get(state)).filter(({ candidate: { engine } }) => !resting.has(engine.name))

  const judged = (progress: Due<K>, reply: Reply<K>): Effect.Effect<Reply<K>> =>
    !isNamed && progress.candidate.source.returnsUnrelatedResults === true && isIrrelevant(query.text, reply.parsed)
      ? Effect.as(
          Effect.when(engines.distrust(progress.candidate.engine.name), () => reachedEngine(reply)),
          { ...reply, parsed: fault("irrelevant") }
        )
      : Effect.succeed(reply)

  const ask = Effect.fnUntraced(function* (progress: Due<K>) {
    const { name } = progress.candidate.engine
    const since = yield* Clock.currentTimeMillis
    pending.set(name, { progress, since, isLate: false })
    MutableRef.update(state, (window) => activate(window, new Set([name])))
    yield* engines
      .ask(progress.candidate, query, progress.cursor, { timeoutMs: deadline - since, named: isNamed, oldest })
      .pipe(
        Effect.flatMap((reply) => judged(progress, reply)),
        Effect.flatMap((reply) => Queue.offer(replies, { progress, reply })),
        Effect.forkScoped
      )
  })

  /** Queries the next engine in reserve, preferably one with the same access. */
  const replace = Effect.fnUntraced(function* ({ engine }: Candidate<K>) {
    const hasTime = deadline - (yield* Clock.currentTimeMillis) >= timeoutMs * timeoutFractions.least
    const spare = isNamed || !hasTime ? [] : available()
    const next = spare.find(({ candidate }) => candidate.engine.access === engine.access) ?? spare[0]
    if (next !== undefined) yield* ask(next)
  })

  const hedge = Effect.fnUntraced(function* (now: number) {
    for (const asked of underWay()) {
      if (asked.isLate || now - asked.since < timeoutMs * timeoutFractions.hedge) continue
      pending.set(asked.progress.candidate.engine.name, { ...asked, isLate: true })
      yield* replace(asked.progress.candidate)
    }
  })

  const received = Effect.fnUntraced(function* (answered: Answered<K>) {
    const { progress, reply } = answered
    pending.delete(progress.candidate.engine.name)
    if (reachedEngine(reply)) MutableRef.set(reached, true)
    if (reply.parsed._tag === "Fault") yield* replace(progress.candidate)
    return answered
  })

  /**
   * Collects replies until every request since `since` is answered or the wait ends. The wait ends at `giveUp`; after
   * the first answer, it ends as defined by `patience` and `grace`. Also returns when all missing requests are late and
   * the collected replies do not fill the window, so that other engines can be queried.
   */
  const gather = Effect.fnUntraced(function* (
    since: number,
    giveUp: number,
    doesFill: (gathered: ReadonlyArray<Answered<K>>) => boolean
  ) {
    const gathered: Array<Answered<K>> = []
    let end = giveUp
    for (;;) {
      const now = yield* Clock.currentTimeMillis
      const awaited = underWay().filter((asked) => asked.since >= since)
      const isEnough =
        gathered.length > 0 && (awaited.length === 0 || (awaited.every(isLateRequest) && !doesFill(gathered)))
      if (end <= now || pending.size === 0 || isEnough) return gathered
      const nextHedge = Math.min(
        ...underWay().map((asked) => (asked.isLate ? Infinity : asked.since + timeoutMs * timeoutFractions.hedge))
      )
      const reply = yield* Effect.timeoutOption(Queue.take(replies), Math.max(0, Math.min(end, nextHedge) - now))
      const at = yield* Clock.currentTimeMillis
      if (Option.isNone(reply)) {
        yield* hedge(at)
        continue
      }
      const isFirst = !gathered.some(isAnswer)
      gathered.push(yield* received(reply.value))
      if (isFirst && isAnswer(reply.value)) {
        end = Math.min(
          deadline,
          Math.max(since + timeoutMs * timeoutFractions.patience, at + timeoutMs * timeoutFractions.grace)
        )
      }
    }
  })

  /**
   * Reports unanswered requests as timeouts. An engine that the user named may have waited for a token, so it is not
   * recorded as late.
   */
  const late = Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    return yield* Effect.forEach(underWay(), ({ progress, since }) =>
      Effect.as(
        Effect.unless(engines.late(progress.candidate.engine.name, now - since), () => isNamed),
        { progress, reply: { parsed: fault("timeout"), tookMs: now - since, fromCache: false } }
      )
    )
  })

  return {
    ask,
    available,
    gather,
    late,
    waiting: () => underWay().map(({ progress }) => progress),
    /** Whether any engine was contacted. */
    wasReached: () => MutableRef.get(reached) || pending.size > 0
  }
})

const isLateRequest = ({ isLate }: { readonly isLate: boolean }): boolean => isLate
