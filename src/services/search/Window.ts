import { type Outcome, type SourceReceipt } from "../../domain/Outcome.ts"
import { type RawResult } from "../../domain/ResultItem.ts"
import { type SearchKind } from "../../domain/SearchKind.ts"
import { type Candidate, type Reply } from "../engine/Engines.ts"
import { type Cursor, firstPage } from "../engine/Engine.ts"
import { fuse, type Fused } from "./Fusion.ts"
import { type Kind } from "./Kinds.ts"
import { indexOf, type Plan } from "./Plan.ts"

/** Reading progress of one engine for a query. */
export interface Progress<K extends SearchKind> {
  readonly candidate: Candidate<K>
  /** Whether the engine takes part. The others are in reserve. */
  readonly isAsked: boolean
  /** The cursor of the next page; null when the engine has no more. */
  readonly cursor: Cursor | null
  readonly seen: ReadonlySet<string>
  /** Null when there is no outcome yet. */
  readonly last: { readonly outcome: Outcome; readonly at: number } | null
  readonly resultsCount: number
  readonly tookMs: number
}

/**
 * The results of one query so far. Engines are read in rounds of one page each. Each round is fused separately and
 * appended, so the list only grows at its end: page 2 begins where page 1 ended, whichever engines answered since.
 */
export interface Window<K extends SearchKind> {
  readonly fused: ReadonlyArray<Fused<K>>
  /** In the order of the plan. */
  readonly progress: ReadonlyArray<Progress<K>>
  readonly isNamed: boolean
  /** Names of engines that were skipped because they do not support the query. */
  readonly unsupported: ReadonlyArray<string>
}

export const openWindow = <K extends SearchKind>({ isNamed, order, unsupported }: Plan<K>): Window<K> => ({
  fused: [],
  isNamed,
  unsupported,
  progress: order.map((candidate) => ({
    candidate,
    isAsked: false,
    cursor: firstPage,
    seen: new Set(),
    last: null,
    resultsCount: 0,
    tookMs: 0
  }))
})

/** Whether the outcome is neither results nor an empty answer. */
export const hasFailed = (outcome: Outcome): boolean => outcome !== "ok" && outcome !== "empty"

/** An engine with a further page. */
export interface Due<K extends SearchKind> extends Progress<K> {
  readonly cursor: Cursor
}

/** The active engines with a further page. Skips an engine for `restMs` milliseconds after a failure. */
export const due = <K extends SearchKind>(window: Window<K>, now: number, restMs: number): ReadonlyArray<Due<K>> =>
  window.progress.flatMap((progress) => {
    const { cursor, isAsked, last } = progress
    const rested = last === null || !hasFailed(last.outcome) || now - last.at >= restMs
    return isAsked && cursor !== null && rested ? [{ ...progress, cursor }] : []
  })

/** The engines in reserve, in plan order. */
export const reserve = <K extends SearchKind>(window: Window<K>): ReadonlyArray<Due<K>> =>
  window.progress.flatMap((progress) =>
    progress.isAsked || progress.cursor === null ? [] : [{ ...progress, cursor: progress.cursor }]
  )

const changed = <K extends SearchKind>(
  window: Window<K>,
  names: ReadonlySet<string>,
  change: (progress: Progress<K>) => Progress<K>
): Window<K> => ({
  ...window,
  progress: window.progress.map((one) => (names.has(one.candidate.engine.name) ? change(one) : one))
})

/** Moves engines from the reserve into the window. */
export const activate = <K extends SearchKind>(window: Window<K>, names: ReadonlySet<string>): Window<K> =>
  changed(window, names, (progress) => ({ ...progress, isAsked: true }))

/** Marks engines in reserve as suspended. */
export const suspend = <K extends SearchKind>(window: Window<K>, names: ReadonlySet<string>, at: number): Window<K> =>
  changed(window, names, (progress) =>
    progress.isAsked ? progress : { ...progress, last: { outcome: "suspended", at } }
  )

export interface Answered<K extends SearchKind> {
  readonly progress: Progress<K>
  readonly reply: Reply<K>
}

const advance = <K extends SearchKind>(
  kind: Kind<K>,
  progress: Progress<K>,
  reply: Reply<K>,
  now: number
): Progress<K> => {
  const tookMs = progress.tookMs + reply.tookMs
  const { parsed } = reply
  switch (parsed._tag) {
    case "Fault":
      return { ...progress, tookMs, last: { outcome: parsed.fault, at: now } }
    case "Empty":
      // An empty later page is the end of the list. Only an empty first page is an empty answer.
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
        // Some engines repeat their last page instead of reporting the end.
        cursor: fresh.length === 0 ? null : parsed.next,
        seen: new Set([...progress.seen, ...fresh]),
        resultsCount: progress.resultsCount + new Set(fresh).size,
        last: { outcome: "ok", at: now }
      }
    }
  }
}

/** Merges one round of replies into the window. The result does not depend on the order of the replies. */
export const absorb = <K extends SearchKind>(
  kind: Kind<K>,
  window: Window<K>,
  answered: ReadonlyArray<Answered<K>>,
  now: number,
  isOffTopic?: (found: RawResult<K>) => boolean
): Window<K> => {
  const by = new Map(answered.map((one) => [one.progress.candidate.engine.name, one]))
  const lists = window.progress.flatMap(({ candidate }) => {
    const parsed = by.get(candidate.engine.name)?.reply.parsed
    return parsed?._tag === "Results"
      ? [
          {
            engine: candidate.engine.name,
            index: indexOf(candidate),
            weight: candidate.source.weight,
            items: parsed.items
          }
        ]
      : []
  })
  const known = new Map(window.fused.map((entry) => [entry.identity, entry]))
  const added = fuse(kind, lists, isOffTopic).filter((entry) => {
    const earlier = known.get(entry.identity)
    if (earlier === undefined) return true
    known.set(entry.identity, {
      ...earlier,
      found: kind.merge(earlier.found, entry.found),
      engines: Array.from(new Set([...earlier.engines, ...entry.engines]))
    })
    return false
  })
  return {
    ...window,
    fused: [...window.fused.map((entry) => known.get(entry.identity) ?? entry), ...added],
    progress: window.progress.map((progress) => {
      const one = by.get(progress.candidate.engine.name)
      return one === undefined ? progress : advance(kind, progress, one.reply, now)
    })
  }
}

/** The outcome of each engine, in plan order, followed by the unsupported ones. */
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

/**
 * Names of the engines that failed at or before `time` (milliseconds since 1970), including resting ones. A `paced`
 * engine counts only when there are no results, because another engine has replaced it.
 */
export const failedBefore = <K extends SearchKind>(window: Window<K>, time: number): ReadonlyArray<string> =>
  window.progress.flatMap(({ candidate, last }) =>
    last !== null &&
    hasFailed(last.outcome) &&
    last.at <= time &&
    (last.outcome !== "paced" || window.fused.length === 0)
      ? [candidate.engine.name]
      : []
  )

/** Whether any engine has answered, with or without results. */
export const hasAnswer = <K extends SearchKind>(window: Window<K>): boolean =>
  window.progress.some(({ last }) => last !== null && !hasFailed(last.outcome))

/** Whether any engine has an outcome. */
export const isRead = <K extends SearchKind>(window: Window<K>): boolean =>
  window.progress.some(({ last }) => last !== null)
