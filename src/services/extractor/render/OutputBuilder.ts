import type { Element, ElementContent, Root } from "hast"
import { webUrl } from "../../../domain/WebUrl.ts"
import { type Block, type Page } from "../segment/Blocks.ts"
import { languageOf } from "./CodeLanguage.ts"
import { element, imageSource, inlineNames, isMark } from "../dom/Elements.ts"
import { isPermalink } from "./Permalink.ts"
import { type Selection, type Structure } from "./Structure.ts"
import { type IsTimeUp } from "../dom/TimeLimit.ts"
import { attributeOf, type TreeNode } from "../dom/Tree.ts"

const inlineDepth = 32
/** Number of inline elements after which inline markup is omitted. */
const inlineBudget = 6_000
/** The lower element limit of a page that is late. */
export const lateElementBudget = 2_000

/** Builds the output tree of the chosen blocks: allowed elements only, absolute links, no wrappers. */
export class OutputBuilder {
  readonly root: Root = { type: "root", children: [] }
  private readonly elements = new Map<number, Element>()
  /** The expected number of the next list item, by the box of the list. */
  private readonly nextOrdinal = new Map<number, number>()
  private readonly selection: Selection
  private readonly structure: Structure
  private readonly base: string
  private readonly isLate: IsTimeUp
  /** The element that holds the last block. */
  private written: Element | null = null
  /** The paragraph of the last images, and the box of these images. */
  private pictured: { readonly box: number; readonly paragraph: Element } | null = null
  private inlineCount = 0
  private blockCount = 0

  constructor(selection: Selection, structure: Structure, base: string, isLate: IsTimeUp) {
    this.selection = selection
    this.structure = structure
    this.base = base
    this.isLate = isLate
  }

  /** Whether inline content is written without markup. */
  private get isPlain(): boolean {
    return this.inlineCount >= inlineBudget || (this.inlineCount >= lateElementBudget && this.isLate())
  }

  get page(): Page {
    return this.selection.page
  }

  /** Returns the output element of a structural box. Creates it and its ancestors when they are missing. */
  holder(index: number): Element | null {
    const missing: Array<number> = []
    let at = index
    while (at >= 0 && !this.elements.has(at)) {
      missing.push(at)
      at = this.structure.holders[this.page.boxes[at]?.parent ?? -1] ?? -1
    }
    let parent: Element | Root = this.elements.get(at) ?? this.root
    for (const box of missing.reverse()) {
      const known = this.elements.get(box)
      if (known !== undefined) {
        parent = known
        continue
      }
      const tag = this.structure.tags[box] ?? "div"
      // Markdown has no captions. The caption of a table becomes a paragraph before it.
      const isCaption = tag === "caption"
      const made = element(isCaption ? "p" : tag)
      if (tag === "li") parent = this.numbered(parent, box)
      if (isCaption) this.beforeTable(made, box)
      else parent.children.push(made)
      this.elements.set(box, made)
      this.cells(box, made)
      parent = made
    }
    return this.elements.get(index) ?? null
  }

  private beforeTable(caption: Element, box: number) {
    const table = this.structure.holders[this.page.boxes[box]?.parent ?? -1] ?? -1
    const around = this.holder(this.structure.holders[this.page.boxes[table]?.parent ?? -1] ?? -1) ?? this.root
    const made = this.elements.get(table)
    const at = around.children.findLastIndex((child) => child === made)
    around.children.splice(at < 0 ? around.children.length : at, 0, caption)
  }

