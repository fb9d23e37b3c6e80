import { type Outcome, type SourceReceipt } from "../../domain/Outcome.ts"
import { type RawResult } from "../../domain/ResultItem.ts"
import { type SearchKind } from "../../domain/SearchKind.ts"
import { type Candidate, type Reply } from "../engine/Engines.ts"
import { type Cursor, firstPage } from "../engine/Engine.ts"
import { fuse, type Fused } from "./Fusion.ts"
import { type Kind } from "./Kinds.ts"
import { indexOf, type Plan } from "./Plan.ts"

/** How far one engine was read for a query. */
export interface Progress<K extends SearchKind> {
  readonly candidate: Candidate<K>
  /** Whether it takes part; the others are in reserve. */
  readonly isAsked: boolean
  /** The page to ask for next; null when the engine has no more. */
  readonly cursor: Cursor | null
  readonly seen: ReadonlySet<string>
  /** Null while there is nothing to tell of it. */
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
  /** In the order of the plan. */
  readonly progress: ReadonlyArray<Progress<K>>
  readonly isNamed: boolean
  /** Engines passed over because they cannot honour what was asked. */
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

/** Whether an engine gave no answer of its own. */
export const hasFailed = (outcome: Outcome): boolean => outcome !== "ok" && outcome !== "empty"

/** An engine with a page to give. */
export interface Due<K extends SearchKind> extends Progress<K> {
  readonly cursor: Cursor
}

/** Those that take part and have a page to give; one that failed is left alone for `restMs`. */
export const due = <K extends SearchKind>(window: Window<K>, now: number, restMs: number): ReadonlyArray<Due<K>> =>
  window.progress.flatMap((progress) => {
    const { cursor, isAsked, last } = progress
    const rested = last === null || !hasFailed(last.outcome) || now - last.at >= restMs
    return isAsked && cursor !== null && rested ? [{ ...progress, cursor }] : []
  })

/** Those that may still be brought in, in the order of the plan. */
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

/** The window with engines brought in. */
export const bringIn = <K extends SearchKind>(window: Window<K>, names: ReadonlySet<string>): Window<K> =>
  changed(window, names, (progress) => ({ ...progress, isAsked: true }))

/** The window that says of engines in reserve that they rest. */
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

/** The window after one round, whatever the order in which the replies came. */
export const absorb = <K extends SearchKind>(
  kind: Kind<K>,
  window: Window<K>,
  answered: ReadonlyArray<Answered<K>>,
  now: number,
  isOff?: (found: RawResult<K>) => boolean
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
  const added = fuse(kind, lists, isOff).filter((entry) => {
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

/**
 * The engines that failed, resting ones among them, before the time given. One whose pace was used up was replaced by
 * another, which is none of the answer's faults.
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

/** Whether an engine has answered, with results or without. */
export const hasAnswer = <K extends SearchKind>(window: Window<K>): boolean =>
  window.progress.some(({ last }) => last !== null && !hasFailed(last.outcome))

/** Whether anybody was asked. */
export const isRead = <K extends SearchKind>(window: Window<K>): boolean =>
  window.progress.some(({ last }) => last !== null)
