import type { Root } from "hast"
import { defaultSchema, sanitize, type Schema } from "hast-util-sanitize"
import { toHtml } from "hast-util-to-html"
import { lateElementBudget, OutputBuilder } from "./OutputBuilder.ts"
import { chosenBlocks, type Selection, type Structure } from "./Structure.ts"
import { type IsTimeUp } from "../dom/TimeLimit.ts"

/** Number of elements after which the output is cut. */
const elementBudget = 8_000

const schema: Schema = {
  ...defaultSchema,
  tagNames: [...(defaultSchema.tagNames ?? []), "figure", "figcaption"],
  attributes: {
    a: ["href", "title"],
    img: ["src", "alt"],
    code: [["className", /^language-./]],
    ol: ["start"]
  },
  protocols: { href: ["http", "https"], src: ["http", "https"] },
  clobberPrefix: ""
}

export interface OutputTree {
  readonly tree: Root
  /** Content was omitted because the element limit was reached. */
  readonly truncated: boolean
}

/** Builds the output tree of the main text, sanitised by an allow-list. The depth of the tree is bounded. */
export const toTree = (
  selection: Selection,
  structure: Structure,
  base: string,
  isLate: IsTimeUp = () => false
): OutputTree => {
  const build = new OutputBuilder(selection, structure, base, isLate)
  const { images } = selection.page
  const isFull = () => build.size > elementBudget || (build.size > lateElementBudget && isLate())
  let isCut = false
  let image = 0
  let last = -1
  for (const [block, index] of chosenBlocks(selection)) {
    for (let next = images[image]; next !== undefined && next.block <= index; next = images[++image])
      if (next.shown && (next.block === index || (last >= 0 && next.block > last))) {
        isCut ||= isFull()
        if (isCut) break
        // An image within a sentence is written with its block.
        if (next.node.block < 0) build.image(next.node, next.box)
      }
    isCut ||= isFull()
    if (isCut) break
    build.block(block, block.continues && last === index - 1)
    last = index
  }
  // Images after the last block of the page have no following block that would write them.
  const isWhole = last === selection.page.blocks.length - 1
  for (let next = images[image]; isWhole && !isCut && next !== undefined; next = images[++image]) {
    isCut = isFull()
    if (!isCut && next.shown && next.node.block < 0) build.image(next.node, next.box)
  }
  const clean = sanitize(build.root, schema)
  return { tree: clean.type === "root" ? clean : build.root, truncated: isCut }
}

/** Renders a tree as sanitised HTML, with one top-level block on each line. */
export const toHtmlText = (tree: Root): string =>
  tree.children
    .map((child) => toHtml(child).trim())
    .filter((line) => line !== "")
    .join("\n")
