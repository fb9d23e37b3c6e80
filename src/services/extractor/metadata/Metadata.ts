import { type PageKind, type PageMetadata } from "../../../domain/Content.ts"
import { webUrl } from "../../../domain/WebUrl.ts"
import { type Marked } from "../segment/Blocks.ts"
import { isoDate } from "../dom/DateText.ts"
import { type LinkedData, namesIn, principalOf, textsOf, typesOf } from "../scoring/JsonLd.ts"
import { type Parsed } from "../dom/Parse.ts"
import { attributeOf, type TreeNode } from "../dom/Tree.ts"
import { firstNames, firstOf, innerText, namePart, valueOf, withoutAddresses, withoutSite } from "./Wording.ts"

/**
 * Collects the values of `meta` elements by lower-case `property`, `name` or `http-equiv`, or by `itemprop:` and the
 * name of an item.
 */
const metaValues = (noted: ReadonlyArray<TreeNode>): ReadonlyMap<string, ReadonlyArray<string>> => {
  const values = new Map<string, Array<string>>()
  for (const node of noted) {
    if (node.tag !== "meta") continue
    const content = attributeOf(node, "content")
    if (content === null || content.trim() === "") continue
    for (const kind of ["property", "name", "itemprop", "http-equiv"]) {
      const name = attributeOf(node, kind)?.trim().toLowerCase()
      const key = kind === "itemprop" ? `itemprop:${name}` : name
      if (key !== undefined) values.set(key, [...(values.get(key) ?? []).slice(0, 20), content])
    }
  }
  return values
}

const languageTag = (text: string | null | undefined): string | null => {
  const tag =
    text
      ?.trim()
      .replaceAll("_", "-")
      .split(/[,;\s]/)[0] ?? ""
  return /^[a-z]{2,3}(?:-[a-z0-9]{1,8})*$/i.test(tag) ? tag : null
}

/** Returns the first result of `read` that is not null. */
const firstRead = (
  candidates: ReadonlyArray<string | null>,
  read: (candidate: string | null) => string | null
): string | null => candidates.reduce<string | null>((found, candidate) => found ?? read(candidate), null)

const hasRelation = (link: TreeNode, relation: string): boolean =>
  (attributeOf(link, "rel") ?? "").toLowerCase().split(/\s+/).includes(relation)

export interface Place {
  /** The URL that addresses in the page are resolved against. */
  readonly base: string
  readonly url: string
  readonly kind: PageKind | null
}

/**
 * Returns the elements that describe the page: those in the head, and those directly in the body, where parsers leave
 * them when something ends the head early. Elements further inside may be user content. Microdata may be anywhere.
 */
const ofHead = (noted: ReadonlyArray<TreeNode>): ReadonlyArray<TreeNode> =>
  noted.filter(
    (element) =>
      element.parent?.tag === "head" || element.parent?.tag === "body" || attributeOf(element, "itemprop") !== null
  )

const levelsLooked = 40

/** Returns whether an ancestor below `body` satisfies the predicate. */
const isWithin = (element: TreeNode, is: (around: TreeNode) => boolean): boolean => {
  let at = element.parent
  for (let level = 0; at !== null && at.tag !== "body" && level < levelsLooked; level++, at = at.parent)
    if (is(at)) return true
  return false
}

const otherNames =
  /\b(?:comments?|replies|related|sidebar|https?:\/\/schema\.org\/Comment)\b|[-_](?:comments?|related)\b/i

/** Returns whether an element belongs to a reader's comment, or to a page that is only linked. */
const isOfComment = (element: TreeNode): boolean =>
  isWithin(element, ({ attributes, tag }) => {
    if (tag === "nav") return true
    for (const { name, value } of attributes)
      if (/^(?:class|id|itemprop|itemtype)$/.test(name) && otherNames.test(value.slice(0, 500))) return true
    return false
  })

const timesLooked = 20

/**
 * Returns the values of the first `time` elements, except those of comments. Values in an `aside` or `footer` come
 * last.
 */
const timesOf = (noted: ReadonlyArray<TreeNode>): ReadonlyArray<string> =>
  noted
    .filter((time) => time.tag === "time" && attributeOf(time, "itemprop") !== "dateModified")
    .slice(0, timesLooked)
    .filter((time) => !isOfComment(time))
    .map((time) => ({ time, beside: isWithin(time, ({ tag }) => tag === "aside" || tag === "footer") }))
    .sort((one, other) => Number(one.beside) - Number(other.beside))
    .flatMap(({ time }) => attributeOf(time, "datetime") ?? [])

