import { type Metadata } from "../../domain/Content.ts"
import { plainLineOrNull } from "../../domain/PlainText.ts"
import { webUrl } from "../../domain/WebUrl.ts"
import { type LinkedData, textsOf, typesOf } from "./JsonLd.ts"
import { type Marked } from "./Blocks.ts"
import { type Parsed } from "./Parse.ts"
import { attributeOf, type TreeNode } from "./Tree.ts"

const textLimit = 1_000

/** The text below a node, at most `textLimit` characters of it. */
export const innerText = (root: TreeNode): string => {
  let text = ""
  let node: TreeNode | null = root.first
  while (node !== null && text.length < textLimit) {
    if (node.tag === "#text") text += node.text
    if (node.first !== null && node.tag !== "script" && node.tag !== "style") {
      node = node.first
      continue
    }
    while (node !== null && node !== root && node.next === null) node = node.parent
    if (node === null || node === root) break
    node = node.next
  }
  return text
}

const firstOf = (candidates: Iterable<string | null | undefined>): string | null => {
  for (const candidate of candidates) {
    const line = plainLineOrNull(candidate?.slice(0, 4 * textLimit))
    if (line !== null) return line
  }
  return null
}

/** Values of `meta` elements by lower-case `property`, `name`, `itemprop` or `http-equiv`, in their order. */
const metaValues = (noted: ReadonlyArray<TreeNode>): ReadonlyMap<string, ReadonlyArray<string>> => {
  const values = new Map<string, Array<string>>()
  for (const node of noted) {
    if (node.tag !== "meta") continue
    const content = attributeOf(node, "content")
    if (content === null || content.trim() === "") continue
    for (const kind of ["property", "name", "itemprop", "http-equiv"]) {
      const name = attributeOf(node, kind)?.trim().toLowerCase()
      if (name !== undefined) values.set(name, [...(values.get(name) ?? []).slice(0, 20), content])
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

const isoPattern =
  /^(\d{4})-(\d{1,2})-(\d{1,2})(?:[T\s]+(\d{1,2}):(\d{2})(?::(\d{2})(?:\.\d+)?)?\s*(Z|UTC|GMT|[+-]\d{2}:?\d{2})?)?/i

/** Node takes 30 February for 2 March. */
const isCalendarDay = (date: string): boolean => {
  const time = Date.parse(date)
  return Number.isFinite(time) && new Date(time).toISOString().startsWith(date)
}

/** ISO 8601 of a date as pages write them; a day stays a day, a time without a zone stays without. */
export const isoDate = (text: string | null | undefined): string | null => {
  const trimmed = text?.trim().slice(0, 100) ?? ""
  const match = isoPattern.exec(trimmed)
  if (match !== null) {
    const [, year = "", month = "", day = "", hour, minute = "", second = "00", zone] = match
    const date = `${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`
    if (!isCalendarDay(date)) return null
    if (hour === undefined) return date
    if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 60) return date
    const offset =
      zone === undefined ? "" : /^[a-z]/i.test(zone) ? "Z" : zone.replace(/^([+-]\d{2}):?(\d{2})$/, "$1:$2")
    return `${date}T${hour.padStart(2, "0")}:${minute}:${second}${offset}`
  }
  if (/^\d{4}(?:-\d{2})?$/.test(trimmed)) return trimmed
  if (/^\d{8}(?:T|$)/.test(trimmed))
    return isoDate(`${trimmed.slice(0, 4)}-${trimmed.slice(4, 6)}-${trimmed.slice(6, 8)}`)
  if (!/[a-z]{3}/i.test(trimmed) || !/\d{4}/.test(trimmed)) return null
  const named = trimmed.replace(/(\d)(?:st|nd|rd|th)\b/gi, "$1").replace(/\bat\b/gi, " ")
  const hasTime = /\d:\d{2}/.test(named)
  const time = Date.parse(hasTime ? named : `${named} UTC`)
  if (!Number.isFinite(time)) return null
  const iso = new Date(time).toISOString()
  return hasTime ? (/(?:GMT|UTC|Z|[+-]\d{4})\s*(?:\([^)]*\))?$/.test(named) ? iso : dayOf(named)) : iso.slice(0, 10)
}

/** The day of a date whose time says no zone. */
const dayOf = (named: string): string | null => isoDate(named.replace(/,?\s*\d{1,2}:\d{2}.*$/, ""))

const isAddress = (text: string): boolean => /^(?:https?:)?\/\//i.test(text.trim()) || text.startsWith("@")

const nameOf = (text: string): string =>
  (plainLineOrNull(text.slice(0, textLimit)) ?? "").replace(/^(?:written )?by ?:? /i, "").replace(/ ?[|,]$/, "")

/** The title without the name of the site at its end or front. */
const withoutSite = (title: string | null, site: string | null): string | null => {
  if (title === null || site === null) return title
  for (const separator of [" | ", " - ", " – ", " — ", " · ", " • ", " :: ", " » "]) {
    const at = title.lastIndexOf(separator)
    if (
      at > 0 &&
      title
        .slice(at + separator.length)
        .trim()
        .toLowerCase() === site.toLowerCase()
    )
      return title.slice(0, at).trim()
    const first = title.indexOf(separator)
    if (first > 0 && title.slice(0, first).trim().toLowerCase() === site.toLowerCase())
      return title.slice(first + separator.length).trim()
  }
  return title
}

const languageTag = (text: string | null | undefined): string | null => {
  const tag =
    text
      ?.trim()
      .replaceAll("_", "-")
      .split(/[,;\s]/)[0] ?? ""
  return /^[a-z]{2,3}(?:-[a-z0-9]{1,8})*$/i.test(tag) ? tag : null
}

/** The part of a marked person that is the name. */
const namePart = (root: TreeNode): TreeNode => {
  let node: TreeNode | null = root.first
  for (let steps = 0; node !== null && steps < 500; steps++) {
    if (attributeOf(node, "itemprop") === "name") return node
    if (node.first !== null) {
      node = node.first
      continue
    }
    while (node !== null && node !== root && node.next === null) node = node.parent
    if (node === null || node === root) break
    node = node.next
  }
  return root
}

/** What a marked element says: its machine-readable attribute, else its text. */
const said = (node: TreeNode | null): string | null => {
  if (node === null) return null
  for (const name of ["content", "datetime", "src"]) {
    const value = attributeOf(node, name)
    if (value !== null && value.trim() !== "") return value
  }
  return innerText(node)
}

/**
 * What a page says about itself. Precedence: JSON-LD of the page's own content, OpenGraph, Twitter cards, other `meta`
 * (Dublin Core, Parsely, Sailthru), microdata, then elements (`h1`, `title`, `time`, `html lang`). The title takes
 * OpenGraph before JSON-LD, whose `name` is often the site's or the product line's.
 */
export const metadataOf = (parsed: Parsed, data: ReadonlyArray<LinkedData>, marked: Marked, base: string): Metadata => {
  const meta = metaValues(parsed.noted)
  const all = (...names: ReadonlyArray<string>) => names.flatMap((name) => meta.get(name) ?? [])
  const node = principal(data)
  const linked = (name: string) => (node === undefined ? [] : textsOf(node[name]))
  const find = (tag: string) => parsed.noted.find((noted) => noted.tag === tag && noted.namespace.endsWith("xhtml"))
  const text = (tag: string) => {
    const found = find(tag)
    return found === undefined ? null : innerText(found)
  }
  const publisher = data.find((entry) => typesOf(entry).includes("WebSite"))
  const site = firstOf([
    ...all("og:site_name"),
    ...linked("publisher").filter((name) => !isAddress(name)),
    ...(publisher === undefined ? [] : textsOf(publisher["name"])),
    ...all("application-name", "twitter:app:name:iphone", "dc.publisher")
  ])
  const time = parsed.noted.find((noted) => noted.tag === "time" && attributeOf(noted, "datetime") !== null)
  const dates = [
    ...linked("datePublished"),
    ...all("article:published_time", "og:published_time", "datepublished", "parsely-pub-date", "sailthru.date"),
    ...all(
      "dc.date.issued",
      "dcterms.created",
      "dc.date",
      "citation_publication_date",
      "pubdate",
      "publishdate",
      "date"
    ),
    said(marked.published),
    ...linked("uploadDate"),
    ...linked("dateCreated"),
    time === undefined ? null : attributeOf(time, "datetime")
  ]
  const images = [
    ...all("og:image:secure_url", "og:image", "og:image:url"),
    ...linked("image"),
    ...linked("thumbnailUrl"),
    ...all("twitter:image", "twitter:image:src"),
    said(marked.image)
  ]
  const html = find("html")
  return {
    title: withoutSite(
      firstOf([
        ...all("og:title"),
        ...linked("headline"),
        ...all("twitter:title", "dc.title", "citation_title"),
        said(marked.headline),
        text("title"),
        ...linked("name"),
        text("h1")
      ]),
      site
    ),
    description: firstOf([
      ...all("og:description", "description", "twitter:description", "dc.description"),
      ...linked("description")
    ]),
    author: firstOf(
      [
        ...linked("author"),
        ...all("author", "article:author", "parsely-author", "sailthru.author", "dc.creator", "citation_author", "byl"),
        said(marked.author === null ? null : namePart(marked.author)),
        ...all("twitter:creator")
      ]
        .filter((name) => name !== null && !isAddress(name) && name.trim().length <= 200)
        .map((name) => (name === null ? null : nameOf(name)))
    ),
    published: dates.reduce<string | null>((found, date) => found ?? isoDate(date), null),
    site_name: site,
    language: [
      html === undefined ? null : (attributeOf(html, "lang") ?? attributeOf(html, "xml:lang")),
      ...linked("inLanguage"),
      ...all("og:locale", "content-language", "dc.language")
    ].reduce<string | null>((found, tag) => found ?? languageTag(tag), null),
    image: images.reduce<string | null>((found, image) => found ?? webUrl(image, base), null)
  }
}
