import { type RawResult } from "../../domain/ResultItem.ts"
import { type SearchKind } from "../../domain/SearchKind.ts"
import { type Kind } from "./Kinds.ts"

/** One engine's answer, best first. */
export interface RankedList<K extends SearchKind> {
  readonly engine: string
  /** Whose index it searches. */
  readonly index: string
  readonly weight: number
  readonly items: ReadonlyArray<RawResult<K>>
}

/** An item with everyone who found it, best rank first. */
export interface Fused<K extends SearchKind> {
  readonly identity: string
  readonly found: RawResult<K>
  readonly engines: ReadonlyArray<string>
}

/** The usual constant of reciprocal-rank fusion (Cormack, Clarke and Büttcher, SIGIR 2009). */
const damping = 60

/** A quarter of the best score is less than the hundredth of a list has. */
const demotion = 1 / 4

interface Candidate<K extends SearchKind> {
  readonly found: RawResult<K>
  /** By index. */
  readonly scores: ReadonlyMap<string, number>
  readonly bestRank: number
  readonly ranks: ReadonlyArray<{ readonly engine: string; readonly rank: number }>
}

/** Of the best, so many are looked at for being off: it costs more than all the rest. */
const lookedAt = 60

const byScore = (
  one: { readonly score: number; readonly bestRank: number },
  other: { readonly score: number; readonly bestRank: number }
): number => other.score - one.score || one.bestRank - other.bestRank

/** Engines that search one index are one voice: the loudest counts. */
const heard = (scores: ReadonlyMap<string, number>, index: string, score: number): ReadonlyMap<string, number> =>
  new Map(scores).set(index, Math.max(score, scores.get(index) ?? 0))

const total = (scores: ReadonlyMap<string, number>): number =>
  Array.from(scores.values()).reduce((sum, score) => sum + score, 0)

/**
 * Reciprocal-rank fusion: an item scores the sum of weight / (60 + rank) over the indexes that hold it; one that `isOff` a
 * quarter of that. Ties go to the better rank, then to the earlier list, so that the same answers always give the same
 * order.
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
              scores: heard(known.scores, index, score),
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
    .map((entry, at) => (at < lookedAt && isOff(entry.found) ? { ...entry, score: entry.score * demotion } : entry))
    .sort(byScore)
    .map(({ found, identity, ranks }) => ({
      identity,
      found,
      engines: ranks.toSorted((a, b) => a.rank - b.rank).map(({ engine }) => engine)
    }))
}
