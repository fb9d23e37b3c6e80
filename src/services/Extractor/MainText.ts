import { type Page } from "./Blocks.ts"
import { structure } from "./Blocks.ts"

const bits = (names: ReadonlyArray<string>) => names.reduce((all, name) => all | (structure.get(name) ?? 0), 0)
const outside = bits(["nav", "footer", "aside", "form", "button"])

export const chooseBlocks = (page: Page): ReadonlyArray<boolean> => {
  const chosen = page.blocks.map((block) => {
    const box = page.boxes[block.box]
    return box !== undefined && (box.within & outside) === 0 && block.linkChars * 2 < block.chars
  })
  return chosen.includes(true) ? chosen : chosen.map(() => true)
}
