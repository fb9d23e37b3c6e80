import { type TreeNode, parseHtml } from "./Tree.ts"
import { type Page } from "./Blocks.ts"
import { readPage } from "./Walk.ts"

const least = 600

/**
 * The page's text with what it keeps for readers without scripts, where that is more than all the rest: forums and
 * applications that draw themselves do so.
 */
export const readWithNoscript = (root: TreeNode, noted: ReadonlyArray<TreeNode>): Page => {
  const page = readPage(root)
  const visible = page.boxes[0]?.chars ?? 0
  for (const node of noted) {
    if (node.tag !== "noscript" || (node.first?.text.length ?? 0) < Math.max(least, visible)) continue
    const body = parseHtml(node.first?.text ?? "").noted.find((inner) => inner.tag === "body")
    if (body === undefined) continue
    const inner = readPage(body)
    if ((inner.boxes[0]?.chars ?? 0) > Math.max(least, visible))
      return { ...inner, hiddenText: page.hiddenText || inner.hiddenText }
  }
  return page
}
