import { type Page } from "../segment/Blocks.ts"
import { type Structure } from "../render/Structure.ts"
import { isProse } from "./BlockContext.ts"

/** Minimum look-alike paragraphs in a group. Two may belong to different articles. */
const fewest = 3

/** Returns the group number of each block, or -1. */
const groupsOf = ({ blocks, boxes }: Page, { tags }: Structure): Float64Array => {
  const lists: Array<number> = []
  for (const box of boxes)
    lists.push(/^(?:ul|ol|dl|table)$/.test(tags[box.index] ?? "") ? box.index : (lists[box.parent] ?? -1))
  return Float64Array.from(blocks, (block) => {
    const list = lists[block.box] ?? -1
    const box = boxes[block.box]
    if (list >= 0 || box === undefined || !isProse(block)) return list
    // There are fewer shapes than boxes, so the pair fits into one number. It is higher than the number of any list.
    return (box.parent + 2) * boxes.length + box.shape
  })
}

/**
 * Smooths scores: each block of a group gets the mean score of the group, weighted by words. A group is the blocks of a
 * list or data table, or the look-alike paragraphs of one container. Smoothing keeps the end of a long article from
 * being cut off.
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
