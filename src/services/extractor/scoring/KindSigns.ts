import { type LinkedData, principalOf, typesOf } from "./JsonLd.ts"
import { attributeOf, type TreeNode } from "../dom/Tree.ts"
import { canParseUrl } from "../../../domain/WebUrl.ts"

/** Signs of a page's kind in its structured data and its address. */
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
  /** Types of the JSON-LD node about the page's own content. */
  readonly principal: ReadonlyArray<string>
  /** Finer signs, in the order of `kindSignNames`. */
  readonly fine: ReadonlyArray<number>
}

const articleTypes = /^(?:\w*Article|\w*Posting|Report|Review|Recipe|HowTo|Question)$/
const productTypes = /^(?:Product|ProductGroup|Offer|AggregateOffer|Book|Vehicle|SoftwareApplication|Hotel|Apartment)$/
const forumTypes = /^(?:DiscussionForumPosting|QAPage|Question|Comment)$/
const listingTypes = /^(?:ItemList|CollectionPage|SearchResultsPage|Blog|OfferCatalog)$/

/** Types of JSON-LD nodes (schema.org) that distinguish kinds. Each match is counted. */
const types: ReadonlyArray<readonly [string, RegExp]> = [
  ["news", /^(?:\w*Article|Report|Review|Recipe|HowTo)$/],
  ["post", /^(?:BlogPosting|LiveBlogPosting)$/],
  ["product", /^(?:Product|ProductGroup|Vehicle|SoftwareApplication|Book)$/],
  ["offer", /Offer/],
  ["forum", /^(?:DiscussionForumPosting|QAPage|Answer|Comment)$/],
  ["list", /^(?:ItemList|OfferCatalog|SearchResultsPage|CollectionPage|Blog)$/],
  ["docs", /^(?:TechArticle|APIReference|SoftwareSourceCode)$/],
  [
    "service",
    /^(?:\w*Service|LocalBusiness|\w*Business|Organization|Corporation|LegalService|FAQPage|ContactPage|AboutPage)$/
  ],
  ["person", /^Person$/],
  ["crumbs", /^BreadcrumbList$/]
]

/** Path patterns that are typical of a kind. */
const paths: ReadonlyArray<readonly [string, RegExp]> = [
  ["blog", /\/(?:blogs?|news|articles?|story|stories|posts?|insights?|press|resources|opinion|magazine)(?:\/|$)/],
  ["date", /\/(?:19|20)\d\d\/(?:\d\d?\/)?|\d{4}-\d\d-\d\d/],
  ["shop", /\/(?:products?|p|pd|dp|item|itm|listing|pr|pdp|shop|store|buy)(?:\/|$)|\.product\b|-p-?\d/],
  ["category", /\/(?:category|categories|collections?|c|cat|browse|genre|market|catalog|department|all)(?:\/|$)/],
  [
    "list",
    /\/(?:tags?|topics?|archives?|search|list|lists|rankings?|directory|top|best|events?|jobs|schedule)(?:\/|$)/
  ],
  ["thread", /\/(?:forums?|threads?|t|topic|discussions?|questions?|comments|talk|viewtopic|showthread|r|community)\b/],
  [
    "docs",
    /\/(?:docs?|documentation|reference|manual|guides?|api|wiki|learn|tutorials?|help|kb|library|stable|latest|man\d?)(?:\/|$)/
  ],
  [
    "service",
    /\/(?:services?|solutions?|features?|pricing|platform|about|industries|practice-areas?|offerings?|company|tools?)\b/
  ],
  ["number", /\d{5,}/],
  ["file", /\.(?:html?|php|aspx?)$/]
]

/** Typical first labels of host names. */
const hosts: ReadonlyArray<readonly [string, RegExp]> = [
  ["docs", /^(?:docs?|developers?|dev|help|support|learn|wiki|api|man|manual)\d?\./],
  ["forum", /^(?:forums?|community|discuss|discourse|talk|answers|boards?|ask)\d?\./],
  ["shop", /^(?:shop|store|buy)\d?\./],
  ["blog", /^(?:blogs?|news|insights|medium)\d?\./]
]

/** Software that typically makes pages of one kind, by its `generator`. */
const generators: ReadonlyArray<readonly [string, RegExp]> = [
  ["forum", /discourse|phpbb|vbulletin|xenforo|invision|flarum|mybb|nodebb|vanilla|simple machines/],
  [
    "docs",
    /docusaurus|sphinx|mkdocs|gitbook|vuepress|vitepress|asciidoctor|docutils|doxygen|javadoc|rustdoc|mediawiki/
  ],
  ["shop", /shopify|woocommerce|magento|prestashop|bigcommerce|opencart/],
  ["blog", /wordpress|ghost|blogger|hugo|jekyll|typepad|substack/]
]

export const kindSignNames: ReadonlyArray<string> = [
  ...types.map(([name]) => `type:${name}`),
  ...paths.map(([name]) => `path:${name}`),
  ...hosts.map(([name]) => `host:${name}`),
  ...generators.map(([name]) => `generator:${name}`),
  "og:website",
  "og:video"
]

const metaOf = (noted: ReadonlyArray<TreeNode>, kind: "name" | "property", name: string): string => {
  const node = noted.find((meta) => meta.tag === "meta" && attributeOf(meta, kind)?.toLowerCase() === name)
  return (node === undefined ? null : attributeOf(node, "content"))?.toLowerCase() ?? ""
}

export const kindSigns = (noted: ReadonlyArray<TreeNode>, data: ReadonlyArray<LinkedData>, url: string): KindSigns => {
  const found = data.flatMap(typesOf)
  const ogType = metaOf(noted, "property", "og:type")
  const generator = metaOf(noted, "name", "generator")
  const address = canParseUrl(url) ? new URL(url) : null
  const path = address?.pathname ?? "/"
  const lowerPath = path.toLowerCase().slice(0, 1_000)
  const parts = path.split("/").filter((part) => part !== "")
  const flag = (is: boolean) => (is ? 1 : 0)
  const principal = principalOf(data, [url])
  return {
    article: found.some((type) => articleTypes.test(type)),
    product: found.some((type) => productTypes.test(type)),
    forum:
      found.some((type) => forumTypes.test(type)) ||
      /\/(?:forums?|threads?|t|topic|discussion|questions|comments|viewtopic|showthread)\b/i.test(path),
    listing:
      found.some((type) => listingTypes.test(type)) ||
      /\/(?:category|categories|collections?|tag|tags|topics?|archive|search|shop|c)\b/i.test(path),
    documentation:
      found.some((type) => /^(?:TechArticle|APIReference)$/.test(type)) ||
      /\/(?:docs?|documentation|reference|manual|guide|api|wiki|learn|tutorials?|help|kb)\b/i.test(path),
    ogArticle: ogType === "article" || ogType.endsWith("post"),
    ogProduct: ogType.includes("product"),
    isRoot: parts.length === 0,
    pathDepth: parts.length,
    pathWords: (parts.at(-1) ?? "").split(/[-_]/).length,
    principal: principal === undefined ? [] : typesOf(principal),
    times: noted.reduce((count, node) => count + (node.tag === "time" ? 1 : 0), 0),
    fine: [
      ...types.map(([, pattern]) => Math.min(20, found.filter((type) => pattern.test(type)).length)),
      ...paths.map(([, pattern]) => flag(pattern.test(lowerPath))),
      ...hosts.map(([, pattern]) => flag(pattern.test(address?.hostname ?? ""))),
      ...generators.map(([, pattern]) => flag(pattern.test(generator))),
      flag(ogType === "website"),
      flag(ogType.includes("video"))
    ]
  }
}
