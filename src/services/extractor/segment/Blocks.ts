import { type TreeNode } from "../dom/Tree.ts"

/** An element that is laid out as a box of its own, in document order. Indexes refer to `Page.boxes`. */
export interface Box {
  /** Of the box itself. */
  readonly index: number
  readonly node: TreeNode
  readonly tag: string
  readonly parent: number
  readonly depth: number
  /** Token groups of its own names, and of all around it. */
  readonly groups: number
  readonly around: number
  /** Tags around it, as bits of `landmarks`. */
  readonly within: number
  /** Same for boxes that look alike: tag and class names of it and of its parent. */
  readonly shape: number
  /** The `a` that encloses the box whole. */
  readonly link: TreeNode | null
  /** Blocks in it: `[firstBlock, endBlock)`. */
  readonly firstBlock: number
  endBlock: number
  chars: number
  linkChars: number
  /** Of paragraphs' text in it. */
  proseChars: number
}

/** A run of text that nothing but inline markup interrupts: a paragraph, or a line of one. */
export interface Block {
  /** Folded; white space is kept in `pre`. */
  readonly text: string
  readonly box: number
  readonly chars: number
  readonly linkChars: number
  readonly words: number
  /** Token groups of the inline elements that hold it. */
  readonly inline: number
  readonly strong: boolean
  readonly images: number
  /** One line break, and nothing else, parts it from the block before. */
  readonly continues: boolean
  /** It is read although it is not shown, for want of anything else. */
  readonly unshown: boolean
  /** Style sheets of the page hide it: it counts for what the page looks like, but is not read. */
  readonly concealed: boolean
  /** Its text nodes and line breaks. */
  readonly nodes: ReadonlyArray<TreeNode>
}

/** The text of a page, cut into blocks, and the boxes they lie in. */
export interface Page {
  readonly boxes: ReadonlyArray<Box>
  readonly blocks: ReadonlyArray<Block>
  readonly hiddenText: boolean
  /** Sheets and scripts that are not read may show what its own sheets conceal. */
  readonly styled: boolean
  /** There were more blocks than are read. */
  readonly truncated: boolean
  readonly images: ReadonlyArray<{
    readonly node: TreeNode
    readonly block: number
    readonly box: number
    readonly shown: boolean
  }>
  readonly marked: Marked
}

/** Elements of the page that microdata or a link relation marks: the first ones. */
export interface Marked {
  readonly authors: Array<TreeNode>
  published: TreeNode | null
  modified: TreeNode | null
  headline: TreeNode | null
  image: TreeNode | null
}
