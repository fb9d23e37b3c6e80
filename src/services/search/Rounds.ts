import { Clock, Effect, MutableRef } from "effect"
import { type SearchKind } from "../../domain/SearchKind.ts"
import { makeHedgedRequests, parts, type Reading } from "./HedgedRequests.ts"
import { kinds } from "./Kinds.ts"
import { contradicts } from "./Language.ts"
import { absorb, type Answered, due, type Due, hasAnswer, suspend, type Window } from "./Window.ts"

/** Engines of each sort that a round asks under `auto`: those that welcome programs, and pages. */
const seats = { api: 3, page: 2 } as const

/** Pages read of one engine for one request. */
const roundsPerRequest = 30

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

/**
 * Reads rounds of pages into a window until it holds `needed` results, the engines have no more, or the deadline is
 * there. A round asks for the next page of each engine that takes part, and fills free seats from the reserve. Where
 * only late ones are left to ask, they are waited for half the time at most; who has not answered at the end is a
 * timeout. Says whether any engine was really asked.
 */
export const readRounds = Effect.fnUntraced(function* <K extends SearchKind>(reading: Reading<K>) {
  const { deadline, engines, kind, needed, query, state, timeoutMs } = reading
  const { isNamed } = MutableRef.get(state)
  const isForeign = contradicts(query.region, query.text)
  const opened = yield* Clock.currentTimeMillis

  const names = MutableRef.get(state).progress.map(({ candidate }) => candidate.engine.name)
  const resting = new Set(isNamed ? [] : yield* Effect.filter(names, engines.resting))
  MutableRef.update(state, (window) => suspend(window, resting, opened))
  const asking = yield* makeHedgedRequests(reading, resting)

  const taken = (window: Window<K>, answered: ReadonlyArray<Answered<K>>, at: number) =>
    absorb(kinds[kind], window, answered, at, (found) => isForeign(kinds[kind].said(found)))
  const fills = (answered: ReadonlyArray<Answered<K>>) =>
    absorb(kinds[kind], MutableRef.get(state), answered, opened).fused.length >= needed

  for (let round = 0; round < roundsPerRequest; round++) {
    const now = yield* Clock.currentTimeMillis
    const window = MutableRef.get(state)
    if (window.fused.length >= needed || deadline <= now) break
    const waiting = asking.waiting()
    const going = due(window, now, timeoutMs).filter(({ candidate }) =>
      waiting.every((one) => one.candidate.engine.name !== candidate.engine.name)
    )
    const coming = isNamed ? asking.available() : newcomers(asking.available(), [...waiting, ...going])
    const next = deadline - now >= timeoutMs * parts.least ? [...going, ...coming] : []
    for (const progress of next) yield* asking.ask(progress)

    const patient = next.length > 0 ? now + timeoutMs * parts.patience : now
    const giveUp = hasAnswer(window) ? Math.max(patient, opened + timeoutMs * parts.unfilled) : deadline
    const answered = yield* asking.gather(now, Math.min(deadline, giveUp), fills)
    if (answered.length === 0) break
    const at = yield* Clock.currentTimeMillis
    MutableRef.update(state, (before) => taken(before, answered, at))
  }

  const wasReached = asking.wasReached()
  const late = yield* asking.late
  const end = yield* Clock.currentTimeMillis
  MutableRef.update(state, (window) => taken(window, late, end))
  return wasReached
}, Effect.scoped)
