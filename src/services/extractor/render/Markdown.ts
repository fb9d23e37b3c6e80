import type { Root } from "hast"
import { toMdast } from "hast-util-to-mdast"
import type { InlineCode, Parents, Root as MarkdownRoot, Text } from "mdast"
import { gfmToMarkdown } from "mdast-util-gfm"
import { defaultHandlers, type Info, type Options, type State, toMarkdown } from "mdast-util-to-markdown"
import { escaped } from "./markdown/Escape.ts"
import { writeRaised } from "./markdown/Raised.ts"
import { tidy } from "./markdown/Tidy.ts"

/** Escapes text in one pass. The library's patterns take one pass each. */
const text = (node: Text, _: Parents | undefined, state: State, { after, before }: Info): string => {
  const around: ReadonlyArray<string> = state.stack
  return escaped(node.value, {
    before,
    after,
    inLabel: around.includes("label"),
    inCell: around.includes("tableCell"),
    inHeading: around.includes("headingAtx"),
    inStrikethrough: around.includes("strikethrough"),
    inEmphasis: around.includes("emphasis")
  })
}

const longestRun = (value: string): number => {
  let longest = 0
  let run = 0
  for (let index = 0; index < value.length; index++) {
    run = value.charCodeAt(index) === 0x60 ? run + 1 : 0
    if (run > longest) longest = run
  }
  return longest
}

/** Replaces the library's handler, which scans the code once for each length of a backtick run. */
const inlineCode = (node: InlineCode, _: Parents | undefined, state: State): string => {
  const line = node.value.replace(/[\r\n]+/g, " ")
  const value = state.stack.includes("tableCell") ? line.replaceAll("|", "\\|") : line
  const fence = "`".repeat(longestRun(value) + 1)
  const pad = /^`|`$/.test(value) || (/^ .* $/.test(value) && value.trim() !== "") ? " " : ""
  return `${fence}${pad}${value}${pad}${fence}`
}
inlineCode.peek = () => "`"

/** Keeps ampersands in URLs. `tidy` has escaped those that would begin a character reference. */
const root = (node: MarkdownRoot, parent: Parents | undefined, state: State, info: Info): string => {
  state.unsafe = state.unsafe.map((pattern) =>
    pattern.character === "&" ? { ...pattern, inConstruct: ["titleQuote", "titleApostrophe"] } : pattern
  )
  return defaultHandlers.root(node, parent, state, info)
}

const options: Options = {
  bullet: "-",
  emphasis: "*",
  rule: "-",
  fences: true,
  listItemIndent: "one",
  resourceLink: true,
  extensions: [gfmToMarkdown({ tablePipeAlign: false })],
  handlers: { inlineCode, root, text }
}

const written = (tree: MarkdownRoot): string => {
  tidy(tree)
  return toMarkdown(tree, options).trim()
}

/** Renders a tree as CommonMark with GFM tables and strikethrough. */
export const toMarkdownText = (tree: Root): string => {
  writeRaised(tree)
  const document = toMdast(tree)
  return written(document.type === "root" ? document : { type: "root", children: [] })
}

/** Escapes plain text as Markdown without markup. Keeps its paragraphs and lines. */
export const escapedText = (source: string): string =>
  source
    .split(/\n[^\S\n]*\n/)
    .map((paragraph) =>
      paragraph
        .split("\n")
        .filter((line) => line.trim() !== "")
        .join("\n")
    )
    .filter((paragraph) => paragraph !== "")
    .map((paragraph) =>
      escaped(paragraph, {
        before: "",
        after: "",
        inLabel: false,
        inCell: false,
        inHeading: false,
        inStrikethrough: false,
        inEmphasis: false
      })
    )
    .join("\n\n")
