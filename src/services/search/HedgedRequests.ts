import { Clock, Effect, MutableRef, Option, Queue } from "effect"
import { type SearchKind } from "../../domain/SearchKind.ts"
import { type Candidate, type Engines, type Reply } from "../engine/Engines.ts"
import { type EngineQuery, fault } from "../engine/Engine.ts"
import { isIrrelevant } from "./Relevance.ts"
import { type Answered, bringIn, type Due, reserve, type Window } from "./Window.ts"

/** Parts of `SEARCH_TIMEOUT`. */
export const parts = {
  /** Without an answer for so long an engine isLate, and another one is asked as well. */
  hedge: 1 / 8,
  /** A round waits for all it asked so long; from then on, who is late is not waited for. */
  patience: 1 / 4,
  /** But where the first answer came later than that, others may follow it so closely. */
  grace: 1 / 16,
  /** So long the late are waited for where nobody else has what is missing. */
  unfilled: 1 / 2,
  /** No engine is asked with less time left: it could only be called late. */
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
  /** Milliseconds since 1970: kept pages of engines from before that are asked for anew. */
  readonly oldest: number
}

interface Asked<K extends SearchKind> {
  readonly progress: Due<K>
  readonly since: number
  readonly isLate: boolean
}

/** Whether an answer, or the lack of one, came from the engine now. */
const reachedEngine = <K extends SearchKind>({ fromCache, parsed }: Reply<K>): boolean =>
  !fromCache && !(parsed._tag === "Fault" && (parsed.fault === "suspended" || parsed.fault === "paced"))

const isAnswer = <K extends SearchKind>({ reply }: Answered<K>): boolean => reply.parsed._tag !== "Fault"

/**
 * Asks engines side by side for one search. Who fails is replaced at once by the next in reserve, who isLate is joined
 * by it. `resting` names the engines that are not to be asked.
 */
export const makeHedgedRequests = Effect.fnUntraced(function* <K extends SearchKind>(
  { deadline, engines, oldest, query, state, timeoutMs }: Reading<K>,
  resting: ReadonlySet<string>
) {
  const { isNamed } = MutableRef.get(state)
  const replies = yield* Queue.unbounded<Answered<K>>()
  const inFlight = new Map<string, Asked<K>>()
  const reached = MutableRef.make(false)
  const underWay = (): ReadonlyArray<Asked<K>> => Array.from(inFlight.values())

  /** Those in reserve that may be asked, in the order of the plan. */
  const available = () =>
    reserve(MutableRef.get(state)).filter(({ candidate: { engine } }) => !resting.has(engine.name))

  const judged = (progress: Due<K>, reply: Reply<K>): Effect.Effect<Reply<K>> =>
    !isNamed && progress.candidate.source.poisons === true && isIrrelevant(query.text, reply.parsed)
      ? Effect.as(
          Effect.when(engines.distrust(progress.candidate.engine.name), () => reachedEngine(reply)),
          { ...reply, parsed: fault("irrelevant") }
        )
      : Effect.succeed(reply)

  const ask = Effect.fnUntraced(function* (progress: Due<K>) {
    const { name } = progress.candidate.engine
    const since = yield* Clock.currentTimeMillis
    inFlight.set(name, { progress, since, isLate: false })
    MutableRef.update(state, (window) => bringIn(window, new Set([name])))
    yield* engines
      .ask(progress.candidate, query, progress.cursor, { timeoutMs: deadline - since, named: isNamed, oldest })
      .pipe(
        Effect.flatMap((reply) => judged(progress, reply)),
        Effect.flatMap((reply) => Queue.offer(replies, { progress, reply })),
        Effect.forkScoped
      )
  })

  /** One of the same sort where there is one. */
  const replace = Effect.fnUntraced(function* ({ engine }: Candidate<K>) {
    const hasTime = deadline - (yield* Clock.currentTimeMillis) >= timeoutMs * parts.least
    const spare = isNamed || !hasTime ? [] : available()
    const next = spare.find(({ candidate }) => candidate.engine.access === engine.access) ?? spare[0]
    if (next !== undefined) yield* ask(next)
  })

  const hedge = Effect.fnUntraced(function* (now: number) {
    for (const asked of underWay()) {
      if (asked.isLate || now - asked.since < timeoutMs * parts.hedge) continue
      inFlight.set(asked.progress.candidate.engine.name, { ...asked, isLate: true })
      yield* replace(asked.progress.candidate)
    }
  })

  const received = Effect.fnUntraced(function* (answered: Answered<K>) {
    const { progress, reply } = answered
    inFlight.delete(progress.candidate.engine.name)
    if (reachedEngine(reply)) MutableRef.set(reached, true)
    if (reply.parsed._tag === "Fault") yield* replace(progress.candidate)
    return answered
  })

  /**
   * Replies until all asked since `since` are there, or patience ends; until `giveUp` where nobody answers. Where those
   * that are missing all dawdle and what came does not do, it ends as well, so that others can be asked.
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
      if (end <= now || inFlight.size === 0 || isEnough) return gathered
      const nextHedge = Math.min(
        ...underWay().map((asked) => (asked.isLate ? Infinity : asked.since + timeoutMs * parts.hedge))
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
        end = Math.min(deadline, Math.max(since + timeoutMs * parts.patience, at + timeoutMs * parts.grace))
      }
    }
  })

  /** Those that have not answered, as timeouts. One that was named may have waited for its pace: no blame then. */
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
    /** Whether any engine was really asked. */
    wasReached: () => MutableRef.get(reached) || inFlight.size > 0
  }
})

const isLateRequest = ({ isLate }: { readonly isLate: boolean }): boolean => isLate
