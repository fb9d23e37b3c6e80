import { Schema } from "effect"

const Numbers = Schema.Array(Schema.Number)

/**
 * Boosted decision trees of one depth, each laid out as a heap: `2^depth - 1` splits, `2^depth` leaves. Written by
 * `bench/train.mjs` and `bench/train-kinds.mjs`.
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
  /** Names of the features it reads. */
  readonly names: ReadonlyArray<string>
  /** Probabilities of the rows of `values`, of which each is `width` long. */
  readonly score: (values: Float32Array, width: number) => Float64Array
}

/** Rows that come to this margin are not asked of further trees: nearly none would rise to be likely again. */
const hopeless = -4.5
const treesUnwatched = 20

/** The scorer that `weights` describe, its features looked up among those given. */
export const makeScorer = (weights: unknown, featureNames: ReadonlyArray<string>): Scorer => {
  const forest = Schema.decodeUnknownSync(Forest)(weights)
  const columns = forest.names.map((name) => featureNames.indexOf(name))
  const features = Int32Array.from(forest.features, (feature) => columns[feature] ?? 0)
  const thresholds = Float32Array.from(forest.thresholds)
  const leaves = Float64Array.from(forest.leaves)
  const leafCount = 2 ** forest.depth
  const splitCount = leafCount - 1
  const trees = leaves.length / leafCount
  return {
    names: forest.names,
    score: (values, width) => {
      const rows = width === 0 ? 0 : values.length / width
      const scores = new Float64Array(rows)
      for (let row = 0; row < rows; row++) {
        const start = row * width
        let margin = forest.base
        for (let tree = 0; tree < trees; tree++) {
          if (tree % treesUnwatched === 0 && margin < hopeless) break
          const first = tree * splitCount
          let at = 0
          while (at < splitCount)
            // A number instead of a branch: which way it goes cannot be foretold, and costs half of the time.
            at = 2 * at + 1 + Number((values[start + (features[first + at] ?? 0)] ?? 0) > (thresholds[first + at] ?? 0))
          margin += leaves[tree * leafCount + at - splitCount] ?? 0
        }
        scores[row] = 1 / (1 + Math.exp(-margin))
      }
      return scores
    }
  }
}
