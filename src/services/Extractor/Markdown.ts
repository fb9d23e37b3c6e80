import type { Root } from "hast"
import { toMdast } from "hast-util-to-mdast"
import { gfmToMarkdown } from "mdast-util-gfm"
import { toMarkdown } from "mdast-util-to-markdown"

/** CommonMark with GFM tables and strike-through. */
export const toMarkdownText = (tree: Root): string => {
  const document = toMdast(tree)
  return toMarkdown(document, {
    bullet: "-",
    emphasis: "*",
    rule: "-",
    fences: true,
    listItemIndent: "one",
    resourceLink: true,
    extensions: [gfmToMarkdown({ tablePipeAlign: false })]
  }).trim()
}