  /**
   * Returns the list for an item of an ordered list. Starts a new list when the number is not the expected one:
   * Markdown has no other way to set a number.
   */
  private numbered(list: Element | Root, item: number): Element | Root {
    const ordinal = this.structure.ordinals.get(item)
    const index = this.structure.holders[this.page.boxes[item]?.parent ?? -1] ?? -1
    if (list.type === "root" || list.tagName !== "ol" || ordinal === undefined) return list
    const expected = this.nextOrdinal.get(index)
    this.nextOrdinal.set(index, ordinal + 1)
    if (expected === ordinal) return list
    if (list.children.length === 0) {
      if (ordinal !== 1) list.properties["start"] = ordinal
      return list
    }
    const made = element("ol", { start: ordinal })
    const around = this.holder(this.structure.holders[this.page.boxes[index]?.parent ?? -1] ?? -1) ?? this.root
    around.children.push(made)
    this.elements.set(index, made)
    return made
  }

  /** Adds all cells of a row, including empty ones, so that no cell moves to the left. */
  cells(box: number, row: Element) {
    let tag = "td"
    for (const cell of this.structure.rows.get(box) ?? []) {
      tag = this.structure.tags[cell] ?? tag
      const made = element(tag)
      row.children.push(made)
      this.blockCount++
      if (cell >= 0) this.elements.set(cell, made)
    }
  }

  /**
   * Returns the inline ancestors of a text, outermost first. Omits those that map to the same element as an outer one.
   */
  inline(node: TreeNode, top: TreeNode | null, enclosing: TreeNode | null): ReadonlyArray<TreeNode> {
    const chain: Array<TreeNode> = []
    let at = node.parent
    for (let depth = 0; at !== null && at !== top && depth < inlineDepth; depth++) {
      chain.push(at)
      at = at.parent
    }
    if (enclosing !== null && !chain.includes(enclosing)) chain.push(enclosing)
    const names = new Set<string>()
    return chain.reverse().filter(({ tag }) => {
      const name = inlineNames.get(tag)
      if (name === undefined || names.has(name)) return false
      names.add(name)
      return true
    })
  }

  inlineElement(node: TreeNode): Element | null {
    const name = inlineNames.get(node.tag)
    if (name === undefined) return null
    if (name !== "a") return element(name)
    const href = webUrl(attributeOf(node, "href"), this.base)
    if (href === null) return null
    const title = attributeOf(node, "title")
    return element("a", title === null || title === "" ? { href } : { href, title })
  }

  /** Appends the text of a block, with its inline markup, to an element. */
  write(block: Block, target: Element) {
    const box = this.page.boxes[block.box]
    if (box?.tag === "pre") {
      target.children.push({ type: "text", value: block.text.replace(/\s+/g, " ").trim() })
      return
    }
    const open: Array<{ node: TreeNode; element: Element }> = []
    const said = (node: TreeNode) => (node.text.trim() !== "" && !isPermalink(node)) || this.picture(node) !== null
    const first = block.nodes.findIndex(said)
    const last = block.nodes.findLastIndex(said)
    // Reading the end of a string under construction would flatten the string for each piece.
    let growing: ElementContent | null = null
    let isSpaced = false
    for (const [index, node] of block.nodes.entries()) {
      if (index < first || index > last || isPermalink(node)) continue
      const chain = this.isPlain ? [] : this.inline(node, box?.node ?? null, box?.link ?? null)
      let same = 0
      while (same < open.length && same < chain.length && open[same]?.node === chain[same]) same++
      open.length = same
      let parent = open.at(-1)?.element ?? target
      for (const inline of chain.slice(same)) {
        const made = this.inlineElement(inline)
        if (made === null || (made.tagName === "a" && open.some((outer) => outer.element.tagName === "a"))) {
          open.push({ node: inline, element: parent })
          continue
        }
        parent.children.push(made)
        this.inlineCount++
        open.push({ node: inline, element: made })
        parent = made
      }
      if (node.tag === "img") {
        const picture = this.isPlain ? null : this.picture(node)
        if (picture !== null) parent.children.push(picture)
        this.inlineCount++
        continue
      }
      const folded = node.text.replace(/\s+/g, " ")
      const started = index === first ? folded.trimStart() : folded
      const value = index === last ? started.trimEnd() : started
      const before = parent.children.at(-1)
      if (before?.type === "text") {
        const isAfterSpace: boolean = before === growing ? isSpaced : before.value.endsWith(" ")
        const added: string = isAfterSpace ? value.trimStart() : value
        before.value += added
        growing = before
        isSpaced = added === "" ? isAfterSpace : added.endsWith(" ")
      } else {
        growing = { type: "text", value }
        isSpaced = value.endsWith(" ")
        parent.children.push(growing)
      }
    }
  }

