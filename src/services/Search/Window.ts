import { type Outcome, type SourceReceipt } from "../../domain/Outcome.ts"
import { type SearchKind } from "../../domain/SearchKind.ts"
import { type Candidate, type Reply } from "../Engines.ts"
import { type Cursor, firstPage } from "../Engines/Engine.ts"
import { fuse, type Fused } from "./Fusion.ts"
import { type Kind } from "./Kinds.ts"

/** How far one engine was read for a query. */
export interface Progress<K extends SearchKind> {
  readonly candidate: Candidate<K>
  /** The page to ask for next; null when the engine has no more. */
  readonly cursor: Cursor | null
  readonly seen: ReadonlySet<string>
  /** Null until it was asked. */
  readonly last: { readonly outcome: Outcome; readonly at: number } | null
  readonly resultsCount: number
  readonly tookMs: number
}

/**
 * The results of one query so far. Engines are read in rounds, a page each; a round is fused by itself and put behind
 * the earlier ones. So the list only ever grows at its end: page 2 begins where page 1 ended, whoever answered in
 * between.
 */
export interface Window<K extends SearchKind> {
  readonly fused: ReadonlyArray<Fused<K>>
  readonly progress: ReadonlyArray<Progress<K>>
  /** Engines passed over because they cannot honour what was asked. */
  readonly unsupported: ReadonlyArray<string>
}

export const openWindow = <K extends SearchKind>(
  candidates: ReadonlyArray<Candidate<K>>,
  unsupported: ReadonlyArray<string>
): Window<K> => ({
  fused: [],
  unsupported,
  progress: candidates.map((candidate) => ({
    candidate,
    cursor: firstPage,
    seen: new Set(),
    last: null,
    resultsCount: 0,
    tookMs: 0
  }))
})

const hasFailed = (outcome: Outcome): boolean => outcome !== "ok" && outcome !== "empty"

/** The engines that have a page to give; one that failed is left alone for `restMs`. */
export const due = <K extends SearchKind>(window: Window<K>, now: number, restMs: number): ReadonlyArray<Due<K>> =>
  window.progress.flatMap((progress) => {
    const { cursor, last } = progress
    const rested = last === null || !hasFailed(last.outcome) || now - last.at >= restMs
    return cursor !== null && rested ? [{ ...progress, cursor }] : []
  })

/** An engine with a page to give. */
export interface Due<K extends SearchKind> extends Progress<K> {
  readonly cursor: Cursor
}

export interface Answered<K extends SearchKind> {
  readonly progress: Progress<K>
  readonly reply: Reply<K>
}

const advance = <K extends SearchKind>(kind: Kind<K>, { progress, reply }: Answered<K>, now: number): Progress<K> => {
  const tookMs = progress.tookMs + reply.tookMs
  const { parsed } = reply
  switch (parsed._tag) {
    case "Fault":
      return { ...progress, tookMs, last: { outcome: parsed.fault, at: now } }
    case "Empty":
      // Nothing on a later page is the end of a list, not an empty one.
      return {
        ...progress,
        tookMs,
        cursor: null,
        last: { outcome: progress.resultsCount > 0 ? "ok" : "empty", at: now }
      }
    case "Results": {
      const fresh = parsed.items.map(kind.identity).filter((identity) => !progress.seen.has(identity))
      return {
        ...progress,
        tookMs,
        // Some engines give their last page again and again instead of an end.
        cursor: fresh.length === 0 ? null : parsed.next,
        seen: new Set([...progress.seen, ...fresh]),
        resultsCount: progress.resultsCount + new Set(fresh).size,
        last: { outcome: "ok", at: now }
      }
    }
  }
}

/** The window after one round. */
export const absorb = <K extends SearchKind>(
  kind: Kind<K>,
  window: Window<K>,
  answered: ReadonlyArray<Answered<K>>,
  now: number
): Window<K> => {
  const lists = answered.flatMap(({ progress, reply: { parsed } }) =>
    parsed._tag === "Results"
      ? [{ engine: progress.candidate.engine.name, weight: progress.candidate.source.weight, items: parsed.items }]
      : []
  )
  const known = new Map(window.fused.map((entry) => [entry.identity, entry]))
  const added = fuse(kind, lists).filter((entry) => {
    const earlier = known.get(entry.identity)
    if (earlier === undefined) return true
    known.set(entry.identity, {
      ...earlier,
      found: kind.merge(earlier.found, entry.found),
      engines: Array.from(new Set([...earlier.engines, ...entry.engines]))
    })
    return false
  })
  const by = new Map(answered.map((one) => [one.progress.candidate.engine.name, one]))
  return {
    ...window,
    fused: [...window.fused.map((entry) => known.get(entry.identity) ?? entry), ...added],
    progress: window.progress.map((progress) => {
      const one = by.get(progress.candidate.engine.name)
      return one === undefined ? progress : advance(kind, one, now)
    })
  }
}

/** What each engine did, in the order in which they are asked. */
export const receipts = <K extends SearchKind>(window: Window<K>): ReadonlyArray<SourceReceipt> => [
  ...window.progress.flatMap(({ candidate, last, resultsCount, tookMs }) =>
    last === null
      ? []
      : [{ engine: candidate.engine.name, outcome: last.outcome, results_count: resultsCount, took_ms: tookMs }]
  ),
  ...window.unsupported.map((engine) => ({
    engine,
    outcome: "unsupported" as const,
    results_count: 0,
    took_ms: 0
  }))
]

/** Worth keeping: every engine was asked and none failed. */
export const isWhole = <K extends SearchKind>(window: Window<K>): boolean =>
  window.progress.length > 0 && window.progress.every(({ last }) => last !== null && !hasFailed(last.outcome))
