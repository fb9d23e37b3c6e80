import { type Page } from "./Blocks.ts"
import { chosenBlocks, type Selection, type Structure } from "./Structure.ts"

interface Place {
  /** Row of a table, list or nothing, by box; lines of one group are not parted by a blank line. */
  readonly row: number
  readonly group: number
  readonly item: number
  readonly indent: number
  readonly marker: string
}

const nowhere: Place = { row: -1, group: -1, item: -1, indent: 0, marker: "" }

/** Where in lists and tables every structural box lies; `ordinals` count the items of ordered lists. */
const placesOf = (page: Page, { tags, holders }: Structure): ReadonlyArray<Place> => {
  const places: Array<Place> = []
  const ordinals = new Map<number, number>()
  for (const [index, box] of page.boxes.entries()) {
    const around = places[box.parent] ?? nowhere
    const tag = tags[index]
    if (tag === "tr") places.push({ ...around, row: index })
    else if (tag === "table" || tag === "dl")
      places.push({ ...around, group: around.group >= 0 ? around.group : index })
    else if (tag === "ul" || tag === "ol")
      places.push({
        ...around,
        group: around.group >= 0 ? around.group : index,
        indent: around.item >= 0 ? around.indent + 2 : around.indent
      })
    else if (tag === "li") {
      const list = holders[box.parent] ?? -1
      const ordinal = (ordinals.get(list) ?? 0) + 1
      ordinals.set(list, ordinal)
      places.push({ ...around, item: index, marker: tags[list] === "ol" ? `${ordinal}. ` : "- " })
    } else places.push(around)
  }
  return places
}

/** The main text for reading: paragraphs parted by blank lines, list items and table rows on lines of their own. */
export const toText = (selection: Selection, structure: Structure): string => {
  const { page } = selection
  const places = placesOf(page, structure)
  let text = ""
  let last = nowhere
  for (const [block] of chosenBlocks(selection)) {
    const place = places[block.box] ?? nowhere
    const isPre = page.boxes[structure.holders[block.box] ?? -1]?.tag === "pre"
    if (text === "") text = place.item >= 0 ? place.marker + block.text : block.text
    else if (place.row >= 0 && place.row === last.row) text += ` | ${block.text.replace(/\n/g, " ")}`
    else if (place.group >= 0 && place.group === last.group && !isPre)
      text +=
        place.item === last.item
          ? `\n${" ".repeat(place.item >= 0 ? place.indent + 2 : 0)}${block.text}`
          : `\n${" ".repeat(place.indent)}${place.item >= 0 ? place.marker : ""}${block.text}`
    else text += `\n\n${place.item >= 0 && place.item !== last.item ? place.marker : ""}${block.text}`
    last = place
  }
  return text
}
