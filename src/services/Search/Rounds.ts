import { Clock, Effect, MutableRef, Option, Queue } from "effect"
import { type SearchKind } from "../../domain/SearchKind.ts"
import { type Engines } from "../Engines.ts"
import { type EngineQuery, fault } from "../Engines/Engine.ts"
import { kinds } from "./Kinds.ts"
import { absorb, type Answered, due, type Due, type Window } from "./Window.ts"

/** Engines of a kind asked at the same time. */
const fanOut = 8

/** Pages read of one engine for one request. */
const roundsPerRequest = 30

/** A round waits for all it asked for this part of the time; from then on, who is late is not waited for. */
const patience = 1 / 4

/** No engine is asked with less than this part of the time left: it could only be called late. */
const leastTime = 1 / 20

interface Asked<K extends SearchKind> {
  readonly progress: Due<K>
  readonly since: number
}

/**
 * Reads rounds of pages into a window until it holds `needed` results, the engines have no more, or the deadline
 * (milliseconds since 1970) is there. An engine that dawdles is left to answer while the others go on; one that has
 * not answered at the end is late. Says whether anything was asked.
 */
export const readRounds = Effect.fnUntraced(function* <K extends SearchKind>(options: {
  readonly kind: K
  readonly engines: Engines["Type"]
  readonly state: MutableRef.MutableRef<Window<K>>
  readonly query: EngineQuery<K>
  readonly needed: number
  readonly deadline: number
  readonly timeoutMs: number
}) {
  const { deadline, engines, kind, needed, query, state, timeoutMs } = options
  const replies = yield* Queue.unbounded<Answered<K>>()
  const seats = yield* Effect.makeSemaphore(fanOut)
  const inFlight = new Map<string, Asked<K>>()

  const ask = (progress: Due<K>, timeLeft: number) =>
    engines.ask(progress.candidate, query, progress.cursor, timeLeft).pipe(
      seats.withPermits(1),
      Effect.flatMap((reply) => Queue.offer(replies, { progress, reply })),
      Effect.forkScoped
    )

  const absorbed = (answered: ReadonlyArray<Answered<K>>, now: number) => {
    for (const { progress } of answered) inFlight.delete(progress.candidate.engine.name)
    MutableRef.update(state, (window) => absorb(kinds[kind], window, answered, now))
  }

  /** Replies until all of `awaited` are there or patience ends; at least one, but for the deadline. */
  const gather = Effect.fnUntraced(function* (awaited: ReadonlySet<string>, since: number) {
    const gathered: Array<Answered<K>> = []
    const missing = new Set(awaited)
    for (;;) {
      const now = yield* Clock.currentTimeMillis
      const until = gathered.length === 0 ? deadline : Math.min(deadline, since + timeoutMs * patience)
      if (gathered.length > 0 && (missing.size === 0 || until <= now)) return gathered
      const reply = yield* Effect.timeoutOption(Queue.take(replies), Math.max(0, until - now))
      if (Option.isNone(reply)) return gathered
      gathered.push(reply.value)
      missing.delete(reply.value.progress.candidate.engine.name)
    }
  })

  let asked = false
  for (let round = 0; round < roundsPerRequest; round++) {
    const now = yield* Clock.currentTimeMillis
    const window = MutableRef.get(state)
    if (window.fused.length >= needed || deadline <= now) break
    const hasTime = deadline - now >= timeoutMs * leastTime
    const next = due(window, now, timeoutMs).filter(({ candidate }) => hasTime && !inFlight.has(candidate.engine.name))
    if (next.length === 0 && inFlight.size === 0) break
    asked = true
    for (const progress of next) {
      inFlight.set(progress.candidate.engine.name, { progress, since: now })
      yield* ask(progress, deadline - now)
    }
    const answered = yield* gather(new Set(next.map(({ candidate }) => candidate.engine.name)), now)
    absorbed(answered, yield* Clock.currentTimeMillis)
  }

  const now = yield* Clock.currentTimeMillis
  const late = Array.from(inFlight.values(), ({ progress, since }) => ({
    progress,
    reply: { parsed: fault("timeout"), tookMs: now - since }
  }))
  absorbed(late, now)
  return asked
}, Effect.scoped)
