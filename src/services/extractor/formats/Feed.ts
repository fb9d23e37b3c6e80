import type { Root } from "hast"
import { Parser } from "htmlparser2"
import { plainLineOrNull } from "../../../domain/PlainText.ts"
import { webUrl } from "../../../domain/WebUrl.ts"
import { element } from "../dom/Elements.ts"
import { type TimeLimits } from "../dom/TimeLimit.ts"
import { isoDate } from "../dom/DateText.ts"

export interface Entry {
  readonly title: string | null
  readonly link: string | null
  readonly published: string | null
  readonly author: string | null
  readonly summary: string | null
}

export interface Feed extends Entry {
  readonly language: string | null
  readonly entries: ReadonlyArray<Entry>
  /** Entries were left out. */
  readonly truncated: boolean
}

export const entryLimit = 500
const fieldLimit = 100_000
const summaryLimit = 5_000

/** Time limit for a feed, in milliseconds. */
const readTime = 400
/** Nesting limit. Feeds have ten levels, and each level makes the next tag slower to parse. */
const deepest = 1_000
/** Characters to parse between two checks of the limits. */
const chunkLength = 1 << 14

/** Parses a source until its end, or until `isEnough` returns true. Returns which of the two happened. */
const readUntil = (parser: Parser, source: string, isEnough: () => boolean): "end" | "enough" => {
  for (let from = 0; from < source.length; from += chunkLength) {
    if (isEnough()) return "enough"
    parser.write(source.slice(from, from + chunkLength))
  }
  parser.end()
  return "end"
}

/** The fields of a feed or an entry. A link is absolute. */
export type Field = keyof Entry | "guid" | "updated" | "language" | "content"

/** The fields of RSS 2.0, RSS 1.0 and Atom elements. */
const fields: ReadonlyMap<string, Field> = new Map<string, Field>([
  ["title", "title"],
  ["link", "link"],
  ["guid", "guid"],
  ["pubdate", "published"],
  ["published", "published"],
  ["updated", "updated"],
  ["dc:date", "published"],
  ["lastbuilddate", "updated"],
  ["dc:creator", "author"],
  ["name", "author"],
  ["author", "author"],
  ["description", "summary"],
  ["summary", "summary"],
  ["subtitle", "summary"],
  ["content", "content"],
  ["content:encoded", "content"],
  ["language", "language"]
])

const breaks = new Set(["p", "div", "li", "br", "tr", "td", "h1", "h2", "h3", "h4", "h5", "h6", "blockquote", "figure"])
const skippedElements = new Set(["script", "style", "template"])

/** Returns the text of an HTML fragment in one pass. A feed has many fragments, and none is worth a tree. */
const textOfHtml = (source: string): string => {
  let text = ""
  let skippedDepth = 0
  let depth = 0
  const parser = new Parser({
    onopentag: (name) => {
      depth++
      if (skippedElements.has(name)) skippedDepth++
      if (breaks.has(name)) text += " "
    },
    ontext: (data) => {
      if (skippedDepth === 0 && text.length < summaryLimit) text += data
    },
    onclosetag: (name) => {
      depth--
      if (skippedElements.has(name)) skippedDepth--
      if (breaks.has(name)) text += " "
    }
  })
  readUntil(parser, source, () => text.length >= summaryLimit || depth > deepest)
  return text
}

const plain = (source: string | undefined): string | null =>
  plainLineOrNull(source === undefined || !/[<&]/.test(source) ? source : textOfHtml(source))

/** Returns the content of an entry, or its summary when that is longer. */
const fuller = (summary: string | null, content: string | null): string | null =>
  (content?.length ?? 0) > (summary?.length ?? 0) ? content : summary

export const entryOf = (values: ReadonlyMap<Field, string>): Entry => ({
  title: plain(values.get("title")),
  link: values.get("link") ?? webUrl(values.get("guid")),
  published: isoDate(values.get("published")) ?? isoDate(values.get("updated")),
  author: plain(values.get("author")),
  summary: fuller(plain(values.get("summary")), plain(values.get("content")))
})

