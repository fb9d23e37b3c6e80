import { type Box, type Page } from "../segment/Blocks.ts"
import { type KindSigns } from "./KindSigns.ts"
import {
  climbTo,
  coreOf,
  count,
  groupDistances,
  listsOf,
  paragraphCounts,
  repetitions,
  type Tally,
  tallyOf
} from "./BlockContext.ts"
import { tokenGroups } from "../segment/NameSignals.ts"

const groupCount = tokenGroups.length

export const log = (value: number): number => Math.log2(1 + value)
export const ratio = (part: number, whole: number): number => (whole > 0 ? part / whole : 0)
export const flag = (value: boolean): number => (value ? 1 : 0)

export const headingLevel = (box: Box | undefined): number =>
  box !== undefined && /^h[1-6]$/.test(box.tag) ? Number(box.tag.charAt(1)) : 0

export const wordsIn = (text: string): ReadonlySet<string> => new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [])

/** Page-wide facts, computed before the features of single blocks, and the state of the blocks already processed. */
export interface Context {
  readonly page: Page
  readonly signs: KindSigns
  readonly titleWords: ReadonlySet<string>
  readonly whole: Tally & { readonly prose: number }
  readonly distances: Uint8Array
  readonly cores: ReadonlyArray<{ readonly box: Box | undefined; readonly climb: Uint8Array }>
  readonly repeated: ReturnType<typeof repetitions>
  readonly shapes: ReadonlyMap<number, Tally>
  readonly copies: ReadonlyMap<string, Tally>
  readonly groupShares: ReadonlyArray<number>
  readonly articleOf: ReadonlyArray<number>
  readonly articles: number
  readonly hasMain: boolean
  readonly firstH1: number
  readonly lists: ReadonlyArray<number>
  readonly paragraphs: Uint16Array
  readonly seen: Set<string>
  before: { chars: number; prose: number; headingLevel: number; headingIndex: number; headingText: string }
}

export const contextOf = (page: Page, signs: KindSigns, title: string): Context => {
  const { boxes, blocks } = page
  const shapes = new Map<number, Tally>()
  const copies = new Map<string, Tally>()
  const groupChars = tokenGroups.map(() => 0)
  for (const block of blocks) {
    const box = boxes[block.box]
    count(tallyOf(shapes, box?.shape ?? -1), block.chars, block.linkChars, block.words)
    count(tallyOf(copies, block.text), block.chars, block.linkChars, block.words)
    const around = box?.around ?? 0
    for (let group = 0; group < groupCount; group++)
      if ((around >> group) & 1) groupChars[group] = (groupChars[group] ?? 0) + block.chars
  }
  const whole = boxes[0]
  const chars = Math.max(1, whole?.chars ?? 1)
  const articleOf: Array<number> = []
  for (const box of boxes) articleOf.push(box.tag === "article" ? box.index : (articleOf[box.parent] ?? -1))
  return {
    page,
    signs,
    titleWords: wordsIn(title),
    whole: { blocks: blocks.length, chars, linkChars: whole?.linkChars ?? 0, words: 0, prose: whole?.proseChars ?? 0 },
    distances: groupDistances(page),
    cores: [0.6, 0.85, 0.4].map((share) => {
      const core = coreOf(page, share)
      return { box: boxes[core], climb: climbTo(page, core) }
    }),
    repeated: repetitions(page),
    shapes,
    copies,
    groupShares: groupChars.map((under) => under / chars),
    articleOf,
    articles: boxes.reduce((sum, box) => sum + flag(box.tag === "article"), 0),
    hasMain: boxes.some((box) => box.tag === "main"),
    firstH1: blocks.findIndex((block) => headingLevel(boxes[block.box]) === 1),
    lists: listsOf(page),
    paragraphs: paragraphCounts(page),
    seen: new Set(),
    before: { chars: 0, prose: 0, headingLevel: 0, headingIndex: -1, headingText: "" }
  }
}
