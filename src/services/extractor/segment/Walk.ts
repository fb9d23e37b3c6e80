import { type Block, type Box, type Marked, type Page } from "./Blocks.ts"
import { CodeFinder, LineNumbers } from "./Code.ts"
import { formulaBeside, isMath, signAfter, signBefore, signOfRaised, texOf, texOfImage } from "./Formula.ts"
import { landmarksOf } from "./Landmarks.ts"
import { holdsText, inlineTags, isBox, isOpenedOnHover, skippedTags } from "./Layout.ts"
import { type StyleContext, styleContextOf, initialStyleContext } from "../visibility/StyleContext.ts"
import { NameReader } from "./NameSignals.ts"
import { Shapes } from "./Shapes.ts"
import { type IsTimeUp } from "../dom/TimeLimit.ts"
import { attributeOf, isText, TreeNode } from "../dom/Tree.ts"
import { isHidden, isHiddenByItself, isUnshown, styleFor, type Surround } from "../visibility/Visibility.ts"
import { fold, foldText, isIndentation, withoutBlankStart } from "../dom/WhiteSpace.ts"
import { countWords } from "../dom/Words.ts"

const nameAttributes = new Set(
  "class id role itemprop itemtype aria-label data-component data-module data-testid data-test".split(" ")
)

const namesOf = (node: TreeNode): string => {
  let names = ""
  for (const { name, value } of node.attributes)
    if (nameAttributes.has(name)) names = names === "" ? value : `${names} ${value}`
  return names
}

/** Maximum authors recorded for a page. */
const authorLimit = 10
/** Maximum blocks. Pages for readers have fewer; longer pages are truncated. */
const blockBudget = 10_000
/** Nodes visited between two checks of the clock. */
const stepsUnwatched = 256

/** The text that is read in addition to visible text: none, text that is not displayed, or `noscript` content. */
type Mode = "visible" | "unshown" | "noscript"

/** Number of line breaks that separates paragraphs. */
const apart = 2

/** Builds a page's boxes and blocks in one walk. */
class Walk {
  readonly boxes: Array<Box> = []
  readonly blocks: Array<Block> = []
  readonly images: Array<{ node: TreeNode; block: number; box: number; shown: boolean }> = []
  readonly marked: Marked = { authors: [], published: null, modified: null, headline: null, image: null }
  hiddenText = false
  readonly styled: boolean
  truncated = false
  private readonly names = new NameReader()
  private readonly shapes = new Shapes()
  private readonly surround: Surround
  private readonly mode: Mode
  private look: StyleContext
  private readonly looks: Array<StyleContext> = []
  private isUnshown = false
  private isConcealed = false
  private box = -1
  private links: Array<TreeNode> = []
  private boldDepth = 0
  private preDepth = 0
  /** The open code listing. It is one block, whatever its layout. */
  private code: TreeNode | null = null
  private readonly lines: Array<TreeNode> = []
  private readonly codeFinder = new CodeFinder()
  private readonly lineNumbers = new LineNumbers()
  /** Token groups of the open inline elements. Each entry includes those of its ancestors. */
  private inlineGroups: Array<number> = []
  private pending: Array<TreeNode> = []
  private text = ""
  private linkChars = 0
  private boldChars = 0
  private inline = 0
  /** Line breaks since the previous block; `apart` when a box begins or ends in between. */
  private breaks = apart
  private runImages = 0

  constructor(surround: Surround, mode: Mode) {
    this.surround = surround
    this.mode = mode
    this.styled = surround.styled
    this.look = initialStyleContext(surround)
    // The first walk has already found hidden text. To search each hidden element again would take too long.
    this.hiddenText = mode === "unshown"
  }

  flush() {
    if (this.text === "" && this.runImages === 0) return
    const text = this.preDepth > 0 ? withoutBlankStart(this.text).trimEnd() : fold(this.text)
    const box = this.boxes[this.box]
    if (text !== "" && box !== undefined) {
      const index = this.blocks.length
      for (const node of this.pending) node.block = index
      const chars = text.length
      const linkChars = Math.min(chars, this.linkChars)
      const words = countWords(text)
      this.blocks.push({
        text,
        box: this.box,
        chars,
        linkChars,
        words,
        inline: this.inline,
        strong: this.boldChars * 2 > chars,
        images: this.runImages,
        continues: this.breaks === 1,
        unshown: this.isUnshown,
        concealed: this.isConcealed,
        nodes: this.pending
      })
      box.chars += chars
      box.linkChars += linkChars
      if (words >= 12 && linkChars * 3 < chars) box.proseChars += chars
    }
    this.breaks = 0
    this.isUnshown = this.isConcealed = false
    this.pending = []
    this.text = ""
    this.linkChars = this.boldChars = this.inline = this.runImages = 0
  }

