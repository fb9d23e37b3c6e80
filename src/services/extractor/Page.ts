import type { Root } from "hast"
import { html } from "parse5"
import { type ContentFormat, type Metadata, type PageMetadata } from "../../domain/Content.ts"
import { webUrl } from "../../domain/WebUrl.ts"
import { toHtmlText, toTree } from "./render/Html.ts"
import { chooseBlocks, readDocument } from "./scoring/MainText.ts"
import { toMarkdownText } from "./render/Markdown.ts"
import { metadataOf } from "./metadata/Metadata.ts"
import { pageKindOf } from "./scoring/PageKind.ts"
import { chosenBlocks, structureOf } from "./render/Structure.ts"
import { toText } from "./render/Text.ts"
import { noTimeLimits, type TimeLimits } from "./dom/TimeLimit.ts"
import { attributeOf, type TreeNode } from "./dom/Tree.ts"
import { withoutInvisible } from "./render/InvisibleCharacters.ts"

export interface Rendered extends Metadata {
  readonly content: string
  readonly truncatedInput: boolean
  readonly hiddenText: boolean
}

/** Markdown or HTML of an output tree. */
export const render = (tree: Root, format: "markdown" | "html"): string =>
  format === "markdown" ? toMarkdownText(tree) : toHtmlText(tree)

/** A `base` of the document itself (HTML, "base element"): not one of an image, nor of a template. */
const isBase = (node: TreeNode): boolean => {
  if (node.tag !== "base" || node.namespace !== html.NS.HTML || attributeOf(node, "href") === null) return false
  let at: TreeNode | null = node
  while (at !== null && at.tag !== "template") at = at.parent
  return at === null
}

/** Every link of the page is as long as its base, or longer. */
const longestBase = 1_024

/** The wording of metadata without the characters that a reader cannot see. */
const visibleLines = (metadata: PageMetadata) => {
  let smuggled = false
  const seen = (line: string | null) => {
    if (line === null) return null
    const visible = withoutInvisible(line)
    smuggled ||= visible.smuggled
    return visible.text.trim() === "" ? null : visible.text.trim()
  }
  const { author, description, site_name, title } = metadata
  const visible = {
    title: seen(title),
    description: seen(description),
    author: seen(author),
    site_name: seen(site_name)
  }
  return { visible, smuggled }
}

/** What comes before the markup of all of a page may take so many milliseconds; after more, less of it is put out. */
const timeBeforeMarkup = 400

/** The main text and the metadata of an HTML document; `choose` says which of its blocks are the main text. */
export const extractPage = (
  source: string,
  url: string,
  format: ContentFormat,
  limits: TimeLimits = noTimeLimits,
  choose: typeof chooseBlocks = chooseBlocks
): Rendered => {
  const isLate = limits(timeBeforeMarkup)
  const read = readDocument(source, url, limits)
  const { parsed, page, data, signs } = read
  const base = parsed.noted.find(isBase)
  const named = webUrl(base === undefined ? null : attributeOf(base, "href"), url)
  const baseUrl = named === null || named.length > longestBase ? url : named
  const structure = structureOf(page)
  const selection = { page, chosen: choose(read, structure) }
  const output = format === "text" ? null : toTree(selection, structure, baseUrl, isLate)
  const content = output === null || format === "text" ? toText(selection, structure) : render(output.tree, format)
  const { smuggled, text } = withoutInvisible(content.toWellFormed())
  const kind = pageKindOf(page, signs)
  const metadata = metadataOf(parsed, data, page.marked, { base: baseUrl, url, kind })
  const lines = visibleLines(metadata)
  return {
    ...metadata,
    ...lines.visible,
    page_kind: kind,
    word_count: chosenBlocks(selection).reduce((sum, [{ words }]) => sum + words, 0),
    content: text.trim(),
    truncatedInput: parsed.truncated || page.truncated || output?.truncated === true,
    hiddenText: page.hiddenText || smuggled || lines.smuggled
  }
}