  /** Converts an image to an element. Returns null for a small mark, and without a usable source. */
  private picture(node: TreeNode): Element | null {
    const src = node.tag === "img" && !isMark(node) ? webUrl(imageSource(node), this.base) : null
    return src === null ? null : element("img", { src, alt: (attributeOf(node, "alt") ?? "").trim() })
  }

  /** Writes a standalone image with its enclosing link. Images of one box share a paragraph. */
  image(node: TreeNode, index: number) {
    const picture = this.picture(node)
    if (picture === null) return
    this.blockCount++
    const box = this.page.boxes[index]
    const around = this.inline(node, box?.node ?? null, box?.link ?? null).find(({ tag }) => tag === "a")
    const link = around === undefined ? null : this.inlineElement(around)
    link?.children.push(picture)
    const image = link ?? picture
    const holderIndex = this.structure.holders[index] ?? -1
    const cell = /^(?:t[dh]|figure)$/.test(this.structure.tags[holderIndex] ?? "") ? this.holder(holderIndex) : null
    if (cell !== null) cell.children.push(image)
    else if (this.pictured?.box === index && this.root.children.at(-1) === this.pictured.paragraph)
      this.pictured.paragraph.children.push({ type: "text", value: " " }, image)
    else {
      const paragraph = element("p", {}, [image])
      this.pictured = { box: index, paragraph }
      this.root.children.push(paragraph)
    }
  }

  get size(): number {
    return this.elements.size + this.blockCount
  }

  /** Writes a block as a new paragraph, inside `holder` if that may contain paragraphs. */
  private paragraph(block: Block, holder: Element | null) {
    const made = element("p")
    const parent: { children: Array<ElementContent> } | Root =
      holder !== null && /^(?:li|dd|blockquote|figure)$/.test(holder.tagName) ? holder : this.root
    parent.children.push(made)
    this.line(block, made)
  }

  /** Appends a block to an element, on a line of its own. */
  private line(block: Block, target: Element) {
    if (target.children.length > 0) target.children.push(element("br"))
    this.write(block, target)
    this.written = target
  }

  /** Writes a block. `continues` is true for the next line of the preceding paragraph. */
  block(block: Block, continues: boolean) {
    this.blockCount++
    const index = this.structure.holders[block.box] ?? -1
    const holder = this.holder(index)
    const tag = holder?.tagName ?? ""
    if (holder !== null && tag === "pre") {
      const node = this.page.boxes[index]?.node
      const language = node === undefined ? null : languageOf(node)
      const last = holder.children.at(-1)
      const code =
        last?.type === "element"
          ? last
          : element("code", language === null ? {} : { className: [`language-${language}`] })
      if (last?.type === "element") code.children.push({ type: "text", value: "\n" })
      else holder.children.push(code)
      code.children.push({ type: "text", value: block.text })
      this.written = null
      return
    }
    const isFirst = holder !== null && holder.children.length === 0
    const within =
      tag === "p" ? this.holder(this.structure.holders[this.page.boxes[index]?.parent ?? -1] ?? -1) : holder
    if (continues && this.written !== null) this.line(block, this.written)
    else if (holder !== null && isFirst && /^(?:h[1-6]|p|figcaption|dt|caption|li|td|th|dd)$/.test(tag))
      this.line(block, holder)
    else if (holder !== null && /^(?:h[1-6]|figcaption|dt|caption|td|th)$/.test(tag)) this.line(block, holder)
    else this.paragraph(block, within)
  }
}
