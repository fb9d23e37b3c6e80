import { type Block, type Box, type Page } from "../segment/Blocks.ts"
import { tokenGroups } from "../segment/NameSignals.ts"

const groupCount = tokenGroups.length
/** Distances are told apart up to here. */
export const far = 20

/** Whether a block is running text: more than a line, and not mostly links. */
export const isProse = (block: Block): boolean => block.words >= 12 && block.linkChars * 3 < block.chars

export interface Tally {
  blocks: number
  chars: number
  linkChars: number
  words: number
}

export const tallyOf = <K>(tallies: Map<K, Tally>, key: K): Tally => {
  const known = tallies.get(key)
  if (known !== undefined) return known
  const made = { blocks: 0, chars: 0, linkChars: 0, words: 0 }
  tallies.set(key, made)
  return made
}

export const count = (tally: Tally, chars: number, linkChars: number, words: number) => {
  tally.blocks++
  tally.chars += chars
  tally.linkChars += linkChars
  tally.words += words
}

/** Distances from each box to the closest one around it with names of each group (0: its own). */
export const groupDistances = (page: Page): Uint8Array => {
  const distances = new Uint8Array(page.boxes.length * groupCount).fill(far)
  for (const box of page.boxes)
    for (let group = 0; group < groupCount; group++) {
      const above = box.parent < 0 ? far : (distances[box.parent * groupCount + group] ?? far)
      distances[box.index * groupCount + group] = (box.groups >> group) & 1 ? 0 : Math.min(far, above + 1)
    }
  return distances
}

/** The closest list or table around each box, or -1. */
export const listsOf = (page: Page): ReadonlyArray<number> => {
  const lists: Array<number> = []
  for (const box of page.boxes) lists.push(/^(?:ul|ol|table|dl)$/.test(box.tag) ? box.index : (lists[box.parent] ?? -1))
  return lists
}

/** How many prose blocks lie right in each box, or in a box right in it. */
export const paragraphCounts = (page: Page): Uint16Array => {
  const counts = new Uint16Array(page.boxes.length)
  for (const block of page.blocks) {
    if (!isProse(block)) continue
    const box = page.boxes[block.box]
    counts[block.box] = (counts[block.box] ?? 0) + 1
    if (box !== undefined && box.parent >= 0) counts[box.parent] = (counts[box.parent] ?? 0) + 1
  }
  return counts
}

/** The deepest box that holds a share of the page's prose. */
export const coreOf = (page: Page, share: number): number => {
  const whole = page.boxes[0]?.proseChars ?? 0
  let core = 0
  for (const box of page.boxes)
    if (box.parent === core && box.proseChars >= whole * share && whole > 0) core = box.index
  return core
}

/** For each box, how many levels it has to climb to meet the path from the root to `core`. */
export const climbTo = (page: Page, core: number): Uint8Array => {
  const path = new Set<number>()
  for (let index = core; index >= 0; index = page.boxes[index]?.parent ?? -1) path.add(index)
  const below = new Uint8Array(page.boxes.length)
  const coreDepth = page.boxes[core]?.depth ?? 0
  for (const box of page.boxes) {
    const { index } = box
    if (path.has(index)) below[index] = Math.min(far, coreDepth - box.depth)
    else below[index] = box.parent < 0 ? 0 : (below[box.parent] ?? 0)
  }
  return below
}

export interface Repetition {
  readonly repeats: number
  readonly chars: number
  readonly linkChars: number
  readonly depth: number
}

export const alone: Repetition = { repeats: 1, chars: 0, linkChars: 0, depth: far }

/** For each box, the largest group of look-alike siblings that it or a box around it belongs to. */
export const repetitions = (page: Page): ReadonlyArray<Repetition> => {
  const groups = new Map<number, Tally>()
  // Shapes are fewer than boxes: the two together make one number.
  const keyOf = (box: Box) => (box.parent + 1) * page.boxes.length + box.shape
  for (const box of page.boxes) if (box.chars > 0) count(tallyOf(groups, keyOf(box)), box.chars, box.linkChars, 0)
  const found: Array<Repetition> = []
  for (const box of page.boxes) {
    const around = found[box.parent] ?? alone
    const own = groups.get(keyOf(box))
    const isGroup = own !== undefined && own.blocks >= 3 && box.endBlock - box.firstBlock >= 2
    found.push(
      isGroup && own.blocks >= around.repeats
        ? { repeats: own.blocks, chars: own.chars, linkChars: own.linkChars, depth: 0 }
        : { ...around, depth: Math.min(far, around.depth + 1) }
    )
  }
  return found
}
