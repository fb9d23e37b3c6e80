// What the trainers share: how sites are parted for validation, and how a model is written.

const hash = (text) => [...text].reduce((sum, character) => (Math.imul(sum, 31) + character.charCodeAt(0)) >>> 0, 7)
const siteOf = (url, id) => (URL.canParse(url) ? new URL(url).hostname.split(".").slice(-2).join(".") : id)

/** The fold of five that a page is validated in: pages of one site are in the same. */
export const siteFold = (url, id) => hash(siteOf(url, id)) % 5

/** A model as src/services/extractor/scoring/Forest.ts reads it: only the features it uses, by their names. */
export const compact = (model, featureNames) => {
  const used = [...new Set(model.features)].sort((a, b) => a - b)
  return {
    depth: model.depth,
    base: Number(model.base.toFixed(4)),
    names: used.map((feature) => featureNames[feature]),
    features: model.features.map((feature) => used.indexOf(feature)),
    thresholds: model.thresholds.map((threshold) => (threshold > 1e29 ? 1e9 : Number(threshold.toPrecision(5)))),
    leaves: model.leaves.map((leaf) => Number(leaf.toFixed(4)))
  }
}
