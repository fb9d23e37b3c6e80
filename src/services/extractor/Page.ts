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

/** Renders an output tree as Markdown or HTML. */
export const render = (tree: Root, format: "markdown" | "html"): string =>
  format === "markdown" ? toMarkdownText(tree) : toHtmlText(tree)

/** Returns whether a node is a `base` of the document itself (HTML, "base element"), not of an image or a template. */
const isBase = (node: TreeNode): boolean => {
  if (node.tag !== "base" || node.namespace !== html.NS.HTML || attributeOf(node, "href") === null) return false
  let at: TreeNode | null = node
  while (at !== null && at.tag !== "template") at = at.parent
  return at === null
}

/** Maximum length of a base, in characters. A link can be as long as its base, or longer. */
const longestBase = 1_024

/** Removes invisible characters from the texts of the metadata. */
const visibleLines = (metadata: PageMetadata) => {
  let smuggled = false
  const seen = (line: string | null) => {
    if (line === null) return null
    const visible = withoutInvisible(line)
    smuggled ||= visible.hasHiddenMessage
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

/** Milliseconds after which a page is late. The output of a late page has fewer elements. */
const timeBeforeMarkup = 400

/** Extracts the main text and the metadata of an HTML document. `choose` selects the blocks of the main text. */
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
  const { hasHiddenMessage: smuggled, text } = withoutInvisible(content.toWellFormed())
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
