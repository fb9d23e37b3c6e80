import { pageKinds, type PageKind } from "../../../domain/Content.ts"
import { type Page } from "../segment/Blocks.ts"
import { makeScorer } from "./Forest.ts"
import { kindFeatureNames, kindFeaturesOf } from "./KindFeatures.ts"
import { type KindSigns } from "./KindSigns.ts"
import { attributeOf } from "../dom/Tree.ts"
import weights from "./kinds.json" with { type: "json" }

const scorers = pageKinds.map((kind) => ({ kind, scorer: makeScorer(weights[kind], kindFeatureNames) }))

/** What types of schema.org say of a page's kind, and how much that weighs beside the scores, which are 1 at most. */
const named: ReadonlyArray<readonly [pattern: RegExp, kind: PageKind, weight: number]> = [
  [/NewsArticle$|^Report$/, "article", 2],
  [/^(?:DiscussionForumPosting|QAPage)$/, "forum", 2],
  [/^APIReference$/, "documentation", 2],
  [/^(?:Article|BlogPosting|LiveBlogPosting|ScholarlyArticle|OpinionNewsArticle)$/, "article", 0.3],
  [/^(?:Product|ProductGroup)$/, "product", 0.3]
]

/** Whether microdata says that the page is a thread. */
const isMarkedThread = ({ boxes }: Page): boolean =>
  boxes.some(({ node }) => {
    const type = node.attributes.length === 0 ? null : attributeOf(node, "itemtype")
    return type !== null && /schema\.org\/(?:DiscussionForumPosting|QAPage)\b/.test(type)
  })

const valueOf = (features: Float32Array, name: string): number => features[kindFeatureNames.indexOf(name)] ?? 0

/** Whether anything at all is as in a thread: boxes that repeat, what people who reply say, or software that says so. */
const isLikeThread = (features: Float32Array): boolean =>
  ["forum", "type:forum", "generator:forum", "says:replying", "boxes:comment"].some(
    (name) => valueOf(features, name) > 0
  ) || valueOf(features, "repeats") > 1

/** The likeliest kind has to be likelier than all others together. */
const leastShare = 0.5
/** Of the text of an article, by its characters. */
const mostlyProse = 0.8

/**
 * The kind of a page, by scores of its features and by what its structured data names it; null where none is clear. What
 * has nothing of a thread is none; prose without any sign of its kind is an article.
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
