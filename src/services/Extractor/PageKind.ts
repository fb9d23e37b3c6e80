import { type LinkedData, typesOf } from "./JsonLd.ts"
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
