import { Clock, Effect, MutableRef } from "effect"
import { type SearchKind } from "../../domain/SearchKind.ts"
import { makeHedgedRequests, timeoutFractions, type Reading } from "./HedgedRequests.ts"
import { kinds } from "./Kinds.ts"
import { contradicts } from "./Language.ts"
import { absorb, type Answered, due, type Due, hasAnswer, suspend, type Window } from "./Window.ts"

/** Number of engines that a round queries under `auto`, by access. */
const slots = { api: 3, page: 2 } as const

/** Maximum rounds per request, which is also the maximum of pages read from one engine. */
const roundsPerRequest = 30

/** The engines in reserve that fill the free places of a round. */
const fillers = <K extends SearchKind>(
  spare: ReadonlyArray<Due<K>>,
  seated: ReadonlyArray<Due<K>>
): ReadonlyArray<Due<K>> =>
  (["api", "page"] as const).flatMap((access) => {
    const active = seated.filter(({ candidate }) => candidate.engine.access === access)
    const waiting = spare.filter(({ candidate }) => candidate.engine.access === access)
    return waiting.slice(0, Math.max(0, slots[access] - active.length))
  })

/**
 * Reads rounds of pages into the window until it holds `needed` results, no engine has further pages, or the deadline
 * passes. A round requests the next page of each active engine and fills free places from the reserve. When only late
 * engines are left, it waits for them until half of the timeout at most. Engines without an answer at the end are
 * recorded as timeouts. Returns whether any engine was contacted.
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
    const continuing = due(window, now, timeoutMs).filter(({ candidate }) =>
      waiting.every((one) => one.candidate.engine.name !== candidate.engine.name)
    )
    const added = isNamed ? asking.available() : fillers(asking.available(), [...waiting, ...continuing])
    const next = deadline - now >= timeoutMs * timeoutFractions.least ? [...continuing, ...added] : []
    for (const progress of next) yield* asking.ask(progress)

    const patient = next.length > 0 ? now + timeoutMs * timeoutFractions.patience : now
    const giveUp = hasAnswer(window) ? Math.max(patient, opened + timeoutMs * timeoutFractions.unfilled) : deadline
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
