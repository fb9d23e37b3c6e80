import { type Page } from "./Blocks.ts"
import { type LinkedData, typesOf } from "./JsonLd.ts"
import { groupBit } from "./Tokens.ts"
import { attributeOf, type TreeNode } from "./Tree.ts"

/** What a page says about its own kind, in structured data, in its address and in its structure. */
export interface KindSigns {
  readonly article: boolean
  readonly product: boolean
  readonly forum: boolean
  readonly listing: boolean
  readonly documentation: boolean
  readonly ogArticle: boolean
  readonly ogProduct: boolean
  readonly isRoot: boolean
  readonly pathDepth: number
  readonly pathWords: number
  readonly times: number
}

const articleTypes = /^(?:\w*Article|\w*Posting|Report|Review|Recipe|HowTo|Question)$/
const productTypes = /^(?:Product|ProductGroup|Offer|AggregateOffer|Book|Vehicle|SoftwareApplication|Hotel|Apartment)$/
const forumTypes = /^(?:DiscussionForumPosting|QAPage|Question|Comment)$/
const listingTypes = /^(?:ItemList|CollectionPage|SearchResultsPage|Blog|OfferCatalog)$/

export const kindSigns = (noted: ReadonlyArray<TreeNode>, data: ReadonlyArray<LinkedData>, url: string): KindSigns => {
  const types = data.flatMap(typesOf)
  const og = noted.find((node) => node.tag === "meta" && attributeOf(node, "property")?.toLowerCase() === "og:type")
  const ogType = (og === undefined ? null : attributeOf(og, "content"))?.toLowerCase() ?? ""
  const path = URL.canParse(url) ? new URL(url).pathname : "/"
  const parts = path.split("/").filter((part) => part !== "")
  return {
    article: types.some((type) => articleTypes.test(type)),
    product: types.some((type) => productTypes.test(type)),
    forum:
      types.some((type) => forumTypes.test(type)) ||
      /\/(?:forums?|threads?|t|topic|discussion|questions|comments|viewtopic|showthread)\b/i.test(path),
    listing:
      types.some((type) => listingTypes.test(type)) ||
      /\/(?:category|categories|collections?|tag|tags|topics?|archive|search|shop|c)\b/i.test(path),
    documentation:
      types.some((type) => /^(?:TechArticle|APIReference)$/.test(type)) ||
      /\/(?:docs?|documentation|reference|manual|guide|api|wiki|learn|tutorials?|help|kb)\b/i.test(path),
    ogArticle: ogType === "article" || ogType.endsWith("post"),
    ogProduct: ogType.includes("product"),
    isRoot: parts.length === 0,
    pathDepth: parts.length,
    pathWords: (parts.at(-1) ?? "").split(/[-_]/).length,
    times: noted.reduce((count, node) => count + (node.tag === "time" ? 1 : 0), 0)
  }
}

export const pageKinds = ["article", "documentation", "product", "service", "forum", "listing", "collection"] as const
export type PageKind = (typeof pageKinds)[number]

/** Share of the page's text that lies under names of a group. */
const shareUnder = (page: Page, group: string): number => {
  const bit = groupBit(group)
  let under = 0
  let all = 1
  for (const block of page.blocks) {
    all += block.chars
    if (((page.boxes[block.box]?.around ?? 0) & bit) !== 0) under += block.chars
  }
  return under / all
}

export const kindOf = (page: Page, signs: KindSigns): PageKind => {
  const threads = shareUnder(page, "thread")
  if (signs.forum && threads > 0.2) return "forum"
  if (signs.product || signs.ogProduct) return signs.listing ? "collection" : "product"
  if (signs.documentation) return "documentation"
  if (signs.article || signs.ogArticle) return "article"
  if (signs.listing || signs.isRoot) return "listing"
  return threads > 0.5 ? "forum" : signs.times > 0 ? "article" : "service"
}
