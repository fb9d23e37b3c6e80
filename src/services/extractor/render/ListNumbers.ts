import { type Page } from "../segment/Blocks.ts"
import { attributeOf, type TreeNode } from "../dom/Tree.ts"

const integerOf = (node: TreeNode, name: string): number | null => {
  const value = attributeOf(node, name)?.trim() ?? ""
  return /^-?\d{1,9}$/.test(value) ? Number(value) : null
}

/** Returns the numbers of ordered list items (HTML, "ordinal value"), by the box of each `li`. */
export const listNumbersOf = (page: Page): ReadonlyMap<number, number> => {
  const lists: Array<number> = []
  const counts = new Map<number, number>()
  const items: Array<number> = []
  for (const box of page.boxes) {
    const { index } = box
    const list = lists[box.parent] ?? -1
    lists.push(/^(?:ol|ul|menu)$/.test(box.tag) ? index : list)
    if (box.tag !== "li" || page.boxes[list]?.tag !== "ol") continue
    items.push(index)
    counts.set(list, (counts.get(list) ?? 0) + 1)
  }
  const ordinals = new Map<number, number>()
  const next = new Map<number, number>()
  for (const item of items) {
    const list = lists[item] ?? -1
    const box = page.boxes[item]
    const holder = page.boxes[list]?.node
    if (box === undefined || holder === undefined) continue
    const isReversed = attributeOf(holder, "reversed") !== null
    const first = integerOf(holder, "start") ?? (isReversed ? (counts.get(list) ?? 1) : 1)
    const ordinal = integerOf(box.node, "value") ?? next.get(list) ?? first
    ordinals.set(item, ordinal)
    next.set(list, ordinal + (isReversed ? -1 : 1))
  }
  return ordinals
}