/** Reads the entries of an RSS or Atom feed. Returns null when the document has no feed element. Does not recurse. */
export const readFeed = (source: string, base: string, limits: TimeLimits): Feed | null => {
  const isTimeUp = limits(readTime)
  const channel = new Map<Field, string>()
  const entries: Array<Entry> = []
  let truncated = false
  let entry: Map<Field, string> | null = null
  let field: Field | null = null
  let fieldDepth = 0
  let depth = 0
  let isFeed = false
  let text = ""
  /** The bases that `xml:base` sets (XML Base), with the depth of their elements. */
  const bases: Array<{ readonly depth: number; readonly base: string }> = []
  const setLink = (target: Map<Field, string>, link: string) => {
    const absolute = webUrl(link, bases.at(-1)?.base ?? base)
    if (absolute !== null && !target.has("link")) target.set("link", absolute)
  }
  const parser = new Parser(
    {
      onopentag: (name, attributes) => {
        depth++
        const ownBase = webUrl(attributes["xml:base"], bases.at(-1)?.base ?? base)
        if (ownBase !== null) bases.push({ depth, base: ownBase })
        if (name === "rss" || name === "feed" || name === "rdf:rdf") isFeed = true
        if (name === "item" || name === "entry") entry = new Map()
        const target = entry ?? channel
        const language = attributes["xml:lang"]
        if (depth <= 2 && language !== undefined && !channel.has("language")) channel.set("language", language)
        const href = attributes["href"]
        if (name === "link" && href !== undefined) {
          if ((attributes["rel"] ?? "alternate") === "alternate") setLink(target, href)
        } else if (field === null || (field === "author" && name === "name")) {
          const known = fields.get(name)
          // The image of a channel has its own title and link.
          if (known !== undefined && (entry !== null || depth <= 3)) {
            field = known
            fieldDepth = depth
            text = ""
          }
          if (name === "content" && attributes["src"] !== undefined) setLink(target, attributes["src"])
        }
      },
      ontext: (data) => {
        if (field !== null && text.length < fieldLimit) text += data
      },
      onclosetag: (name) => {
        if (field !== null && depth === fieldDepth) {
          const target = entry ?? channel
          if (field === "link") setLink(target, text)
          else if (text.trim() !== "" && !target.has(field)) target.set(field, text.trim())
          field = null
        }
        if ((name === "item" || name === "entry") && entry !== null) {
          if (entries.length < entryLimit) entries.push(entryOf(entry))
          else truncated = true
          entry = null
        }
        if (bases.at(-1)?.depth === depth) bases.pop()
        depth--
      }
    },
    { xmlMode: true, lowerCaseTags: true, decodeEntities: true }
  )
  const isWhole = readUntil(parser, source, () => depth > deepest || truncated || isTimeUp()) === "end"
  if (!isFeed) return null
  return {
    ...entryOf(channel),
    language: channel.get("language") ?? null,
    entries,
    truncated: truncated || !isWhole
  }
}

const detail = (entry: Entry) => [entry.published, entry.author].filter((part) => part !== null).join(" · ")

export const feedText = (feed: Feed): string =>
  [feed, ...feed.entries]
    .map((entry) =>
      [entry.title, entry.link, detail(entry), entry.summary].filter((line) => line !== null && line !== "").join("\n")
    )
    .filter((part) => part !== "")
    .join("\n\n")

const entryTree = (entry: Entry, level: "h1" | "h2") => {
  const name = entry.title ?? entry.link
  return [
    ...(name === null
      ? []
      : [element(level, {}, [entry.link === null ? name : element("a", { href: entry.link }, [name])])]),
    ...(detail(entry) === "" ? [] : [element("p", {}, [detail(entry)])]),
    ...(entry.summary === null ? [] : [element("p", {}, [entry.summary])])
  ]
}

export const feedTree = (feed: Feed): Root => ({
  type: "root",
  children: [...entryTree(feed, "h1"), ...feed.entries.flatMap((entry) => entryTree(entry, "h2"))]
})

/** Characters. Larger documents are returned unformatted. */
const longestLaidOut = 500_000

/** Formats XML with each element on its own line, unless it has many lines already. Does not change text. */
export const readableXml = (source: string): string => {
  const text = source.replace(/^\ufeff/, "").trim()
  if (text.split("\n", 50).length >= 50 || text.length < 120 || text.length > longestLaidOut) return text
  let depth = 0
  return text
    .replace(/>\s*</g, ">\n<")
    .split("\n")
    .map((line) => {
      const trimmed = line.trim()
      if (trimmed.startsWith("</")) depth--
      const indented = " ".repeat(2 * Math.min(Math.max(depth, 0), 20)) + trimmed
      if (/^<[^/!?]/.test(trimmed) && !trimmed.endsWith("/>") && !trimmed.includes("</")) depth++
      return indented
    })
    .join("\n")
}
