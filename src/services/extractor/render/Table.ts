import { type Page } from "../segment/Blocks.ts"
import { attributeOf, type TreeNode } from "../dom/Tree.ts"

/** The columns of a row: the box of the cell that begins there, or -1 where another cell spans the column. */
export type Row = ReadonlyArray<number>

const widest = 1_000
/** Row span that extends to the end of the section, as `rowspan=0` does. */
const longest = 65_534

const spanOf = (node: TreeNode, name: string): number => {
  const value = attributeOf(node, name)?.trim() ?? ""
  return /^\d{1,5}$/.test(value) ? Number(value) : 1
}

interface Source {
  readonly row: number
  readonly section: number
  readonly cells: ReadonlyArray<number>
}

/**
 * Lays out the rows of one table, with each cell in its column. Returns null when the table is too wide or too ragged
 * to be useful: most of its grid would be empty.
 */
const layOut = (page: Page, sources: ReadonlyArray<Source>): ReadonlyArray<readonly [number, Row]> | null => {
  const count = sources.reduce((sum, { cells }) => sum + cells.length, 0)
  const broadest = sources.reduce((most, { cells }) => Math.max(most, cells.length), 0)
  const enough = 4 * count + 100
  let places = 0
  let width = 0
  let section = -1
  let reaching: Array<number> = []
  const rows: Array<readonly [number, Row]> = []
  for (const source of sources) {
    if (source.section !== section) reaching = []
    section = source.section
    const row: Array<number> = []
    const place = (box: number, below: number) => {
      row.push(box)
      places++
      reaching[row.length - 1] = below
    }
    const passReaching = () => {
      for (let left = reaching[row.length] ?? 0; left > 0; left = reaching[row.length] ?? 0) place(-1, left - 1)
    }
    for (const [index, cell] of source.cells.entries()) {
      passReaching()
      const node = page.boxes[cell]?.node
      if (node === undefined) continue
      const rowspan = spanOf(node, "rowspan")
      const below = rowspan === 0 ? longest : rowspan - 1
      // Authors write `colspan=100` for "all remaining columns". A span is limited to the cell count of the longest
      // row.
      const isLast = index === source.cells.length - 1
      const colspan = isLast && below === 0 ? 1 : Math.min(Math.max(1, spanOf(node, "colspan")), broadest)
      place(cell, below)
      for (let column = 1; column < colspan; column++) place(-1, below)
      if (places > enough) return null
    }
    for (let column = row.length; column < reaching.length; column++)
      reaching[column] = Math.max(0, (reaching[column] ?? 0) - 1)
    while (row.at(-1) === -1) row.pop()
    width = Math.max(width, row.length)
    rows.push([source.row, row])
  }
  return width > widest || width * rows.length > enough ? null : rows
}

export interface Tables {
  /** By the box of each `tr`. */
  readonly rows: ReadonlyMap<number, Row>
  /** Boxes of the tables that cannot be laid out. */
  readonly ragged: ReadonlySet<number>
}

/** Returns the rows of the tables of a page, except layout tables. Includes cells without text. */
export const tablesOf = (page: Page, layout: ReadonlySet<number>): Tables => {
  const sources = new Map<number, Array<Source>>()
  const tableOf: Array<number> = []
  const cellsOf = new Map<number, Array<number>>()
  for (const box of page.boxes) {
    const { index } = box
    const table = box.tag === "table" ? index : (tableOf[box.parent] ?? -1)
    tableOf.push(table)
    if (table < 0 || layout.has(table)) continue
    if (box.tag === "tr") {
      const cells: Array<number> = []
      cellsOf.set(index, cells)
      const known = sources.get(table)
      const source = { row: index, section: box.parent, cells }
      if (known === undefined) sources.set(table, [source])
      else known.push(source)
    } else if (box.tag === "td" || box.tag === "th") cellsOf.get(box.parent)?.push(index)
  }
  const rows = new Map<number, Row>()
  const ragged = new Set<number>()
  for (const [table, source] of sources) {
    const laidOut = layOut(page, source)
    if (laidOut === null) ragged.add(table)
    else for (const [row, cells] of laidOut) rows.set(row, cells)
  }
  return { rows, ragged }
}
