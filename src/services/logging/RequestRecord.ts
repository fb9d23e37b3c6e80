import { Context, Effect, MutableRef } from "effect"
import { type SourceReceipt } from "../../domain/Outcome.ts"
import { type SearchKind } from "../../domain/SearchKind.ts"
import { hostNameOf } from "./Redaction.ts"

/** Outcomes by engine name. */
export type EngineOutcomes = Readonly<Record<string, string>>

export interface Notes {
  /** MCP tools and RPC procedures, in call order. */
  readonly calls: ReadonlyArray<string>
  readonly engines: { readonly [K in SearchKind]?: EngineOutcomes }
  /** Host names of fetch targets. */
  readonly targets: ReadonlyArray<string>
  /** Query texts and URLs from the client. Never logged, and removed from all log messages. */
  readonly sensitive: ReadonlyArray<string>
}

interface Recorded {
  readonly requestId: string
  readonly notes: MutableRef.MutableRef<Notes>
}

/** Log data about the current request; null outside of a request. */
export class RequestRecord extends Context.Reference<RequestRecord>()("quarry/RequestRecord", {
  defaultValue: (): Recorded | null => null
}) {}

/** Maximum number of notes per list. A batch has up to 100 messages. */
const mostNotes = 20

export const makeRecord = (requestId: string): Recorded => ({
  requestId,
  notes: MutableRef.make<Notes>({ calls: [], engines: {}, targets: [], sensitive: [] })
})

const note = (change: (notes: Notes) => Partial<Notes>): Effect.Effect<void> =>
  Effect.map(RequestRecord, (record) => {
    if (record !== null) MutableRef.update(record.notes, (notes) => ({ ...notes, ...change(notes) }))
  })

const added = (list: ReadonlyArray<string>, text: string): ReadonlyArray<string> =>
  list.length < mostNotes ? [...list, text] : list

export const outcomesOf = (sources: ReadonlyArray<SourceReceipt>): EngineOutcomes =>
  Object.fromEntries(sources.map(({ engine, outcome }) => [engine, outcome]))

/** Notes a tool or procedure. `name` must be a registered name, never one from the client. */
export const noteCall = (name: string) => note(({ calls }) => ({ calls: added(calls, name) }))

export const noteQuery = (text: string) => note(({ sensitive }) => ({ sensitive: added(sensitive, text) }))

export const noteOutcomes = (kind: SearchKind, sources: ReadonlyArray<SourceReceipt>) =>
  note(({ engines }) => ({ engines: { ...engines, [kind]: { ...engines[kind], ...outcomesOf(sources) } } }))

export const noteTarget = (url: string) =>
  note(({ sensitive, targets }) => {
    const host = hostNameOf(url)
    return {
      sensitive: added(sensitive, url),
      targets: targets.includes(host) ? targets : added(targets, host)
    }
  })

/** Flattens outcomes. With several kinds, prefixes the engine with its kind (`text/bing`). */
export const flatOutcomes = (byKind: { readonly [kind: string]: EngineOutcomes }): EngineOutcomes => {
  const kinds = Object.entries(byKind)
  const [only] = kinds
  if (only !== undefined && kinds.length === 1) return only[1]
  return Object.fromEntries(
    kinds.flatMap(([kind, outcomes]) =>
      Object.entries(outcomes).map(([engine, outcome]) => [`${kind}/${engine}`, outcome] as const)
    )
  )
}
