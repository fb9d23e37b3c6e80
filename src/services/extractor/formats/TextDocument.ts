import type { Root } from "hast"
import { type ContentFormat, type Metadata } from "../../../domain/Content.ts"
import { type Feed, feedText, feedTree, readableXml, readFeed } from "./Feed.ts"
import { element } from "../dom/Elements.ts"
import { readableJson } from "./Json.ts"
import { readJsonFeed } from "./JsonFeed.ts"
import { escapedText } from "../render/Markdown.ts"
import { markdownPage } from "./MarkdownSource.ts"
import { type DocumentKind } from "./MediaType.ts"
import { extractPage, render, type Rendered } from "../Page.ts"
import { textBudget } from "../dom/Parse.ts"
import { noTimeLimits, type TimeLimits } from "../dom/TimeLimit.ts"
import { withoutInvisible } from "../render/InvisibleCharacters.ts"
import { countWords } from "../dom/Words.ts"
import { htmlOfXhtml } from "../dom/Xhtml.ts"

const nothingKnown: Omit<Metadata, "word_count"> = {
  title: null,
  description: null,
  author: null,
  published: null,
  modified: null,
  site_name: null,
  language: null,
  canonical: null,
  image: null,
  page_kind: null
}

/** `plain` is the content without markup. */
const rendered = (content: string, plain = content, metadata: Partial<Metadata> = {}): Rendered => {
  const { hasHiddenMessage: smuggled, text } = withoutInvisible(content.toWellFormed())
  return {
    ...nothingKnown,
    ...metadata,
    word_count: countWords(plain),
    content: text.trim(),
    truncatedInput: false,
    hiddenText: smuggled
  }
}

/** Converts line ends of every kind to line feeds. A regular expression would take a second for ten million. */
const withLineFeeds = (text: string): string => {
  if (!text.includes("\r")) return text
  const units = new Uint16Array(text.length)
  let length = 0
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index)
    if (unit === 0x0d && text.charCodeAt(index + 1) === 0x0a) index++
    units[length++] = unit === 0x0d ? 0x0a : unit
  }
  return Buffer.from(units.buffer, 0, length * 2).toString("utf16le")
}

const codeTree = (text: string, language: string): Root => ({
  type: "root",
  children: [element("pre", {}, [element("code", { className: [`language-${language}`] }, [text])])]
})

const paragraphs = (text: string): Root => ({
  type: "root",
  children: text.split(/\n\s*\n/).map((part) => element("p", {}, [part.trim()]))
})

/** Maximum number of lines that are rendered as markup. */
const lineBudget = 80_000

/** Returns the part of a text that is rendered as markup. Markup costs more than the text itself. */
const partOf = (text: string): string => {
  if (text.length > textBudget) return partOf(text.slice(0, text.lastIndexOf("\n", textBudget - 1) + 1 || textBudget))
  let end = -1
  for (let count = 0; count < lineBudget; count++) {
    end = text.indexOf("\n", end + 1)
    if (end < 0) return text
  }
  return text.slice(0, end)
}

/** Returns plain text unchanged for the text format, and rendered by `markup` for the others. */
const plainly = (text: string, format: ContentFormat, markup: (part: string) => string): Rendered => {
  if (format === "text") return rendered(text)
  const part = partOf(text)
  return { ...rendered(markup(part), part), truncatedInput: part.length < text.length }
}

const asCode = (text: string, language: string, format: ContentFormat) =>
  plainly(text.trim(), format, (part) => (format === "text" ? part : render(codeTree(part, language), format)))

const asFeed = (feed: Feed, format: ContentFormat): Rendered => {
  const { author, language, published, summary, title, truncated } = feed
  const plain = feedText(feed)
  const content = format === "text" ? plain : render(feedTree(feed), format)
  const metadata = { title, description: summary, author, published, language, page_kind: "listing" } as const
  return { ...rendered(content, plain, metadata), truncatedInput: truncated }
}

const asParagraphs = (text: string, format: ContentFormat) =>
  plainly(text, format, (part) => (format === "html" ? render(paragraphs(part.trim()), "html") : escapedText(part)))

const withoutComments = (text: string): string => {
  const shown: Array<string> = []
  for (let at = 0; at >= 0;) {
    const start = text.indexOf("<!--", at)
    shown.push(text.slice(at, start < 0 ? text.length : start))
    const end = start < 0 ? -1 : text.indexOf("-->", start + 4)
    at = end < 0 ? -1 : end + 3
  }
  return shown.join("")
}

/** Limits on reading Markdown, in characters and in milliseconds. */
const markdownBudget = 300_000
const markdownTime = 200

/** Extracts a whole Markdown document from its rendered page. Returns null when rendering takes too long. */
const extractMarkdown = (text: string, url: string, format: ContentFormat, limits: TimeLimits): Rendered | null => {
  const part =
    text.length > markdownBudget
      ? text.slice(0, text.lastIndexOf("\n", markdownBudget - 1) + 1 || markdownBudget)
      : text
  const page = markdownPage(part, limits(markdownTime))
  if (page === null) return null
  const rendered = extractPage(page.html, url, format, limits, ({ page: { blocks } }) => blocks.map(() => true))
  return {
    ...rendered,
    page_kind: null,
    truncatedInput: rendered.truncatedInput || part.length < text.length,
    hiddenText: rendered.hiddenText || page.hasComments
  }
}

/** Extracts the text of a decoded document of any textual kind. */
export const extractText = (
  source: string,
  kind: Exclude<DocumentKind, "none" | "pdf">,
  url: string,
  format: ContentFormat,
  limits: TimeLimits = noTimeLimits
): Rendered => {
  const text = withLineFeeds(source.replace(/^\ufeff/, ""))
  switch (kind) {
    case "html":
      return extractPage(source, url, format, limits)
    case "xhtml":
      return extractPage(htmlOfXhtml(source), url, format, limits)
    case "json": {
      const feed = readJsonFeed(text, url)
      return feed === null ? asCode(readableJson(text) ?? text, "json", format) : asFeed(feed, format)
    }
    case "feed": {
      const feed = readFeed(text, url, limits)
      return feed === null ? asCode(readableXml(text), "xml", format) : asFeed(feed, format)
    }
    case "xml":
      return asCode(readableXml(text), "xml", format)
    case "markdown":
      return (
        extractMarkdown(text, url, format, limits) ?? {
          ...asParagraphs(withoutComments(text), format),
          hiddenText: text.includes("<!--")
        }
      )
    case "plain":
      return asParagraphs(text, format)
  }
}
