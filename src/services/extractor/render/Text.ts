import { type Page } from "../segment/Blocks.ts"
import { readableText } from "./Permalink.ts"
import { chosenBlocks, type Selection, type Structure } from "./Structure.ts"

/** The position of a box in lists and tables, as box indexes; -1 for none. */
interface Place {
  readonly table: number
  readonly row: number
  readonly cell: number
  /** The outermost list or table. Entries of one group have no blank line between them. */
  readonly group: number
  /** The closest list item. */
  readonly item: number
  readonly indent: number
  readonly marker: string
}

const nowhere: Place = { table: -1, row: -1, cell: -1, group: -1, item: -1, indent: 0, marker: "" }

/** Returns the position of every box in lists and tables, by box index. */
const placesOf = (page: Page, { tags, ordinals }: Structure): ReadonlyArray<Place> => {
  const places: Array<Place> = []
  for (const box of page.boxes) {
    const { index } = box
    const around = places[box.parent] ?? nowhere
    const group = around.group >= 0 ? around.group : index
    const tag = tags[index]
    if (tag === "tr") places.push({ ...around, row: index })
    else if (tag === "td" || tag === "th") places.push({ ...around, cell: index })
    else if (tag === "table") places.push({ ...around, group, table: index })
    else if (tag === "dl") places.push({ ...around, group })
    else if (tag === "dt" || tag === "dd") places.push({ ...around, item: index, marker: "" })
    else if (tag === "ul" || tag === "ol")
      places.push({ ...around, group, indent: around.marker === "" ? around.indent : around.indent + 2 })
    else if (tag === "li") {
      const ordinal = ordinals.get(index)
      places.push({ ...around, item: index, marker: ordinal === undefined ? "- " : `${ordinal}. ` })
    } else places.push(around)
  }
  return places
}

/** Writes blocks and the separators between them. */
class Writer {
  text = ""
  private readonly structure: Structure
  /** Items whose marker is written. */
  private readonly begun = new Set<number>()
  private last = nowhere
  private lastIsPre = false

  constructor(structure: Structure) {
    this.structure = structure
  }

  private separator(place: Place, begins: boolean, isPre: boolean, continues: boolean): string {
    const { last } = this
    if (this.text === "") return ""
    if (continues) return "\n"
    if (place.table >= 0 && place.table === last.table) return "\n"
    const isEntry = begins && place.table < 0 && place.group >= 0 && place.group === last.group && last.table < 0
    return isEntry && !isPre && !this.lastIsPre ? "\n" : "\n\n"
  }

  write(text: string, place: Place, isPre: boolean, continues: boolean) {
    const begins = place.item >= 0 && !this.begun.has(place.item)
    this.begun.add(place.item)
    const inItem = place.marker !== "" && !isPre
    const indent = inItem ? " ".repeat(begins ? place.indent : place.indent + 2) : ""
    const inner = inItem ? text.replaceAll("\n", `\n${" ".repeat(place.indent + 2)}`) : text
    this.text += `${this.separator(place, begins, isPre, continues)}${indent}${begins ? place.marker : ""}${inner}`
    this.last = place
    this.lastIsPre = isPre
  }

  /** Writes a table row, with its cells on one line. */
  row(cells: ReadonlyMap<number, string>, place: Place) {
    const row = this.structure.rows.get(place.row) ?? []
    const line = row.map((cell) => cells.get(cell) ?? "").join(" | ")
    this.write(line.trim(), place, false, false)
  }
}

/**
 * Renders the main text as plain text. A blank line separates paragraphs. Lines, list items and table rows are on lines
 * of their own.
 */
export const toText = (selection: Selection, structure: Structure): string => {
  const { page } = selection
  const places = placesOf(page, structure)
  const chosen = chosenBlocks(selection)
  const writer = new Writer(structure)
  let lastIndex = -1
  let lastHolder = -1
  for (let at = 0; at < chosen.length; at++) {
    const [block, index] = chosen[at] ?? []
    if (block === undefined || index === undefined) break
    const place = places[block.box] ?? nowhere
    if (place.row >= 0) {
      const cells = new Map<number, string>()
      for (let next = at; next < chosen.length; next++) {
        const [other] = chosen[next] ?? []
        const inner = other === undefined ? nowhere : (places[other.box] ?? nowhere)
        if (other === undefined || inner.row !== place.row) break
        at = next
        const text = other.text.replace(/\s+/g, " ").trim()
        const before = cells.get(inner.cell)
        cells.set(inner.cell, before === undefined ? text : `${before} ${text}`)
      }
      writer.row(cells, place)
      lastHolder = -1
      continue
    }
    const holder = structure.holders[block.box] ?? -1
    const isPre = page.boxes[holder]?.tag === "pre"
    const continues = isPre ? holder === lastHolder : block.continues && lastIndex === index - 1
    writer.write(readableText(block), place, isPre, continues)
    lastIndex = index
    lastHolder = holder
  }
  return writer.text
}
