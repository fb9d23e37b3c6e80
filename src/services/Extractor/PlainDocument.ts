import type { Root } from "hast"
import { type ContentFormat, type Metadata } from "../../domain/Content.ts"
import { feedText, feedTree, readableXml, readFeed } from "./Feed.ts"
import { element } from "./Html.ts"
import { readableJson } from "./Json.ts"
import { escapedText } from "./Markdown.ts"
import { safeMarkdown } from "./MarkdownSource.ts"
import { type DocumentKind } from "./MediaType.ts"
import { extractPage, render, type Rendered } from "./Page.ts"
import { withoutUnseen } from "./Unseen.ts"

const nothingKnown: Metadata = {
  title: null,
  description: null,
  author: null,
  published: null,
  site_name: null,
  language: null,
  image: null
}

const rendered = (content: string, metadata: Partial<Metadata> = {}): Rendered => {
  const { smuggled, text } = withoutUnseen(content.toWellFormed())
  return { ...nothingKnown, ...metadata, content: text.trim(), truncatedInput: false, hiddenText: smuggled }
}

const codeTree = (text: string, language: string): Root => ({
  type: "root",
  children: [element("pre", {}, [element("code", { className: [`language-${language}`] }, [text])])]
})

const paragraphs = (text: string): Root => ({
  type: "root",
  children: text.split(/\n\s*\n/).map((part) => element("p", {}, [part.trim()]))
})

const asCode = (text: string, language: string, format: ContentFormat) =>
  rendered(format === "text" ? text : render(codeTree(text, language), format))

/** The text of a decoded document of any kind but "none". */
export const extractText = (
  source: string,
  kind: Exclude<DocumentKind, "none">,
  url: string,
  format: ContentFormat
): Rendered => {
  const text = source.replace(/^\ufeff/, "").replace(/\r\n?/g, "\n")
  switch (kind) {
    case "html":
      return extractPage(source, url, format)
    case "json":
      return asCode(readableJson(text) ?? text, "json", format)
    case "feed": {
      const feed = readFeed(text, url)
      if (feed === null) return asCode(readableXml(text), "xml", format)
      const { title, summary, author, published, language } = feed
      return rendered(format === "text" ? feedText(feed) : render(feedTree(feed), format), {
        title,
        description: summary,
        author,
        published,
        language
      })
    }
    case "xml":
      return asCode(readableXml(text), "xml", format)
    case "markdown":
    case "plain":
      if (format === "html") return rendered(render(paragraphs(text.trim()), "html"))
      if (format === "text") return rendered(text)
      return rendered(kind === "markdown" ? safeMarkdown(text, url) : escapedText(text))
  }
}
