import { type Block, type Box, type Page } from "../segment/Blocks.ts"
import { type Structure } from "../render/Structure.ts"

/** Words. Longer listings are main text only when the mean score of the page's listings is above `likely`. */
const shortListing = 40
/** The same limit for listings after text that ends with a colon. */
const shortAnnounced = 80
const likely = 0.55
/** Maximum levels between a heading or list and the ancestor that it shares with the adjacent text. */
const nearby = 2

const boxOf = ({ boxes }: Page, { box }: Block): Box | undefined => boxes[box]

const endsWithColon = (block: Block | undefined): boolean => /[:：]$/.test(block?.text ?? "")

/** Whether the ancestor `nearby` levels above a box contains a block. */
const isBeside = ({ boxes }: Page, box: number, block: number): boolean => {
  let at = box
  for (let level = 0; level < nearby; level++) at = Math.max(0, boxes[at]?.parent ?? 0)
  const holder = boxes[at]
  return holder !== undefined && holder.firstBlock <= block && block < holder.endBlock
}

/**
 * Adds listings next to main text. The score of one listing says little, because code does not look like prose. The
 * mean score of all adjacent listings says more.
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

/** Adds headings whose following text is chosen. */
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

/** Adds a list or table when the chosen text before it ends with a colon. */
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
 * Adds the code, headings and lists that belong to the chosen blocks, whatever their own scores. On product pages,
 * lists are not added, because they are just as often about other products.
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
