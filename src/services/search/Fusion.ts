import { type RawResult } from "../../domain/ResultItem.ts"
import { type SearchKind } from "../../domain/SearchKind.ts"
import { type Kind } from "./Kinds.ts"

/** The results of one engine, best first. */
export interface RankedList<K extends SearchKind> {
  readonly engine: string
  /** Name of the index that the engine searches. */
  readonly index: string
  readonly weight: number
  readonly items: ReadonlyArray<RawResult<K>>
}

/** A merged item with the engines that found it, best rank first. */
export interface Fused<K extends SearchKind> {
  readonly identity: string
  readonly found: RawResult<K>
  readonly engines: ReadonlyArray<string>
}

/** The usual constant of reciprocal-rank fusion (Cormack, Clarke and Büttcher, SIGIR 2009). */
const damping = 60

/**
 * Score factor of items for which `isOff` returns true. A quarter of the best score is below the score of rank 100 in a
 * list.
 */
const demotion = 1 / 4

interface Candidate<K extends SearchKind> {
  readonly found: RawResult<K>
  /** The best score of each index. */
  readonly scores: ReadonlyMap<string, number>
  readonly bestRank: number
  readonly ranks: ReadonlyArray<{ readonly engine: string; readonly rank: number }>
}

/** Number of top candidates that are checked with `isOff`, which costs more than the rest of the fusion. */
const checkedCandidates = 60

const byScore = (
  one: { readonly score: number; readonly bestRank: number },
  other: { readonly score: number; readonly bestRank: number }
): number => other.score - one.score || one.bestRank - other.bestRank

/** Records the score of an index. Engines that share an index count once, with their best score. */
const withIndexScore = (
  scores: ReadonlyMap<string, number>,
  index: string,
  score: number
): ReadonlyMap<string, number> => new Map(scores).set(index, Math.max(score, scores.get(index) ?? 0))

const total = (scores: ReadonlyMap<string, number>): number =>
  Array.from(scores.values()).reduce((sum, score) => sum + score, 0)

/**
 * Reciprocal-rank fusion. The score of an item is the sum of weight / (60 + rank) over the indexes that hold it, and a
 * quarter of that when `isOff` returns true. Ties are broken by the better rank, then by the earlier list, so the order
 * is deterministic.
 */
export const fuse = <K extends SearchKind>(
  kind: Kind<K>,
  lists: ReadonlyArray<RankedList<K>>,
  isOff: (found: RawResult<K>) => boolean = () => false
): ReadonlyArray<Fused<K>> => {
  const candidates = new Map<string, Candidate<K>>()
  for (const { engine, index, items, weight } of lists) {
    let rank = 0
    const counted = new Set<string>()
    for (const found of items) {
      const identity = kind.identity(found)
      if (counted.has(identity)) continue
      counted.add(identity)
      rank += 1
      const score = weight / (damping + rank)
      const known = candidates.get(identity)
      candidates.set(
        identity,
        known === undefined
          ? { found, scores: new Map([[index, score]]), bestRank: rank, ranks: [{ engine, rank }] }
          : {
              found: rank < known.bestRank ? kind.merge(found, known.found) : kind.merge(known.found, found),
              scores: withIndexScore(known.scores, index, score),
              bestRank: Math.min(known.bestRank, rank),
              ranks: [...known.ranks, { engine, rank }]
            }
      )
    }
  }
  const best = Array.from(candidates, ([identity, { scores, ...candidate }]) => ({
    identity,
    ...candidate,
    score: total(scores)
  })).sort(byScore)
  return best
    .map((entry, at) =>
      at < checkedCandidates && isOff(entry.found) ? { ...entry, score: entry.score * demotion } : entry
    )
    .sort(byScore)
    .map(({ found, identity, ranks }) => ({
      identity,
      found,
      engines: ranks.toSorted((a, b) => a.rank - b.rank).map(({ engine }) => engine)
    }))
}
