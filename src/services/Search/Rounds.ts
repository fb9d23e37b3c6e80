import { Clock, Effect, MutableRef, Option, Queue } from "effect"
import { type SearchKind } from "../../domain/SearchKind.ts"
import { type Candidate, type Engines, type Reply } from "../Engines.ts"
import { type EngineQuery, fault } from "../Engines/Engine.ts"
import { kinds } from "./Kinds.ts"
import { contradicts } from "./Language.ts"
import { isIrrelevant } from "./Relevance.ts"
import { absorb, type Answered, bringIn, due, type Due, reserve, suspend, type Window } from "./Window.ts"

/** Engines of each sort that a round asks under `auto`: those that welcome programs, and pages. */
const seats = { api: 3, page: 2 } as const

/** Engines asked at the same time where the user named more. */
const fanOut = 8

/** Pages read of one engine for one request. */
const roundsPerRequest = 30

/** After this part of the time without an answer, another engine is asked as well. */
const hedge = 1 / 8

/** A round waits for all it asked for this part of the time; from then on, who is late is not waited for. */
const patience = 1 / 4

/** No engine is asked with less than this part of the time left: it could only be called late. */
const leastTime = 1 / 20

interface Asked<K extends SearchKind> {
  readonly progress: Due<K>
  readonly since: number
  /** Whether somebody was asked in its stead. */
  readonly isHedged: boolean
}

/** Those in reserve for whom there is a free seat. */
const newcomers = <K extends SearchKind>(
  spare: ReadonlyArray<Due<K>>,
  seated: ReadonlyArray<Due<K>>
): ReadonlyArray<Due<K>> =>
  (["api", "page"] as const).flatMap((access) => {
    const sitting = seated.filter(({ candidate }) => candidate.engine.access === access)
    const waiting = spare.filter(({ candidate }) => candidate.engine.access === access)
    return waiting.slice(0, Math.max(0, seats[access] - sitting.length))
  })

/** Whether an answer, or the lack of one, came from the engine now. */
const reachedEngine = <K extends SearchKind>({ fromCache, parsed }: Reply<K>): boolean =>
  !fromCache && !(parsed._tag === "Fault" && (parsed.fault === "suspended" || parsed.fault === "paced"))

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

/**
 * Reads rounds of pages into a window until it holds `needed` results, the engines have no more, or the deadline is
 * there. A round asks for the next page of each engine that takes part, and fills free seats from the reserve. Who fails
 * or dawdles is replaced at once by the next in reserve; who has not answered at the end is late. Says whether any
 * engine was really asked.
 */
export const readRounds = Effect.fnUntraced(function* <K extends SearchKind>(reading: Reading<K>) {
  const { deadline, engines, kind, needed, oldest, query, state, timeoutMs } = reading
  const { isNamed } = MutableRef.get(state)
  const replies = yield* Queue.unbounded<Answered<K>>()
  const turns = yield* Effect.makeSemaphore(fanOut)
  const inFlight = new Map<string, Asked<K>>()
  const isForeign = contradicts(query.region, query.text)
  const take = (answered: ReadonlyArray<Answered<K>>, at: number) =>
    MutableRef.update(state, (window) =>
      absorb(kinds[kind], window, answered, at, (found) => isForeign(kinds[kind].said(found)))
    )
  let wasAsked = false

  const names = MutableRef.get(state).progress.map(({ candidate }) => candidate.engine.name)
  const resting = new Set(isNamed ? [] : yield* Effect.filter(names, engines.resting))
  const opened = yield* Clock.currentTimeMillis
  MutableRef.update(state, (window) => suspend(window, resting, opened))

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
    inFlight.set(name, { progress, since, isHedged: false })
    MutableRef.update(state, (window) => bringIn(window, new Set([name])))
    yield* engines
      .ask(progress.candidate, query, progress.cursor, { timeoutMs: deadline - since, named: isNamed, oldest })
      .pipe(
        turns.withPermits(1),
        Effect.flatMap((reply) => judged(progress, reply)),
        Effect.flatMap((reply) => Queue.offer(replies, { progress, reply })),
        Effect.forkScoped
      )
  })

  /** The next in reserve takes the place of one that failed or dawdles: one of the same sort where there is one. */
  const replace = Effect.fnUntraced(function* ({ engine }: Candidate<K>) {
    const hasTime = deadline - (yield* Clock.currentTimeMillis) >= timeoutMs * leastTime
    const spare = isNamed || !hasTime ? [] : available()
    const next = spare.find(({ candidate }) => candidate.engine.access === engine.access) ?? spare[0]
    if (next !== undefined) yield* ask(next)
  })

  const hedged = Effect.fnUntraced(function* (now: number) {
    for (const [name, asked] of inFlight) {
      if (asked.isHedged || now - asked.since < timeoutMs * hedge) continue
      inFlight.set(name, { ...asked, isHedged: true })
      yield* replace(asked.progress.candidate)
    }
  })

  const received = Effect.fnUntraced(function* (answered: Answered<K>) {
    const { progress, reply } = answered
    inFlight.delete(progress.candidate.engine.name)
    wasAsked ||= reachedEngine(reply)
    if (reply.parsed._tag === "Fault") yield* replace(progress.candidate)
    return answered
  })

  /** Replies until all asked since then are there or patience ends; at least one, but for the deadline. */
  const gather = Effect.fnUntraced(function* (since: number) {
    const gathered: Array<Answered<K>> = []
    const hasResults = () => gathered.some(({ reply }) => reply.parsed._tag === "Results")
    for (;;) {
      const now = yield* Clock.currentTimeMillis
      const end = hasResults() ? Math.min(deadline, since + timeoutMs * patience) : deadline
      const isAwaited = Array.from(inFlight.values()).some((asked) => asked.since >= since)
      if (end <= now || inFlight.size === 0 || (!isAwaited && gathered.length > 0)) return gathered
      const nextHedge = Math.min(
        ...Array.from(inFlight.values(), (one) => (one.isHedged ? Infinity : one.since + timeoutMs * hedge))
      )
      const reply = yield* Effect.timeoutOption(Queue.take(replies), Math.max(0, Math.min(end, nextHedge) - now))
      if (Option.isSome(reply)) gathered.push(yield* received(reply.value))
      else yield* hedged(yield* Clock.currentTimeMillis)
    }
  })

  for (let round = 0; round < roundsPerRequest; round++) {
    const now = yield* Clock.currentTimeMillis
    const window = MutableRef.get(state)
    if (window.fused.length >= needed || deadline <= now) break
    if (deadline - now >= timeoutMs * leastTime) {
      const waiting = Array.from(inFlight.values(), ({ progress }) => progress)
      const going = due(window, now, timeoutMs).filter(({ candidate }) => !inFlight.has(candidate.engine.name))
      for (const progress of going) yield* ask(progress)
      for (const progress of isNamed ? available() : newcomers(available(), [...waiting, ...going]))
        yield* ask(progress)
    }
    if (inFlight.size === 0) break
    const answered = yield* gather(now)
    take(answered, yield* Clock.currentTimeMillis)
  }

  const end = yield* Clock.currentTimeMillis
  const late = Array.from(inFlight.values(), ({ progress, since }) => ({
    progress,
    reply: { parsed: fault("timeout"), tookMs: end - since, fromCache: false }
  }))
  take(late, end)
  return wasAsked || late.length > 0
}, Effect.scoped)
