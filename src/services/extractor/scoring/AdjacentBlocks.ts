import { type Block, type Box, type Page } from "../segment/Blocks.ts"
import { type Structure } from "../render/Structure.ts"

/** Longer listings than that, in words, are main text only where the listings of the page are likely to be. */
const shortListing = 40
/** The same of listings that the text before announces by a colon. */
const shortAnnounced = 80
const likely = 0.55
/** Levels between a heading or a list and what holds it together with the text beside it. */
const nearby = 2

const boxOf = ({ boxes }: Page, { box }: Block): Box | undefined => boxes[box]

const endsWithColon = (block: Block | undefined): boolean => /[:：]$/.test(block?.text ?? "")

/** Whether the box so many levels above one holds a block. */
const isBeside = ({ boxes }: Page, box: number, block: number): boolean => {
  let at = box
  for (let level = 0; level < nearby; level++) at = Math.max(0, boxes[at]?.parent ?? 0)
  const holder = boxes[at]
  return holder !== undefined && holder.firstBlock <= block && block < holder.endBlock
}

/**
 * A listing belongs to the text around it: next to main text it is main text. The likelihood of a single one says
 * little, since code looks like nothing that people write; that of all on the page says more.
 */
const withListings = (
  page: Page,
  scores: ArrayLike<number>,
  chosen: ReadonlyArray<boolean>
): ReadonlyArray<boolean> => {
  const { blocks } = page
  const listings = blocks.flatMap((block, index) => (boxOf(page, block)?.tag === "pre" ? [index] : []))
  if (listings.length === 0) return chosen
  const isText = blocks.map(
    (block) => block.words > 0 && !/^(?:pre|button|h[1-6])$/.test(boxOf(page, block)?.tag ?? "")
  )
  const beside = blocks.map(() => false)
  const longest = blocks.map(() => shortListing)
  let before = false
  let isAnnounced = false
  for (let index = 0; index < blocks.length; index++)
    if (isText[index] === true) {
      before = chosen[index] === true
      isAnnounced = before && endsWithColon(blocks[index])
    } else {
      beside[index] = before
      if (isAnnounced) longest[index] = shortAnnounced
    }
  let after = false
  for (let index = blocks.length - 1; index >= 0; index--)
    if (isText[index] === true) after = chosen[index] === true
    else beside[index] ||= after
  const near = listings.filter((index) => beside[index])
  const weightOf = (index: number) => Math.sqrt(blocks[index]?.words ?? 0)
  const weight = near.reduce((sum, index) => sum + weightOf(index), 0)
  const mean = near.reduce((sum, index) => sum + weightOf(index) * (scores[index] ?? 0), 0) / Math.max(1, weight)
  const all = [...chosen]
  for (const index of near) if (mean > likely || (blocks[index]?.words ?? 0) <= (longest[index] ?? 0)) all[index] = true
  return all
}

/** A heading belongs to the text that follows it. */
const withHeadings = (page: Page, chosen: ReadonlyArray<boolean>): ReadonlyArray<boolean> => {
  const all = [...chosen]
  let next = -1
  for (let index = page.blocks.length - 1; index >= 0; index--) {
    const block = page.blocks[index]
    if (block === undefined || block.words === 0) continue
    const isHeading = /^h[2-4]$/.test(boxOf(page, block)?.tag ?? "") && block.linkChars * 2 <= block.chars
    if (isHeading && next >= 0 && all[next] === true && isBeside(page, block.box, next)) all[index] = true
    next = index
  }
  return all
}

/** A list or a table belongs to the text that ends with a colon before it. */
const withAnnounced = (page: Page, { tags }: Structure, chosen: ReadonlyArray<boolean>): ReadonlyArray<boolean> => {
  const all = [...chosen]
  const inList: Array<boolean> = []
  const last = page.blocks.map(() => -1)
  for (let index = 1; index < page.blocks.length; index++)
    last[index] = (page.blocks[index - 1]?.words ?? 0) > 0 ? index - 1 : (last[index - 1] ?? -1)
  for (const box of page.boxes) {
    const { index } = box
    const isInner = inList[box.parent] ?? false
    const isList = /^(?:ul|ol|dl|table)$/.test(tags[index] ?? "")
    inList.push(isInner || isList)
    if (isInner || !isList || box.linkChars > 0.6 * box.chars) continue
    const before = last[box.firstBlock] ?? -1
    const block = page.blocks[before]
    if (block === undefined || chosen[before] !== true || !isBeside(page, index, before)) continue
    if (endsWithColon(block) && !/^h[1-6]$/.test(boxOf(page, block)?.tag ?? ""))
      all.fill(true, box.firstBlock, box.endBlock)
  }
  return all
}

/**
 * What goes with the blocks chosen, whatever it looks like by itself: their code, their headings, their lists. Of a page
 * that sells one thing lists are not taken, which as often are of other things.
 */
export const withAdjacentBlocks = (
  page: Page,
  structure: Structure,
  scores: ArrayLike<number>,
  chosen: ReadonlyArray<boolean>,
  isProduct: boolean
): ReadonlyArray<boolean> => {
  const headed = withHeadings(page, withListings(page, scores, chosen))
  return isProduct ? headed : withAnnounced(page, structure, headed)
}
