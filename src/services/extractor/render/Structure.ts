import { type Block, type Box, type Page } from "../segment/Blocks.ts"
import { listNumbersOf } from "./ListNumbers.ts"
import { type Row, tablesOf } from "./Table.ts"
import { attributeOf } from "../dom/Tree.ts"

/** The blocks of a page that form its main text. */
export interface Selection {
  readonly page: Page
  /** One flag per block. */
  readonly chosen: ReadonlyArray<boolean>
}

const structural = new Set(
  "h1 h2 h3 h4 h5 h6 p ul ol li dl dt dd table caption thead tbody tfoot tr td th pre blockquote figure figcaption".split(
    " "
  )
)

/**
 * Returns the tables that lay out a page rather than hold data: presentational by role, with a nested table, with a
 * single cell, or with whole sections in their cells.
 */
const layoutTables = (page: Page): ReadonlySet<number> => {
  const cells = new Map<number, number>()
  const layout = new Set<number>()
  const tableOf: Array<number> = []
  for (const box of page.boxes) {
    const { index } = box
    const outer = tableOf[box.parent] ?? -1
    tableOf.push(box.tag === "table" ? index : outer)
    if (box.tag === "table") {
      if (outer >= 0) layout.add(outer)
      const role = attributeOf(box.node, "role")
      if (role === "presentation" || role === "none") layout.add(index)
    } else if (outer < 0) continue
    else if (box.tag === "td" || box.tag === "th") {
      cells.set(outer, (cells.get(outer) ?? 0) + 1)
      if (box.endBlock - box.firstBlock > 6 || box.chars > 1_500) layout.add(outer)
    } else if (/^(?:h[1-3]|form|nav|article|section)$/.test(box.tag)) layout.add(outer)
  }
  for (const box of page.boxes) if (box.tag === "table" && (cells.get(box.index) ?? 0) < 2) layout.add(box.index)
  return layout
}

/** Returns whether a list item holds a section of the page rather than a list entry. */
const isSectionItem = (box: Box): boolean => box.endBlock - box.firstBlock > 8

export interface Structure {
  /** The output tag of a box; null for a wrapper. */
  readonly tags: ReadonlyArray<string | null>
  /** The closest box with an output tag, which may be the box itself; -1 for none. */
  readonly holders: ReadonlyArray<number>
  /** The rows of data tables, by the box of each `tr`. */
  readonly rows: ReadonlyMap<number, Row>
  /** The numbers of list items, by the box of each `li` of an ordered list. */
  readonly ordinals: ReadonlyMap<number, number>
}

const depthLimit = 24
/** Levels of a table: table, section, row, cell. */
const tableDepth = 4

/** Removes wrappers from the boxes of a page. Flattens nesting that is too deep to be readable. */
export const structureOf = (page: Page): Structure => {
  const layout = layoutTables(page)
  const { rows, ragged } = tablesOf(page, layout)
  const tags: Array<string | null> = []
  const holders: Array<number> = []
  const depths: Array<number> = []
  const inLayout: Array<boolean> = []
  const flattened: Array<boolean> = []
  for (const box of page.boxes) {
    const { index } = box
    const parent = box.parent
    const holder = holders[parent] ?? -1
    const depth = depths[parent] ?? 0
    const laidOut =
      box.tag === "table"
        ? layout.has(index) || ragged.has(index) || depth + tableDepth > depthLimit
        : (inLayout[parent] ?? false)
    const flat = box.tag === "ul" || box.tag === "ol" ? false : box.tag === "li" ? isSectionItem(box) : false
    const inCells = /^(?:td|th|tr|thead|tbody|tfoot|caption|table)$/.test(box.tag)
    const inLine = holder >= 0 && /^(?:h[1-6]|pre|td|th|caption)$/.test(tags[holder] ?? "")
    const kept = structural.has(box.tag) && depth < depthLimit && !inLine && !(inCells && laidOut) && !flat
    inLayout.push(laidOut)
    flattened.push(flat)
    tags.push(kept ? box.tag : null)
    holders.push(kept ? index : holder)
    depths.push(kept ? depth + 1 : depth)
  }
  return { tags, holders, rows, ordinals: listNumbersOf(page) }
}

/** Returns the chosen blocks in order, each with its index. */
export const chosenBlocks = (selection: Selection): ReadonlyArray<readonly [Block, number]> =>
  selection.page.blocks.flatMap((block, index) => (selection.chosen[index] === true ? [[block, index] as const] : []))
