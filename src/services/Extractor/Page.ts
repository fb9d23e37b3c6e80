import type { Root } from "hast"
import { type ContentFormat, type Metadata } from "../../domain/Content.ts"
import { webUrl } from "../../domain/WebUrl.ts"
import { toHtmlText, toTree } from "./Html.ts"
import { chooseBlocks, readDocument } from "./MainText.ts"
import { toMarkdownText } from "./Markdown.ts"
import { metadataOf } from "./Metadata.ts"
import { structureOf } from "./Structure.ts"
import { toText } from "./Text.ts"
import { attributeOf } from "./Tree.ts"
import { withoutUnseen } from "./Unseen.ts"

export interface Rendered extends Metadata {
  readonly content: string
  readonly truncatedInput: boolean
  readonly hiddenText: boolean
}

/** Markdown or HTML of an output tree. */
export const render = (tree: Root, format: "markdown" | "html"): string =>
  format === "markdown" ? toMarkdownText(tree) : toHtmlText(tree)

/** The main text and the metadata of an HTML document. */
export const extractPage = (source: string, url: string, format: ContentFormat): Rendered => {
  const read = readDocument(source, url)
  const { parsed, page, data } = read
  const base = parsed.noted.find((node) => node.tag === "base" && attributeOf(node, "href") !== null)
  const baseUrl = webUrl(base === undefined ? null : attributeOf(base, "href"), url) ?? url
  const structure = structureOf(page)
  const selection = { page, chosen: chooseBlocks(read, structure) }
  const output = format === "text" ? null : toTree(selection, structure, baseUrl)
  const content = output === null || format === "text" ? toText(selection, structure) : render(output.tree, format)
  const { smuggled, text } = withoutUnseen(content.toWellFormed())
  return {
    ...metadataOf(parsed, data, page.marked, baseUrl),
    content: text.trim(),
    truncatedInput: parsed.truncated || page.truncated || output?.truncated === true,
    hiddenText: page.hiddenText || smuggled
  }
}
