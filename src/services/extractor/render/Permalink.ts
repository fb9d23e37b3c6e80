import { type Block } from "../segment/Blocks.ts"
import { attributeOf, isText, type TreeNode } from "../dom/Tree.ts"

/** Returns whether a text is a heading's link to itself, which is visible only on hover. */
export const isPermalink = ({ parent, text }: TreeNode): boolean =>
  parent?.tag === "a" &&
  attributeOf(parent, "href")?.includes("#") === true &&
  parent.first === parent.last &&
  text.length <= 4 &&
  /^[\s\u200b¶#§🔗⚓]*$/u.test(text)

/** Returns the text of a block without a permalink at its end. */
export const readableText = ({ nodes, text }: Block): string => {
  const last = nodes.at(-1)
  if (last === undefined || !isText(last) || !isPermalink(last)) return text
  const sign = last.text.trim()
  return text.endsWith(sign) ? text.slice(0, text.length - sign.length).trimEnd() : text
}
