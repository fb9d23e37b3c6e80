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

const linesOf = (paragraph: string): string =>
  paragraph
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "")
    .join("\n")

/** Plain text as Markdown that says just that: its paragraphs and lines, nothing in them is markup. */
export const escapedText = (text: string): string => {
  const paragraphs = text
    .split(/\n[^\S\n]*\n/)
    .map(linesOf)
    .filter((lines) => lines !== "")
  return toMarkdown({
    type: "root",
    children: paragraphs.map((value) => ({ type: "paragraph", children: [{ type: "text", value }] }))
  }).trim()
}