  onText(node: TreeNode) {
    if (this.text === "" && this.preDepth === 0 && isIndentation(node.text)) return
    const text = this.preDepth > 0 ? node.text : foldText(node.text)
    if (text === "" || (text === " " && this.text === "")) return
    if (this.look.invisible) {
      this.hiddenText ||= /[\p{L}\p{N}]/u.test(text)
      return
    }
    if (this.look.concealed) {
      this.isConcealed = true
      this.hiddenText ||= /[\p{L}\p{N}]/u.test(text)
    }
    this.isUnshown ||= this.look.unshown
    const length = text.length > 1 ? text.trim().length : 0
    if (length > 0) {
      if (this.links.length > 0) this.linkChars += length
      if (this.boldDepth > 0) this.boldChars += length
      this.inline |= this.inlineGroups.at(-1) ?? 0
    }
    this.text += text
    this.pending.push(node)
  }

  /** Adds text that is not in the page, such as the TeX of a formula, at the place of a node. */
  private say(text: string, place: TreeNode) {
    const node = new TreeNode("#text", place.namespace, [], text)
    node.parent = place.parent
    this.onText(node)
  }

  /** Each line is its own block, so that it can be chosen independently. */
  onBreak() {
    if (this.preDepth > 0) this.text += "\n"
    else {
      this.flush()
      this.breaks++
    }
  }

  /** Ends the current block, and separates it from the next one. In a listing, ends the line. */
  part() {
    if (this.code !== null) {
      if (this.text !== "" && !this.text.endsWith("\n")) this.text += "\n"
      return
    }
    this.flush()
    this.breaks = apart
  }

  enterInline(node: TreeNode) {
    if (node.tag === "a") this.links.push(node)
    if (node.tag === "b" || node.tag === "strong") this.boldDepth++
    this.inlineGroups.push(this.names.groupsOf(namesOf(node)) | (this.inlineGroups.at(-1) ?? 0))
  }

  leaveInline(node: TreeNode) {
    if (node.tag === "a") this.links.pop()
    if (node.tag === "b" || node.tag === "strong") this.boldDepth--
    this.inlineGroups.pop()
  }

  enterBox(node: TreeNode) {
    this.part()
    const parent = this.boxes[this.box]
    const groups = this.names.groupsOf(namesOf(node))
    this.boxes.push({
      index: this.boxes.length,
      node,
      tag: node.tag,
      parent: this.box,
      depth: (parent?.depth ?? -1) + 1,
      groups,
      around: groups | (parent?.around ?? 0),
      within: landmarksOf(node) | (parent?.within ?? 0),
      shape: this.shapes.of(node, this.box),
      link: this.links.at(-1) ?? null,
      firstBlock: this.blocks.length,
      endBlock: this.blocks.length,
      chars: 0,
      linkChars: 0,
      proseChars: 0
    })
    this.box = this.boxes.length - 1
    if (node.tag !== "pre") return
    this.preDepth++
    if (this.codeFinder.isCode(node)) this.code = node
  }

  /** Enters a box in a listing. The box is a line of the listing, unless it is a table cell. */
  private enterLine(node: TreeNode) {
    if (node.tag === "td" || node.tag === "th") {
      if (!/(?:^|\s)$/.test(this.text.slice(-1))) this.text += " "
      return
    }
    this.part()
    this.lines.push(node)
  }

  leaveBox() {
    const box = this.boxes[this.box]
    if (box === undefined) return
    if (box.node === this.code) this.flush()
    this.code = box.node === this.code ? null : this.code
    this.part()
    if (box.tag === "pre") this.preDepth--
    box.endBlock = this.blocks.length
    const parent = this.boxes[box.parent]
    if (parent !== undefined) {
      parent.chars += box.chars
      parent.linkChars += box.linkChars
      parent.proseChars += box.proseChars
    }
    this.box = box.parent
  }

  note(node: TreeNode) {
    for (const { name, value } of node.attributes) {
      const isAuthor = value === "author" && (name === "rel" || name === "itemprop")
      if (isAuthor && this.marked.authors.length < authorLimit) this.marked.authors.push(node)
      if (name !== "itemprop") continue
      if (value === "datePublished") this.marked.published ??= node
      else if (value === "dateModified") this.marked.modified ??= node
      else if (value === "headline") this.marked.headline ??= node
      else if (value === "image") this.marked.image ??= node
    }
  }

  end(): Page {
    this.flush()
    // A truncated page leaves boxes open.
    for (let box = this.boxes[this.box]; box !== undefined; box = this.boxes[this.box]) this.leaveBox()
    return this
  }

