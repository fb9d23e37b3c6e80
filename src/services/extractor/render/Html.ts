import type { Root } from "hast"
import { defaultSchema, sanitize, type Schema } from "hast-util-sanitize"
import { toHtml } from "hast-util-to-html"
import { lateElementBudget, OutputBuilder } from "./OutputBuilder.ts"
import { chosenBlocks, type Selection, type Structure } from "./Structure.ts"
import { type IsTimeUp } from "../dom/TimeLimit.ts"

/** Elements beyond which the output ends. */
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
  /** There was more than is put out. */
  readonly truncated: boolean
}

/** The output tree of the main text, sanitised by an allow-list; its depth is bounded. */
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
        // Those in a sentence are written there.
        if (next.node.block < 0) build.image(next.node, next.box)
      }
    isCut ||= isFull()
    if (isCut) break
    build.block(block, block.continues && last === index - 1)
    last = index
  }
  // Behind the last block of all there is none that they could come before.
  const isWhole = last === selection.page.blocks.length - 1
  for (let next = images[image]; isWhole && !isCut && next !== undefined; next = images[++image]) {
    isCut = isFull()
    if (!isCut && next.shown && next.node.block < 0) build.image(next.node, next.box)
  }
  const clean = sanitize(build.root, schema)
  return { tree: clean.type === "root" ? clean : build.root, truncated: isCut }
}

/** Sanitised HTML: one top-level block on each line. */
export const toHtmlText = (tree: Root): string =>
  tree.children
    .map((child) => toHtml(child).trim())
    .filter((line) => line !== "")
    .join("\n")
