import { pageKinds, type PageKind } from "../../../domain/Content.ts"
import { type Page } from "../segment/Blocks.ts"
import { makeScorer } from "./Forest.ts"
import { kindFeatureNames, kindFeaturesOf } from "./KindFeatures.ts"
import { type KindSigns } from "./KindSigns.ts"
import { attributeOf } from "../dom/Tree.ts"
import weights from "./kinds.json" with { type: "json" }

const scorers = pageKinds.map((kind) => ({ kind, scorer: makeScorer(weights[kind], kindFeatureNames) }))

/** Page kinds by schema.org type. The weight is added to the score of the kind, which is at most 1. */
const named: ReadonlyArray<readonly [pattern: RegExp, kind: PageKind, weight: number]> = [
  [/NewsArticle$|^Report$/, "article", 2],
  [/^(?:DiscussionForumPosting|QAPage)$/, "forum", 2],
  [/^APIReference$/, "documentation", 2],
  [/^(?:Article|BlogPosting|LiveBlogPosting|ScholarlyArticle|OpinionNewsArticle)$/, "article", 0.3],
  [/^(?:Product|ProductGroup)$/, "product", 0.3]
]

/** Whether microdata marks the page as a thread. */
const isMarkedThread = ({ boxes }: Page): boolean =>
  boxes.some(({ node }) => {
    const type = node.attributes.length === 0 ? null : attributeOf(node, "itemtype")
    return type !== null && /schema\.org\/(?:DiscussionForumPosting|QAPage)\b/.test(type)
  })

const valueOf = (features: Float32Array, name: string): number => features[kindFeatureNames.indexOf(name)] ?? 0

/** Whether the page has any feature of a thread: repeated boxes, phrases used in replies, or forum software. */
const isLikeThread = (features: Float32Array): boolean =>
  ["forum", "type:forum", "generator:forum", "says:replying", "boxes:comment"].some(
    (name) => valueOf(features, name) > 0
  ) || valueOf(features, "repeats") > 1

/** The best kind must have more than this share of the sum of all scores. */
const leastShare = 0.5
/** Minimum share of prose, in characters, for the fallback to an article. */
const mostlyProse = 0.8

/**
 * Returns the kind of a page, from the scores of its features and the types in its structured data; null when no kind
 * is clear. A page without any feature of a thread is never a forum. If such a page would otherwise score best as a
 * forum and no other kind is clear, mostly prose makes it an article.
 */
export const pageKindOf = (page: Page, signs: KindSigns): PageKind | null => {
  if (page.blocks.length === 0) return null
  const features = kindFeaturesOf(page, signs)
  const types = isMarkedThread(page) ? [...signs.principal, "DiscussionForumPosting"] : signs.principal
  const isThread = types.includes("DiscussionForumPosting") || isLikeThread(features)
  const scores = scorers.map(({ kind, scorer }) => {
    const given = named.flatMap(([pattern, of, weight]) =>
      of === kind && types.some((type) => pattern.test(type)) ? [weight] : []
    )
    const software = kind === "forum" && valueOf(features, "generator:forum") > 0 ? 0.6 : 0
    const score = scorer.score(features, features.length)[0] ?? 0
    return { kind, score: score + Math.max(software, ...given) }
  })
  const best = scores.reduce((one, other) => (other.score > one.score ? other : one))
  const likely = best.kind === "forum" && !isThread ? scores.filter(({ kind }) => kind !== "forum") : scores
  const sum = likely.reduce((all, { score }) => all + score, 0)
  const clear = likely.find(({ score }) => score > sum * leastShare)?.kind ?? null
  return clear === null && likely !== scores && valueOf(features, "prose") > mostlyProse ? "article" : clear
}