/**
 * Reads the metadata of a page. Precedence: JSON-LD of the page's own content, OpenGraph, Twitter cards, other `meta`
 * (Dublin Core, Parsely, Sailthru), microdata, then elements (`h1`, `title`, `time`, `html lang`). The title prefers
 * OpenGraph to JSON-LD, whose `name` is often that of the site or the product line. docs/api.md documents the
 * precedence of each field.
 */
export const metadataOf = (
  parsed: Parsed,
  data: ReadonlyArray<LinkedData>,
  { authors, headline, image, modified, published }: Marked,
  { base, kind, url }: Place
): PageMetadata => {
  const trustedElements = ofHead(parsed.noted)
  const meta = metaValues(trustedElements)
  const all = (...names: ReadonlyArray<string>) => names.flatMap((name) => meta.get(name) ?? [])
  const canonical = trustedElements.find((noted) => noted.tag === "link" && hasRelation(noted, "canonical"))
  const address = canonical === undefined ? null : attributeOf(canonical, "href")
  const addresses = [address, ...all("og:url")].flatMap((given) => webUrl(given, base) ?? [])
  const node = principalOf(data, [url, ...addresses])
  const items = (name: string, element: TreeNode | null) => [...all(`itemprop:${name}`), valueOf(element)]
  const linked = (...names: ReadonlyArray<string>) =>
    node === undefined ? [] : names.flatMap((name) => textsOf(node[name]))
  const named = (...names: ReadonlyArray<string>) =>
    node === undefined ? [] : names.flatMap((name) => namesIn(node[name]))
  const find = (tag: string) => parsed.noted.find((noted) => noted.tag === tag && noted.namespace.endsWith("xhtml"))
  const text = (tag: string) => {
    const found = find(tag)
    return found === undefined ? null : innerText(found)
  }
  const publisher = data.find((entry) => typesOf(entry).includes("WebSite"))
  const site = firstOf([
    ...all("og:site_name"),
    ...withoutAddresses(named("publisher")),
    ...(publisher === undefined ? [] : namesIn(publisher["name"])),
    ...all("application-name", "twitter:app:name:iphone", "dc.publisher")
  ])
  const times = /^(?:listing|collection)$/.test(kind ?? "") ? [] : timesOf(parsed.noted)
  const html = find("html")
  return {
    title: withoutSite(
      firstOf([
        ...all("og:title"),
        ...named("headline"),
        ...all("twitter:title", "dc.title", "citation_title"),
        ...items("headline", headline),
        text("title"),
        ...named("name"),
        text("h1")
      ]),
      site
    ),
    description: firstOf([
      ...all("og:description", "description", "twitter:description", "dc.description", "itemprop:description"),
      ...named("description")
    ]),
    author: firstNames([
      named("author"),
      ...["author", "article:author", "parsely-author", "sailthru.author", "dc.creator", "citation_author", "byl"].map(
        (name) => all(name)
      ),
      all("itemprop:author"),
      // Each post of a thread has an author. The author of the first post started the thread.
      (kind === "forum" ? authors.slice(0, 1) : authors).flatMap((author) => valueOf(namePart(author)) ?? []),
      all("twitter:creator")
    ]),
    published: firstRead(
      [
        ...linked("datePublished"),
        ...all("article:published_time", "og:published_time", "parsely-pub-date", "sailthru.date"),
        ...all("dc.date.issued", "dcterms.created", "dc.date", "citation_publication_date", "pubdate", "publishdate"),
        ...all("date"),
        ...items("datepublished", published !== null && isOfComment(published) ? null : published),
        ...linked("uploadDate", "dateCreated"),
        ...times
      ],
      isoDate
    ),
    modified: firstRead(
      [
        ...linked("dateModified"),
        ...all("article:modified_time", "og:updated_time", "dc.date.modified", "dcterms.modified"),
        ...all("last-modified", "revised"),
        ...items("datemodified", modified)
      ],
      isoDate
    ),
    site_name: site,
    language: firstRead(
      [
        html === undefined ? null : (attributeOf(html, "lang") ?? attributeOf(html, "xml:lang")),
        ...linked("inLanguage"),
        ...all("og:locale", "content-language", "dc.language")
      ],
      languageTag
    ),
    canonical: firstRead(
      [address, ...all("og:url"), ...linked("mainEntityOfPage", "url").filter((given) => /^https?:/i.test(given))],
      (candidate) => webUrl(candidate, base)?.replace(/#.*$/, "") ?? null
    ),
    image: firstRead(
      [
        ...all("og:image:secure_url", "og:image", "og:image:url"),
        ...linked("image", "thumbnailUrl"),
        ...all("twitter:image", "twitter:image:src"),
        ...items("image", image)
      ],
      (candidate) => webUrl(candidate, base)
    )
  }
}
