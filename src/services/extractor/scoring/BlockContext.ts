import { type Block, type Box, type Page } from "../segment/Blocks.ts"
import { tokenGroups } from "../segment/NameSignals.ts"

const groupCount = tokenGroups.length
/** Distances are capped at this value. */
export const far = 20

/** Whether a block is prose: at least 12 words, and less than a third of its characters in links. */
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

/**
 * Returns, for each box and token group, the levels up to the closest box with a name of the group. 0 means the box
 * itself. Row `box.index` has one entry per group.
 */
export const groupDistances = (page: Page): Uint8Array => {
  const distances = new Uint8Array(page.boxes.length * groupCount).fill(far)
  for (const box of page.boxes)
    for (let group = 0; group < groupCount; group++) {
      const above = box.parent < 0 ? far : (distances[box.parent * groupCount + group] ?? far)
      distances[box.index * groupCount + group] = (box.groups >> group) & 1 ? 0 : Math.min(far, above + 1)
    }
  return distances
}

/** Returns the index of the closest list or table around each box, or -1. */
export const listsOf = (page: Page): ReadonlyArray<number> => {
  const lists: Array<number> = []
  for (const box of page.boxes) lists.push(/^(?:ul|ol|table|dl)$/.test(box.tag) ? box.index : (lists[box.parent] ?? -1))
  return lists
}

/** Counts the prose blocks directly in each box or in one of its child boxes. */
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

/** Returns the deepest box that contains at least this share of the page's prose. */
export const coreOf = (page: Page, share: number): number => {
  const whole = page.boxes[0]?.proseChars ?? 0
  let core = 0
  for (const box of page.boxes)
    if (box.parent === core && box.proseChars >= whole * share && whole > 0) core = box.index
  return core
}

/** Returns, for each box, the number of levels from `core` up to the deepest box that contains both. */
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

/** Returns, for each box, the largest group of look-alike siblings that contains it or one of its ancestors. */
export const repetitions = (page: Page): ReadonlyArray<Repetition> => {
  const groups = new Map<number, Tally>()
  // There are fewer shapes than boxes, so the pair fits into one number.
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
