import { type Page } from "../segment/Blocks.ts"
import { type Structure } from "../render/Structure.ts"
import { isProse } from "./BlockContext.ts"

/** As many paragraphs that look alike are a text; two may be an article's and the one below it. */
const fewest = 3

/** For each block, the number of its group, or -1. */
const groupsOf = ({ blocks, boxes }: Page, { tags }: Structure): Float64Array => {
  const lists: Array<number> = []
  for (const box of boxes)
    lists.push(/^(?:ul|ol|dl|table)$/.test(tags[box.index] ?? "") ? box.index : (lists[box.parent] ?? -1))
  return Float64Array.from(blocks, (block) => {
    const list = lists[block.box] ?? -1
    const box = boxes[block.box]
    if (list >= 0 || box === undefined || !isProse(block)) return list
    // Shapes are fewer than boxes: the two together make one number, higher than any list's.
    return (box.parent + 2) * boxes.length + box.shape
  })
}

/**
 * The scores of blocks, the mean by words for those that stand or fall together: the blocks of a list or a data table,
 * and the paragraphs of running text that look alike in one container. An article does not end where it has become
 * long.
 */
export const smoothed = (page: Page, structure: Structure, scores: Float64Array): Float64Array => {
  const groups = groupsOf(page, structure)
  const tallies = new Map<number, { blocks: number; sum: number; weight: number }>()
  for (const [index, { words }] of page.blocks.entries()) {
    const group = groups[index] ?? -1
    if (group < 0) continue
    const weight = words + 0.5
    const tally = tallies.get(group) ?? { blocks: 0, sum: 0, weight: 0 }
    tally.blocks++
    tally.sum += weight * (scores[index] ?? 0)
    tally.weight += weight
    tallies.set(group, tally)
  }
  return scores.map((score, index) => {
    const group = groups[index] ?? -1
    const tally = tallies.get(group)
    const isGroup = tally !== undefined && (group < page.boxes.length || tally.blocks >= fewest)
    return isGroup ? tally.sum / tally.weight : score
  })
}
