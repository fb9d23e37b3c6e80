import { type Block, type Page } from "../segment/Blocks.ts"
import { withAdjacentBlocks } from "./AdjacentBlocks.ts"
import { featureNames, type Features, featuresOf } from "./Features.ts"
import { makeScorer } from "./Forest.ts"
import { articleBodyOf, type LinkedData, linkedData } from "./JsonLd.ts"
import { frame } from "../segment/Landmarks.ts"
import { type KindSigns, kindSigns } from "./KindSigns.ts"
import { smoothed } from "./Smoothing.ts"
import { type Parsed, parseHtml, parseTime } from "../dom/Parse.ts"
import { readPage } from "../segment/TextReader.ts"
import { type Structure } from "../render/Structure.ts"
import { noTimeLimits, type TimeLimits } from "../dom/TimeLimit.ts"
import { groupBit } from "../segment/NameSignals.ts"
import weights from "./weights.json" with { type: "json" }

export { featureNames }

/** A parsed page as blocks, with its structured data and the signs of its kind. */
export interface ReadDocument {
  readonly parsed: Parsed
  readonly page: Page
  readonly data: ReadonlyArray<LinkedData>
  readonly signs: KindSigns
}

export const readDocument = (source: string, url: string, limits: TimeLimits = noTimeLimits): ReadDocument => {
  const parsed = parseHtml(source, limits(parseTime))
  const data = linkedData(parsed.noted)
  return {
    parsed,
    page: readPage(parsed, source, articleBodyOf(data, url), limits),
    data,
    signs: kindSigns(parsed.noted, data, url)
  }
}

export const describePage = ({ page, parsed, signs }: ReadDocument): Features => {
  const title = parsed.noted.find((node) => node.tag === "title")?.first?.text ?? ""
  return featuresOf(page, signs, title.slice(0, 500))
}

/** When the best expected F1 exceeds `sureOf`, only blocks that score above `clearly` are chosen. */
const sureOf = 0.8
const clearly = 0.55

/**
 * Chooses the blocks that maximize the expected F1, weighted by words. Blocks are added in order of score while the F1
 * improves. A page on which every score is low still yields its best blocks.
 */
export const chooseBy = (
  blocks: ReadonlyArray<Pick<Block, "words">>,
  scores: ArrayLike<number>
): ReadonlyArray<boolean> => {
  const scoreOf = (index: number) => scores[index] ?? 0
  const order = blocks.flatMap((block, index) => (block.words > 0 ? [index] : []))
  order.sort((a, b) => scoreOf(b) - scoreOf(a))
  const expected = blocks.reduce((sum, block, index) => sum + block.words * scoreOf(index), 0)
  let best = -1
  let bestCount = 0
  let words = 0
  let right = 0
  for (const [position, index] of order.entries()) {
    const count = blocks[index]?.words ?? 0
    words += count
    right += count * scoreOf(index)
    const f1 = (2 * right) / (words + expected)
    if (f1 > best) {
      best = f1
      bestCount = position + 1
    }
  }
  const chosen = blocks.map(() => false)
  for (const index of order.slice(0, bestCount)) if (best <= sureOf || scoreOf(index) > clearly) chosen[index] = true
  return chosen
}

const scorer = makeScorer(weights, featureNames)
const embedded = groupBit("embed")

/** Whether a block is part of an embedded post of another site. */
const isEmbedded = (page: Page, block: Block): boolean => {
  let at = block.box
  for (let level = 0; level < 4; level++) {
    const box = page.boxes[at]
    if (box === undefined) return false
    if (box.tag === "blockquote" && (box.groups & embedded) !== 0) return true
    at = box.parent
  }
  return false
}

/** Returns, for each box, whether it is in a table or definition list that can hold product specifications. */
const specificationsOf = (page: Page, { tags }: Structure): ReadonlyArray<boolean> => {
  const found: Array<boolean> = []
  for (const box of page.boxes) {
    const { index } = box
    const isTable = tags[index] === "table" || tags[index] === "dl"
    const isPlain = box.linkChars * 5 < box.chars && box.endBlock - box.firstBlock >= 4
    found.push(isTable ? isPlain && (box.within & frame) === 0 : (found[box.parent] ?? false))
  }
  return found
}

