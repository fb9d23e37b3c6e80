import { Context, Effect, MutableRef } from "effect"
import { type SourceReceipt } from "../../domain/Outcome.ts"
import { type SearchKind } from "../../domain/SearchKind.ts"
import { hostNameOf } from "./Redaction.ts"

/** Outcomes by engine. */
export type EngineOutcomes = Readonly<Record<string, string>>

export interface Notes {
  /** MCP tools and RPC procedures, in the order in which they were called. */
  readonly calls: ReadonlyArray<string>
  readonly engines: { readonly [K in SearchKind]?: EngineOutcomes }
  /** Host names of fetch targets. */
  readonly targets: ReadonlyArray<string>
  /** Query texts and URLs that the client sent: never logged, and removed from what is. */
  readonly sensitive: ReadonlyArray<string>
}

interface Recorded {
  readonly requestId: string
  readonly notes: MutableRef.MutableRef<Notes>
}

/** What is known of the current request, for the log; null outside of one. */
export class RequestRecord extends Context.Reference<RequestRecord>()("quarry/RequestRecord", {
  defaultValue: (): Recorded | null => null
}) {}

/** Of one request at most: a batch holds up to 100 messages. */
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

/** Notes a tool or a procedure by its registered name, never by one that a client made up. */
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

/** Flat for one kind; with the kind before the engine (`text/bing`) for several. */
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
