import { type Style } from "../visibility/Style.ts"
import { attributeOf, isText, type TreeNode } from "../dom/Tree.ts"

/** Elements of which whole pages are made: a `pre` that holds one lays out a page, or was never closed. */
const ofPages = new Set("p h1 h2 h3 h4 h5 h6 section article main nav header footer form".split(" "))

/** The node that follows in document order below `root`, with what is below this one (`isDeep`) or without; null at the end. */
const following = (node: TreeNode, root: TreeNode, isDeep: boolean): TreeNode | null => {
  if (isDeep && node.first !== null) return node.first
  let at: TreeNode | null = node
  while (at !== null && at !== root && at.next === null) at = at.parent
  return at === null || at === root ? null : at.next
}

/** Tells the `pre`s that hold code from those that lay out a page. Looks at each node twice at most. */
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

/** Whether a cell holds nothing but a `pre`, in a box at the most. */
const holdsPre = (cell: TreeNode | null): boolean => {
  let at = cell
  for (let level = 0; at !== null && level < 3; level++) {
    at = firstElement(at.first)
    if (at?.tag === "pre") return true
  }
  return false
}

/** Of a page, no more nodes than that are looked at for numbers of lines. */
const nodesWatched = 200_000

/** Tells the numbers of lines from the code beside them. */
export class LineNumbers {
  private left = nodesWatched

  /** Whether all the text below a node is numbers, one at least. */
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
   * Whether an element numbers lines: by its name, by its style (nobody is to copy it), or as a column of a table of two
   * listings. `inCode`: it is inside of a `pre`.
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
