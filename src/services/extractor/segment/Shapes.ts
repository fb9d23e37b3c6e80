import { nodeBudget } from "../dom/Parse.ts"
import { attributeOf, type TreeNode } from "../dom/Tree.ts"

/** Assigns equal numbers to boxes that look alike. Call `of` once for each box, in the order of the boxes. */
export class Shapes {
  private readonly kinds = new Map<string, number>()
  private readonly kindOfBox: Array<number> = []
  private readonly shapes = new Map<number, number>()

  /**
   * Returns the number for a tag with its class names and those of its parent box. `around` is the index of the parent.
   */
  of(node: TreeNode, around: number): number {
    const names = `${node.tag}.${(attributeOf(node, "class") ?? "").slice(0, 80)}`
    const own = this.kinds.get(names) ?? this.kinds.size
    this.kinds.set(names, own)
    const pair = own * nodeBudget + (this.kindOfBox[around] ?? 0)
    this.kindOfBox.push(own)
    const shape = this.shapes.get(pair) ?? this.shapes.size
    this.shapes.set(pair, shape)
    return shape
  }
}
