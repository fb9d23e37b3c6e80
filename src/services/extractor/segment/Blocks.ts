import { type TreeNode } from "../dom/Tree.ts"

/** An element that is laid out as its own box. Boxes are in document order. Indexes refer to `Page.boxes`. */
export interface Box {
  /** Index of this box. */
  readonly index: number
  readonly node: TreeNode
  readonly tag: string
  readonly parent: number
  readonly depth: number
  /** Token groups of its own names. `around` adds those of its ancestors. */
  readonly groups: number
  readonly around: number
  /** Landmarks of the box and its ancestors, as bits of `landmarks`. */
  readonly within: number
  /** Equal for boxes that look alike: same tag and class names, also of the parent. */
  readonly shape: number
  /** The `a` that encloses the whole box. */
  readonly link: TreeNode | null
  /** Blocks in the box: `[firstBlock, endBlock)`. */
  readonly firstBlock: number
  endBlock: number
  chars: number
  linkChars: number
  /** Characters of prose blocks in the box. */
  proseChars: number
}

/** A run of text with only inline markup: a paragraph, or a line of one. */
export interface Block {
  /** Text with folded white space. White space in `pre` is kept. */
  readonly text: string
  readonly box: number
  readonly chars: number
  readonly linkChars: number
  readonly words: number
  /** Token groups of the inline elements around its text. */
  readonly inline: number
  readonly strong: boolean
  readonly images: number
  /** Exactly one line break separates it from the previous block. */
  readonly continues: boolean
  /** The block is not shown, but it is read because the page has no visible text. */
  readonly unshown: boolean
  /** The page's own sheets hide the block. It counts for page features, but is rarely main text. */
  readonly concealed: boolean
  /** Its text nodes and visible images. */
  readonly nodes: ReadonlyArray<TreeNode>
}

/** The text of a page as blocks, and the boxes that contain them. */
export interface Page {
  readonly boxes: ReadonlyArray<Box>
  readonly blocks: ReadonlyArray<Block>
  readonly hiddenText: boolean
  /** External sheets or scripts may show what the page's own sheets conceal. */
  readonly styled: boolean
  /** The walk stopped at its block or time limit. */
  readonly truncated: boolean
  readonly images: ReadonlyArray<{
    readonly node: TreeNode
    readonly block: number
    readonly box: number
    readonly shown: boolean
  }>
  readonly marked: Marked
}

/** The first elements that microdata or a link relation marks. */
export interface Marked {
  readonly authors: Array<TreeNode>
  published: TreeNode | null
  modified: TreeNode | null
  headline: TreeNode | null
  image: TreeNode | null
}
