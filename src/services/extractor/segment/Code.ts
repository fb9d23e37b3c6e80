import { type Style } from "../visibility/Style.ts"
import { attributeOf, isText, type TreeNode } from "../dom/Tree.ts"

/** Elements of page layout. A `pre` that contains one lays out a page, or was never closed. */
const ofPages = new Set("p h1 h2 h3 h4 h5 h6 section article main nav header footer form".split(" "))

/**
 * Returns the next node in document order below `root`, or null at the end. `isDeep` includes the descendants of
 * `node`.
 */
const following = (node: TreeNode, root: TreeNode, isDeep: boolean): TreeNode | null => {
  if (isDeep && node.first !== null) return node.first
  let at: TreeNode | null = node
  while (at !== null && at !== root && at.next === null) at = at.parent
  return at === null || at === root ? null : at.next
}

/** Separates `pre` elements that hold code from those that lay out a page. Visits each node at most twice. */
export class CodeFinder {
  private readonly layouts = new Set<TreeNode>()

  isCode(pre: TreeNode): boolean {
    if (this.layouts.has(pre)) return false
    for (let node: TreeNode | null = pre; node !== null; node = following(node, pre, true)) {
      if (!ofPages.has(node.tag)) continue
      for (let around = node.parent; around !== null; around = around.parent) {
        if (around.tag === "pre") this.layouts.add(around)
        if (around === pre) return false
      }
    }
    return true
  }
}

const numbers = /(?:^|[\s_-])(?:line-?(?:nos?|num(?:ber)?s?)|gutter|ln(?:um|t|-numbers)?|blob-num)(?=$|[\s_-])/i

const firstElement = (node: TreeNode | null): TreeNode | null => {
  let at = node
  while (at !== null && isText(at)) at = at.next
  return at
}

/** Whether a cell contains a `pre` as its first element, at most two wrappers deep. */
const holdsPre = (cell: TreeNode | null): boolean => {
  let at = cell
  for (let level = 0; at !== null && level < 3; level++) {
    at = firstElement(at.first)
    if (at?.tag === "pre") return true
  }
  return false
}

/** Maximum nodes of a page that are checked for line numbers. */
const nodesWatched = 200_000

/** Separates line numbers from the code next to them. */
export class LineNumbers {
  private left = nodesWatched

  /** Whether the text below a node consists of numbers, and of at least one. */
  private isIn(root: TreeNode): boolean {
    let found = false
    for (let node: TreeNode | null = root; node !== null; node = following(node, root, true)) {
      if (this.left-- < 0) return false
      if (!isText(node)) continue
      if (!/^[\d\s]*$/.test(node.text)) return false
      found ||= /\d/.test(node.text)
    }
    return found
  }

  /**
   * Whether an element holds line numbers: by its name, by `user-select: none`, or because it is the first of two
   * adjacent cells that each hold a `pre`. `inCode` means that it is inside a `pre`.
   */
  are(node: TreeNode, style: Style, inCode: boolean): boolean {
    const isCell = node.tag === "td" || node.tag === "th"
    if (!inCode && !isCell && node.tag !== "span") return false
    const isNamed =
      numbers.test(attributeOf(node, "class") ?? "") ||
      ((inCode || isCell) && attributeOf(node, "data-line-number") !== null) ||
      (inCode && (style.get("user-select") ?? style.get("-webkit-user-select")) === "none")
    const isColumn = isCell && holdsPre(node) && holdsPre(firstElement(node.next))
    return (isNamed || isColumn) && (isCell && node.first === null ? isNamed : this.isIn(node))
  }
}
