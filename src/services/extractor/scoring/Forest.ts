import { Schema } from "effect"

const Numbers = Schema.Array(Schema.Number)

/**
 * Boosted decision trees of equal depth. Each tree is stored as a heap: `2^depth - 1` splits, then `2^depth` leaves.
 * Written by `tools/training/train.mjs` and `tools/training/train-kinds.mjs`.
 */
const Forest = Schema.Struct({
  depth: Schema.Int,
  base: Schema.Number,
  names: Schema.Array(Schema.String),
  features: Numbers,
  thresholds: Numbers,
  leaves: Numbers
})

export interface Scorer {
  /** Names of the features that the scorer reads. */
  readonly names: ReadonlyArray<string>
  /** Returns one probability per row of `values`. Each row is `width` long. */
  readonly score: (values: Float32Array, width: number) => Float64Array
}

/** A row whose margin is below this value skips the remaining trees. Almost no such row would become likely again. */
const hopeless = -4.5
const treesUnwatched = 20

interface Trees {
  readonly base: number
  readonly depth: number
  readonly count: number
  /** Feature column of each split. */
  readonly features: Int32Array
  readonly thresholds: Float32Array
  readonly leaves: Float32Array
}

/** Returns the margin (log-odds) of the row that begins at `start`. */
const marginOf = ({ base, count, depth, features, leaves, thresholds }: Trees, values: Float32Array, start: number) => {
  const splitCount = (1 << depth) - 1
  let margin = base
  for (let tree = 0; tree < count; tree++) {
    if (tree % treesUnwatched === 0 && margin < hopeless) break
    const first = tree * splitCount
    let at = 0
    while (at < splitCount) {
      const value = values[start + (features[first + at] ?? 0)] ?? 0
      // Computes the child index without a branch. Its direction is unpredictable, and a branch takes half of the time.
      at = 2 * at + 1 + Number(value > (thresholds[first + at] ?? 0))
    }
    margin += leaves[first + tree + at - splitCount] ?? 0
  }
  return margin
}

/**
 * Creates a scorer from weights. Its features are looked up by name in `featureNames`. Throws when the weights are
 * malformed.
 */
export const makeScorer = (weights: unknown, featureNames: ReadonlyArray<string>): Scorer => {
  const forest = Schema.decodeUnknownSync(Forest)(weights)
  const columns = forest.names.map((name) => featureNames.indexOf(name))
  const trees: Trees = {
    base: forest.base,
    depth: forest.depth,
    count: forest.leaves.length >> forest.depth,
    features: Int32Array.from(forest.features, (feature) => columns[feature] ?? 0),
    thresholds: Float32Array.from(forest.thresholds),
    leaves: Float32Array.from(forest.leaves)
  }
  return {
    names: forest.names,
    score: (values, width) =>
      Float64Array.from({ length: width === 0 ? 0 : values.length / width }, (_, row) => {
        return 1 / (1 + Math.exp(-marginOf(trees, values, row * width)))
      })
  }
}
