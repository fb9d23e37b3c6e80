import { type Block, type Page } from "./Blocks.ts"
import { featureNames, type Features, featuresOf } from "./Features.ts"
import { makeScorer } from "./Forest.ts"
import { type LinkedData, linkedData } from "./JsonLd.ts"
import { readWithNoscript } from "./Noscript.ts"
import { type KindSigns, kindSigns } from "./PageKind.ts"
import { type Parsed, parseHtml } from "./Tree.ts"

export { featureNames }

/** A parsed page, cut into blocks, with what it says about itself. */
export interface ReadDocument {
  readonly parsed: Parsed
  readonly page: Page
  readonly data: ReadonlyArray<LinkedData>
  readonly signs: KindSigns
}

export const readDocument = (source: string, url: string): ReadDocument => {
  const parsed = parseHtml(source)
  const body = parsed.noted.find((node) => node.tag === "body") ?? parsed.document
  const data = linkedData(parsed.noted)
  return { parsed, page: readWithNoscript(body, parsed.noted), data, signs: kindSigns(parsed.noted, data, url) }
}

export const describePage = ({ page, parsed, signs }: ReadDocument): Features => {
  const title = parsed.noted.find((node) => node.tag === "title")?.first?.text ?? ""
  return featuresOf(page, signs, title.slice(0, 500))
}

/**
 * The blocks whose choice makes the expected F1 (by words) largest: the likeliest first, as long as each one adds more
 * than it costs. A page on which nothing is likely still gives its likeliest part.
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
  for (const index of order.slice(0, bestCount)) chosen[index] = true
  return chosen
}

const scorer = makeScorer(featureNames)

/** One flag for each block of a page: whether it is main text. */
export const chooseBlocks = (read: ReadDocument): ReadonlyArray<boolean> => {
  const { values, width } = describePage(read)
  return chooseBy(read.page.blocks, scorer.score(values, width))
}