  /** Enters an element. Returns whether its children are read. */
  enter(node: TreeNode): boolean {
    if (node.attributes.length > 0) this.note(node)
    if (node.tag === "template" && node.content !== null && attributeOf(node, "shadowrootmode") !== null) return true
    if (node.tag === "br") {
      this.onBreak()
      return false
    }
    if (node.tag === "hr") {
      this.part()
      return false
    }
    if (node.tag === "img" || node.tag === "picture") {
      if (node.tag === "img") {
        const said = texOfImage(node) ?? pictogramOf(node)
        if (said !== null) {
          this.say(said, node)
          return false
        }
        const shown = !this.look.veiled && !this.look.concealed && !isHiddenByItself(node, this.surround, this.look)
        if (shown) this.pending.push(node)
        this.images.push({ node, block: this.blocks.length, box: this.box, shown })
        this.runImages++
      }
      return node.tag === "picture"
    }
    const isWanted = node.tag === "noscript" && this.mode === "noscript"
    if (skippedTags.has(node.tag) && !isWanted) return false
    const style = styleFor(node, this.surround)
    const isAnyHidden = isHidden(node, style, this.surround, this.look)
    const concealed =
      isAnyHidden &&
      this.code === null &&
      isBox(node, style) &&
      !isHiddenByItself(node, this.surround, this.look) &&
      this.mode === "visible"
    const hidden = isAnyHidden && !concealed
    if (this.lineNumbers.are(node, style, this.code !== null)) return false
    const formula = formulaBeside(node)
    if (formula !== null && !isHidden(formula, styleFor(formula, this.surround), this.surround, this.look)) return false
    if (this.code !== null && node.tag === "button") return false
    if (hidden) {
      this.hiddenText ||= holdsText(node)
      if (this.mode !== "unshown" || !isUnshown(node, style)) return false
    }
    if (isOpenedOnHover(node)) return false
    this.looks.push(this.look)
    if (concealed) this.look = { ...this.look, concealed: true }
    else {
      const look = styleContextOf(this.look, node, style, this.surround)
      this.look = hidden || isWanted ? { ...look, unshown: true } : look
    }
    if (isMath(node)) return this.enterMath(node)
    if (node.tag === "sup") this.raise(node)
    if (inlineTags.has(node.tag)) this.enterInline(node)
    if (isBox(node, style)) {
      if (this.code === null) this.enterBox(node)
      else this.enterLine(node)
    }
    return true
  }

  /** Enters an element of a formula. Returns whether its children are read. */
  private enterMath(node: TreeNode): boolean {
    const tex = node.tag === "math" ? texOf(node) : null
    const before = tex ?? signBefore(node)
    if (before !== "") this.say(before, tex === null ? node : (node.first ?? node))
    if (tex === null && !/^annotation/.test(node.tag)) return true
    this.look = this.looks.pop() ?? this.look
    return false
  }

  private raise({ first }: TreeNode) {
    if (first !== null && isText(first) && first.next === null) this.text += signOfRaised(this.text, first.text)
  }

  leave(node: TreeNode) {
    if (node.tag === "picture" || node.tag === "template") return
    if (isMath(node)) {
      const after = signAfter(node)
      if (after !== "") this.say(after, node)
      this.look = this.looks.pop() ?? this.look
      return
    }
    if (this.boxes[this.box]?.node === node) this.leaveBox()
    else if (this.code !== null && this.lines.at(-1) === node) {
      this.lines.pop()
      this.part()
    }
    if (inlineTags.has(node.tag)) this.leaveInline(node)
    this.look = this.looks.pop() ?? this.look
  }
}

const pictogram = /^[\p{Extended_Pictographic}\p{Emoji_Modifier}\p{Regional_Indicator}\u200d\ufe0f\u20e3]{1,12}$/u

/** Returns the pictogram in the `alt` text of an image; null for other images. */
const pictogramOf = (image: TreeNode): string | null => {
  const alt = attributeOf(image, "alt")?.trim() ?? ""
  return pictogram.test(alt) ? alt : null
}

/** Splits the text below a node into blocks, without recursion. */
export const walkThrough = (root: TreeNode, surround: Surround, mode: Mode, isTimeUp: IsTimeUp): Page => {
  const walk = new Walk(surround, mode)
  let node: TreeNode = root
  for (let steps = 1; walk.blocks.length < blockBudget; steps++) {
    if (steps % stepsUnwatched === 0 && isTimeUp()) break
    let below: TreeNode | null = null
    if (isText(node)) walk.onText(node)
    else if (node.tag === "#document") below = node.first
    else if (!node.tag.startsWith("#") && walk.enter(node)) {
      below = node.content?.first ?? node.first
      if (below === null) walk.leave(node)
    }
    if (below !== null) {
      node = below
      continue
    }
    while (node !== root && node.next === null) {
      const parent = node.parent
      if (parent === null) break
      node = parent
      if (!node.tag.startsWith("#")) walk.leave(node)
    }
    if (node === root || node.next === null) return walk.end()
    node = node.next
  }
  walk.truncated = true
  return walk.end()
}
