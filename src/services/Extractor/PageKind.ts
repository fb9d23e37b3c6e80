import { pageKinds, type PageKind } from "../../domain/Content.ts"
import { type Page } from "./Blocks.ts"
import { makeScorer } from "./Forest.ts"
import { kindFeatureNames, kindFeaturesOf } from "./KindFeatures.ts"
import { type KindSigns } from "./KindSigns.ts"
import weights from "./kinds.json" with { type: "json" }

const scorers = pageKinds.map((kind) => ({ kind, scorer: makeScorer(weights[kind], kindFeatureNames) }))

/** The likeliest kind has to be likelier than all others together. */
const leastShare = 0.5

/** The kind of a page; null where none is clear. */
export const pageKindOf = (page: Page, signs: KindSigns): PageKind | null => {
  if (page.blocks.length === 0) return null
  const features = kindFeaturesOf(page, signs)
  const scores = scorers.map(({ kind, scorer }) => ({ kind, score: scorer.score(features, features.length)[0] ?? 0 }))
  const sum = scores.reduce((all, { score }) => all + score, 0)
  return scores.find(({ score }) => score > sum * leastShare)?.kind ?? null
}
