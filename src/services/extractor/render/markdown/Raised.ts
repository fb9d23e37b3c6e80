import type { Element, Root } from "hast"
import { signOfRaised } from "../../segment/Formula.ts"

/** Returns the text at the end of a node. */
const endOf = (node: Root["children"][number] | undefined): string => {
  let at = node
  while (at?.type === "element") at = at.children.at(-1)
  return at?.type === "text" ? at.value : ""
}

/** Writes superscript powers and cents inline, since Markdown has no superscript: 10^24, $5.99. */
export const writeRaised = (tree: Root): void => {
  const open: Array<Root | Element> = [tree]
  for (let node = open.pop(); node !== undefined; node = open.pop())
    for (const [index, child] of node.children.entries()) {
      if (child.type !== "element") continue
      open.push(child)
      const [raised, second] = child.children
      if (child.tagName !== "sup" || raised?.type !== "text" || second !== undefined) continue
      raised.value = `${signOfRaised(endOf(node.children[index - 1]), raised.value)}${raised.value}`
    }
}
