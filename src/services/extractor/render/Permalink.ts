import { type Block } from "../segment/Blocks.ts"
import { attributeOf, isText, type TreeNode } from "../dom/Tree.ts"

/** Whether a text is that of a link to the heading it stands in, which only shows when the pointer rests there. */
export const isPermalink = ({ parent, text }: TreeNode): boolean =>
  parent?.tag === "a" &&
  attributeOf(parent, "href")?.includes("#") === true &&
  parent.first === parent.last &&
  text.length <= 4 &&
  /^[\s\u200b¶#§🔗⚓]*$/u.test(text)

/** The text of a block, without such a link at its end. */
export const readableText = ({ nodes, text }: Block): string => {
  const last = nodes.at(-1)
  if (last === undefined || !isText(last) || !isPermalink(last)) return text
  const sign = last.text.trim()
  return text.endsWith(sign) ? text.slice(0, text.length - sign.length).trimEnd() : text
}
