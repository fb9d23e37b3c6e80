import { type PageMetadata } from "../../domain/Content.ts"
import { webUrl } from "../../domain/WebUrl.ts"
import { type Marked } from "./Blocks.ts"
import { isoDate } from "./Dates.ts"
import { type LinkedData, textsOf, typesOf } from "./JsonLd.ts"
import { type Parsed } from "./Parse.ts"
import { attributeOf, type TreeNode } from "./Tree.ts"
import { firstNames, firstOf, innerText, namePart, said, withoutAddresses, withoutSite } from "./Wording.ts"

/** Values of `meta` elements by lower-case `property`, `name` or `http-equiv`, or `itemprop:` and the name of an item. */
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

const aboutPage =
  /^(?:\w*Article|\w*Posting|Report|Review|Recipe|HowTo|Product|ProductGroup|Event|Movie|VideoObject|Book|Course|JobPosting|SoftwareApplication|QAPage|FAQPage|Question|Dataset)$/
const webPage = /^(?:\w*Page|Collection|ItemList)$/

/** The JSON-LD node that speaks of the page's own content. */
const principal = (data: ReadonlyArray<LinkedData>): LinkedData | undefined =>
  data.find((node) => typesOf(node).some((type) => aboutPage.test(type))) ??
  data.find((node) => typesOf(node).some((type) => webPage.test(type)))

const languageTag = (text: string | null | undefined): string | null => {
  const tag =
    text
      ?.trim()
      .replaceAll("_", "-")
      .split(/[,;\s]/)[0] ?? ""
  return /^[a-z]{2,3}(?:-[a-z0-9]{1,8})*$/i.test(tag) ? tag : null
}

/** The first candidate that `read` makes something of. */
const firstRead = (
  candidates: ReadonlyArray<string | null>,
  read: (candidate: string | null) => string | null
): string | null => candidates.reduce<string | null>((found, candidate) => found ?? read(candidate), null)

const hasRelation = (link: TreeNode, relation: string): boolean =>
  (attributeOf(link, "rel") ?? "").toLowerCase().split(/\s+/).includes(relation)

/**
 * What a page says about itself. Precedence: JSON-LD of the page's own content, OpenGraph, Twitter cards, other `meta`
 * (Dublin Core, Parsely, Sailthru), microdata, then elements (`h1`, `title`, `time`, `html lang`). The title takes
 * OpenGraph before JSON-LD, whose `name` is often the site's or the product line's. docs/api.md says the same by field.
 */
export const metadataOf = (
  parsed: Parsed,
  data: ReadonlyArray<LinkedData>,
  marked: Marked,
  base: string
): PageMetadata => {
  const meta = metaValues(parsed.noted)
  const all = (...names: ReadonlyArray<string>) => names.flatMap((name) => meta.get(name) ?? [])
  const node = principal(data)
  const items = (name: string, element: TreeNode | null) => [...all(`itemprop:${name}`), said(element)]
  const linked = (...names: ReadonlyArray<string>) =>
    node === undefined ? [] : names.flatMap((name) => textsOf(node[name]))
  const find = (tag: string) => parsed.noted.find((noted) => noted.tag === tag && noted.namespace.endsWith("xhtml"))
  const text = (tag: string) => {
    const found = find(tag)
    return found === undefined ? null : innerText(found)
  }
  const publisher = data.find((entry) => typesOf(entry).includes("WebSite"))
  const site = firstOf([
    ...all("og:site_name"),
    ...withoutAddresses(linked("publisher")),
    ...(publisher === undefined ? [] : textsOf(publisher["name"])),
    ...all("application-name", "twitter:app:name:iphone", "dc.publisher")
  ])
  const time = parsed.noted.find((noted) => noted.tag === "time" && attributeOf(noted, "datetime") !== null)
  const canonical = parsed.noted.find((noted) => noted.tag === "link" && hasRelation(noted, "canonical"))
  const html = find("html")
  return {
    title: withoutSite(
      firstOf([
        ...all("og:title"),
        ...linked("headline"),
        ...all("twitter:title", "dc.title", "citation_title"),
        ...items("headline", marked.headline),
        text("title"),
        ...linked("name"),
        text("h1")
      ]),
      site
    ),
    description: firstOf([
      ...all("og:description", "description", "twitter:description", "dc.description", "itemprop:description"),
      ...linked("description")
    ]),
    author: firstNames([
      linked("author"),
      ...["author", "article:author", "parsely-author", "sailthru.author", "dc.creator", "citation_author", "byl"].map(
        (name) => all(name)
      ),
      all("itemprop:author"),
      marked.authors.flatMap((author) => said(namePart(author)) ?? []),
      all("twitter:creator")
    ]),
    published: firstRead(
      [
        ...linked("datePublished"),
        ...all("article:published_time", "og:published_time", "parsely-pub-date", "sailthru.date"),
        ...all("dc.date.issued", "dcterms.created", "dc.date", "citation_publication_date", "pubdate", "publishdate"),
        ...all("date"),
        ...items("datepublished", marked.published),
        ...linked("uploadDate", "dateCreated"),
        time === undefined ? null : attributeOf(time, "datetime")
      ],
      isoDate
    ),
    modified: firstRead(
      [
        ...linked("dateModified"),
        ...all("article:modified_time", "og:updated_time", "dc.date.modified", "dcterms.modified"),
        ...all("last-modified", "revised"),
        ...items("datemodified", marked.modified)
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
      [
        canonical === undefined ? null : attributeOf(canonical, "href"),
        ...all("og:url"),
        ...linked("mainEntityOfPage", "url").filter((url) => /^https?:/i.test(url))
      ],
      (url) => webUrl(url, base)
    ),
    image: firstRead(
      [
        ...all("og:image:secure_url", "og:image", "og:image:url"),
        ...linked("image", "thumbnailUrl"),
        ...all("twitter:image", "twitter:image:src"),
        ...items("image", marked.image)
      ],
      (image) => webUrl(image, base)
    )
  }
}
