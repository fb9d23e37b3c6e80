import { type Style } from "../visibility/Style.ts"
import { attributeOf, isText, type TreeNode } from "../dom/Tree.ts"

/** Inline elements. */
export const inlineTags = new Set(
  (
    "a abbr acronym b bdi bdo big cite code data del dfn em font i ins kbd label mark meter nobr output q rb rp rt rtc " +
    "ruby s samp small span strike strong sub sup time tt u var wbr math shadow slot"
  ).split(" ")
)

/** Elements whose content is not page text. */
export const skippedTags = new Set(
  (
    "script style noscript iframe object embed applet svg canvas audio video textarea select option datalist input rp " +
    "frameset frame noframes noembed head meta link title base map area template param source track progress"
  ).split(" ")
)

/** Class names of inline boxes that open when the pointer is over a word. */
const opensOnHover =
  /(?:tooltip|popover|rollover)(?:[-_][a-z]{1,12})?[-_]?(?:text|content|body|block|box|card|inner)|hover-?card/i

export const isOpenedOnHover = (node: TreeNode): boolean =>
  node.tag !== "a" && inlineTags.has(node.tag) && opensOnHover.test(attributeOf(node, "class") ?? "")

/** Whether an element is inline by default. MathJax wraps formulas in `mjx-` elements. */
const isInline = ({ attributes, tag }: TreeNode): boolean =>
  inlineTags.has(tag) || (tag.startsWith("mjx-") && !attributes.some(({ name }) => name === "display"))

/** Whether an element is laid out as its own box. Inline elements are boxes only when their style says so. */
export const isBox = (node: TreeNode, style: Style): boolean =>
  !isInline(node) || /^(?:block|flex|grid|table|list-item|flow-root)\b/.test(style.get("display") ?? "")

/** Whether a node contains letters or digits that a browser would lay out. */
export const holdsText = (root: TreeNode): boolean => {
  let node: TreeNode | null = root
  while (node !== null) {
    if (isText(node) && /[\p{L}\p{N}]/u.test(node.text)) return true
    if (node.first !== null && !skippedTags.has(node.tag)) node = node.first
    else {
      while (node !== null && node !== root && node.next === null) node = node.parent
      if (node === null || node === root) return false
      node = node.next
    }
  }
  return false
}