/**
 * Adjusts the scorer's probabilities that blocks are main text. Embedded posts look like widgets to the scorer, but the
 * text refers to them. On a product page, prices and specifications are short but wanted.
 */
export const adjust = (page: Page, structure: Structure, signs: KindSigns, scores: Float64Array): Float64Array => {
  const isProduct = signs.product || signs.ogProduct
  const specifications = isProduct ? specificationsOf(page, structure) : []
  return smoothed(page, structure, scores).map((score, index) => {
    const block = page.blocks[index]
    if (block === undefined) return score
    if (isEmbedded(page, block)) return Math.max(score, 0.6)
    if (!isProduct) return score
    if (specifications[block.box] === true && score > 0.08) return Math.max(score, 0.6)
    return block.words <= 6 && block.linkChars === 0 ? Math.min(1, score * 1.7) : score
  })
}

/** Keeps the rows of data tables whole. A dash or a tick in a row is a value, too. */
const withWholeRows = (page: Page, { rows }: Structure, chosen: ReadonlyArray<boolean>): ReadonlyArray<boolean> => {
  const rowOf: Array<number> = []
  for (const box of page.boxes) rowOf.push(rows.has(box.index) ? box.index : (rowOf[box.parent] ?? -1))
  const rowOfBlock = page.blocks.map((block) => rowOf[block.box] ?? -1)
  const wanted = new Set(rowOfBlock.filter((row, index) => row >= 0 && chosen[index] === true))
  return chosen.map((is, index) => is || wanted.has(rowOfBlock[index] ?? -1))
}

/**
 * When text that is not shown was read, also keeps all visible blocks that are not mostly links, so that it never
 * replaces visible text.
 */
const withVisible = ({ blocks }: Page, chosen: ReadonlyArray<boolean>): ReadonlyArray<boolean> =>
  blocks.some(({ unshown }) => unshown)
    ? chosen.map((is, index) => {
        const block = blocks[index]
        return is || (block !== undefined && !block.unshown && block.words > 0 && block.linkChars * 2 < block.chars)
      })
    : chosen

/** Minimum words of a meaningful text. Shorter concealed blocks may be menu entries. */
const sentence = 5

/**
 * Removes blocks that the page's own sheets conceal. When other sheets or scripts may show them again, keeps short
 * blocks such as menu entries. It then also keeps all blocks if most of the chosen text is concealed, because the page
 * hides itself until those sheets or scripts are loaded.
 */
const withoutConcealed = ({ blocks, styled }: Page, chosen: ReadonlyArray<boolean>): ReadonlyArray<boolean> => {
  const wordsOf = (isCounted: (block: Block) => boolean) =>
    blocks.reduce((sum, block, index) => sum + (chosen[index] === true && isCounted(block) ? block.words : 0), 0)
  const isConcealed = (block: Block) => block.concealed && (!styled || block.words >= sentence)
  const concealed = wordsOf(isConcealed)
  if (concealed === 0 || (styled && concealed * 2 > wordsOf(() => true))) return chosen
  return blocks.map((block, index) => chosen[index] === true && !isConcealed(block))
}

/** Returns one flag per block of a page: whether it is main text. */
export const chooseBlocks = (read: ReadDocument, structure: Structure): ReadonlyArray<boolean> => {
  const { page, signs } = read
  const { values, width } = describePage(read)
  const scores = adjust(page, structure, signs, scorer.score(values, width))
  const isProduct = signs.product || signs.ogProduct
  const chosen = withAdjacentBlocks(page, structure, scores, chooseBy(page.blocks, scores), isProduct)
  return withoutConcealed(page, withVisible(page, withWholeRows(page, structure, chosen)))
}
