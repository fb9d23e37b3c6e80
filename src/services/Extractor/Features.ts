import { type Block, type Box, type Page, structure } from "./Blocks.ts"
import { type KindSigns } from "./PageKind.ts"
import { tokenGroups } from "./Tokens.ts"

const groupCount = tokenGroups.length
const far = 20
const levels = [0, 1, 2, 3, 5, 7] as const

const log = (count: number): number => Math.log2(1 + count)
const ratio = (part: number, whole: number): number => (whole > 0 ? part / whole : 0)

const headingLevel = (box: Box | undefined): number =>
  box !== undefined && /^h[1-6]$/.test(box.tag) ? Number(box.tag.charAt(1)) : 0

const boxTags = [
  "p",
  "li",
  "div",
  "td",
  "th",
  "dd",
  "dt",
  "span",
  "section",
  "pre",
  "figcaption",
  "blockquote",
  "article",
  "a",
  "header",
  "summary"
]

const names: ReadonlyArray<string> = [
  ...[
    "chars",
    "words",
    "links",
    "wordLength",
    "sentences",
    "commas",
    "digits",
    "capitals",
    "endsSentence",
    "endsColon",
    "strong",
    "images"
  ],
  ...["separators", "lines", "copies", "copyBefore", "titleOverlap", "isTitle", "heading", "tag", "depth"],
  ...["index", "before", "afterH1", "distanceH1", "headingAbove", "headingDistance", "enclosingLink"],
  ...levels.flatMap((level) => ["share", "links", "prose", "blocks", "density"].map((name) => `${name}@${level}`)),
  ...[
    "core60",
    "core60Side",
    "core85",
    "core85Side",
    "core40",
    "core40Side",
    "inMain",
    "inArticle",
    "articleShare",
    "articles"
  ],
  ...[
    "previousChars",
    "previousLinks",
    "previousShape",
    "nextChars",
    "nextLinks",
    "nextShape",
    "previous2Chars",
    "next2Chars",
    "previousHeading",
    "nextHeading",
    "nextParagraph",
    "previousParagraph"
  ],
  ...[
    "shapeBlocks",
    "shapeShare",
    "shapeLinks",
    "shapeWords",
    "repeats",
    "repeatShare",
    "repeatChars",
    "repeatLinks",
    "repeatDepth"
  ],
  ...["pageChars", "pageBlocks", "pageProse", "pageLinks", "pageMain", "pageH1", "pageTimes"],
  ...[
    "kindArticle",
    "kindProduct",
    "kindForum",
    "kindListing",
    "kindDocs",
    "ogArticle",
    "ogProduct",
    "isRoot",
    "pathDepth",
    "pathWords"
  ],
  ...["pageThread", "pageProduct", "pageComment", "pageItem"],
  ...[...structure.keys()].map((name) => `in:${name}`),
  ...tokenGroups.map((name) => `near:${name}`)
]

/** The names of a block's features, in their order. */
export const featureNames = names

interface Tally {
  blocks: number
  chars: number
  linkChars: number
  words: number
}

const tallyOf = <K>(tallies: Map<K, Tally>, key: K): Tally => {
  const known = tallies.get(key)
  if (known !== undefined) return known
  const made = { blocks: 0, chars: 0, linkChars: 0, words: 0 }
  tallies.set(key, made)
  return made
}

const count = (tally: Tally, chars: number, linkChars: number, words: number) => {
  tally.blocks++
  tally.chars += chars
  tally.linkChars += linkChars
  tally.words += words
}

/** Distances from each box to the closest one around it with names of each group (0: its own). */
const groupDistances = (page: Page): Uint8Array => {
  const distances = new Uint8Array(page.boxes.length * groupCount).fill(far)
  for (const [index, box] of page.boxes.entries())
    for (let group = 0; group < groupCount; group++) {
      const above = box.parent < 0 ? far : (distances[box.parent * groupCount + group] ?? far)
      distances[index * groupCount + group] = (box.groups >> group) & 1 ? 0 : Math.min(far, above + 1)
    }
  return distances
}

/** The deepest box that holds a share of the page's prose. */
const coreOf = (page: Page, share: number): number => {
  const whole = page.boxes[0]?.proseChars ?? 0
  let core = 0
  for (const [index, box] of page.boxes.entries())
    if (box.parent === core && box.proseChars >= whole * share && whole > 0) core = index
  return core
}

/** For each box, how many levels it has to climb to meet the path from the root to `core`. */
const climbTo = (page: Page, core: number): Uint8Array => {
  const path = new Set<number>()
  for (let index = core; index >= 0; index = page.boxes[index]?.parent ?? -1) path.add(index)
  const below = new Uint8Array(page.boxes.length)
  const coreDepth = page.boxes[core]?.depth ?? 0
  for (const [index, box] of page.boxes.entries()) {
    if (path.has(index)) below[index] = Math.min(far, coreDepth - box.depth)
    else below[index] = box.parent < 0 ? 0 : (below[box.parent] ?? 0)
  }
  return below
}

interface Repetition {
  readonly repeats: number
  readonly chars: number
  readonly linkChars: number
  readonly depth: number
}

const alone: Repetition = { repeats: 1, chars: 0, linkChars: 0, depth: far }

/** For each box, the largest group of look-alike siblings that it or a box around it belongs to. */
const repetitions = (page: Page): ReadonlyArray<Repetition> => {
  const groups = new Map<string, Tally>()
  const keys = page.boxes.map((box) => `${box.parent}/${box.shape}`)
  for (const [index, box] of page.boxes.entries())
    if (box.chars > 0) count(tallyOf(groups, keys[index] ?? ""), box.chars, box.linkChars, 0)
  const found: Array<Repetition> = []
  for (const [index, box] of page.boxes.entries()) {
    const around = found[box.parent] ?? alone
    const own = groups.get(keys[index] ?? "")
    const isGroup = own !== undefined && own.blocks >= 3 && box.endBlock - box.firstBlock >= 2
    found.push(
      isGroup && own.blocks >= around.repeats
        ? { repeats: own.blocks, chars: own.chars, linkChars: own.linkChars, depth: 0 }
        : { ...around, depth: Math.min(far, around.depth + 1) }
    )
  }
  return found
}

const wordsIn = (text: string): ReadonlySet<string> => new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [])

const letters = (block: Block): readonly [number, number, number, number, number] => {
  let digits = 0
  let capitals = 0
  let commas = 0
  let sentences = 0
  let separators = 0
  const text = block.text.length > 2_000 ? block.text.slice(0, 2_000) : block.text
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index)
    if (unit >= 48 && unit <= 57) digits++
    else if (unit >= 65 && unit <= 90) capitals++
    else if (unit === 44 || unit === 0x3001 || unit === 0xff0c || unit === 0x60c) commas++
    else if (
      unit === 46 ||
      unit === 33 ||
      unit === 63 ||
      unit === 0x3002 ||
      unit === 0xff01 ||
      unit === 0xff1f ||
      unit === 0x964
    ) {
      if (unit >= 0x900 || index + 1 === text.length || text.charCodeAt(index + 1) <= 32) sentences++
    } else if (unit === 124 || unit === 0xb7 || unit === 0x2022 || unit === 0xbb || unit === 0x203a || unit === 47)
      separators++
  }
  return [digits, capitals, commas, sentences, separators]
}

export interface Features {
  /** Row by row, one for each block, `featureNames.length` numbers each. */
  readonly values: Float32Array
  readonly width: number
}

/** Describes each block of a page by numbers: itself, what lies around it, and the page. */
export const featuresOf = (page: Page, signs: KindSigns, title: string): Features => {
  const { boxes, blocks } = page
  const width = names.length
  const values = new Float32Array(blocks.length * width)
  const whole = boxes[0]
  const pageChars = Math.max(1, whole?.chars ?? 1)
  const distances = groupDistances(page)
  const cores = [0.6, 0.85, 0.4].map((share) => {
    const core = coreOf(page, share)
    return { box: boxes[core], climb: climbTo(page, core) }
  })
  const repeated = repetitions(page)
  const shapes = new Map<string, Tally>()
  const copies = new Map<string, Tally>()
  const groupChars = new Float64Array(groupCount)
  for (const block of blocks) {
    const box = boxes[block.box]
    count(tallyOf(shapes, box?.shape ?? ""), block.chars, block.linkChars, block.words)
    count(tallyOf(copies, block.text), block.chars, block.linkChars, block.words)
    for (let group = 0; group < groupCount; group++)
      if (((box?.around ?? 0) >> group) & 1) groupChars[group] = (groupChars[group] ?? 0) + block.chars
  }
  const under = (name: string) => ratio(groupChars[tokenGroups.indexOf(name)] ?? 0, pageChars)
  const articles = boxes.filter((box) => box.tag === "article")
  const articleOf: Array<number> = []
  for (const [index, box] of boxes.entries())
    articleOf.push(box.tag === "article" ? index : (articleOf[box.parent] ?? -1))
  const mainBit = structure.get("main") ?? 0
  const hasMain = boxes.some((box) => box.tag === "main") ? 1 : 0
  const h1 = blocks.findIndex((block) => headingLevel(boxes[block.box]) === 1)
  const titleWords = wordsIn(title)
  const seen = new Set<string>()
  let charsBefore = 0
  let headingAbove = 0
  let headingIndex = -1
  const neighbour = (index: number) => {
    const block = blocks[index]
    return block === undefined ? undefined : { block, box: boxes[block.box] }
  }
  for (const [index, block] of blocks.entries()) {
    const box = boxes[block.box]
    if (box === undefined) continue
    let at = index * width
    const put = (value: number) => {
      values[at++] = value
    }
    const [digits, capitals, commas, sentences, separators] = letters(block)
    const level = headingLevel(box)
    const last = block.text.charAt(block.text.length - 1)
    put(log(block.chars))
    put(log(block.words))
    put(ratio(block.linkChars, block.chars))
    put(ratio(block.chars, block.words))
    put(log(sentences))
    put(log(commas))
    put(ratio(digits, block.chars))
    put(ratio(capitals, block.chars))
    put(/[.!?…。！？।"”'’)]/.test(last) ? 1 : 0)
    put(last === ":" || last === "：" ? 1 : 0)
    put(block.strong ? 1 : 0)
    put(Math.min(3, block.images))
    put(ratio(separators, block.words))
    put(Math.min(5, block.text.split("\n", 6).length - 1))
    put(Math.min(8, copies.get(block.text)?.blocks ?? 1))
    put(seen.has(block.text) ? 1 : 0)
    seen.add(block.text)
    const blockWords = block.words <= 40 ? wordsIn(block.text) : undefined
    let shared = 0
    for (const word of blockWords ?? []) if (titleWords.has(word)) shared++
    put(blockWords === undefined ? 0 : ratio(shared, blockWords.size))
    put(blockWords === undefined ? 0 : ratio(shared, titleWords.size))
    put(level)
    put(boxTags.indexOf(box.tag))
    put(Math.min(40, box.depth))
    put(ratio(index, blocks.length))
    put(ratio(charsBefore, pageChars))
    charsBefore += block.chars
    put(h1 < 0 ? 0 : index >= h1 ? 1 : -1)
    put(h1 < 0 ? -40 : Math.max(-40, Math.min(200, index - h1)))
    put(headingAbove)
    put(headingIndex < 0 ? 60 : Math.min(60, index - headingIndex))
    if (level > 0) {
      headingAbove = level
      headingIndex = index
    }
    put(box.link === null ? 0 : 1)
    let climb: number = block.box
    let climbed = 0
    for (const target of levels) {
      while (climbed < target) {
        const parent = boxes[climb]?.parent ?? -1
        if (parent >= 0) climb = parent
        climbed++
      }
      const holder = boxes[climb]
      const held = holder === undefined ? 0 : holder.endBlock - holder.firstBlock
      put(ratio(holder?.chars ?? 0, pageChars))
      put(ratio(holder?.linkChars ?? 0, holder?.chars ?? 0))
      put(ratio(holder?.proseChars ?? 0, whole?.proseChars ?? 0))
      put(log(held))
      put(log(ratio(holder?.chars ?? 0, held)))
    }
    for (const { box: core, climb: toCore } of cores) {
      put(toCore[block.box] ?? 0)
      put(core === undefined ? 0 : index < core.firstBlock ? -1 : index >= core.endBlock ? 1 : 0)
    }
    put((box.within & mainBit) !== 0 ? 1 : hasMain === 1 ? -1 : 0)
    const article = boxes[articleOf[block.box] ?? -1]
    put(article === undefined ? (articles.length > 0 ? -1 : 0) : 1)
    put(ratio(article?.chars ?? 0, pageChars))
    put(Math.min(30, articles.length))
    const previous = neighbour(index - 1)
    const next = neighbour(index + 1)
    put(log(previous?.block.chars ?? 0))
    put(previous === undefined ? 0 : ratio(previous.block.linkChars, previous.block.chars))
    put(previous?.box?.shape === box.shape ? 1 : 0)
    put(log(next?.block.chars ?? 0))
    put(next === undefined ? 0 : ratio(next.block.linkChars, next.block.chars))
    put(next?.box?.shape === box.shape ? 1 : 0)
    put(log(neighbour(index - 2)?.block.chars ?? 0))
    put(log(neighbour(index + 2)?.block.chars ?? 0))
    put(headingLevel(previous?.box))
    put(headingLevel(next?.box))
    put(next?.box?.tag === "p" ? 1 : 0)
    put(previous?.box?.tag === "p" ? 1 : 0)
    const shape = shapes.get(box.shape)
    put(log(shape?.blocks ?? 0))
    put(ratio(shape?.chars ?? 0, pageChars))
    put(ratio(shape?.linkChars ?? 0, shape?.chars ?? 0))
    put(log(ratio(shape?.words ?? 0, shape?.blocks ?? 0)))
    const group = repeated[block.box] ?? alone
    put(log(group.repeats))
    put(ratio(group.chars, pageChars))
    put(log(ratio(group.chars, group.repeats)))
    put(ratio(group.linkChars, group.chars))
    put(group.depth)
    put(log(pageChars))
    put(log(blocks.length))
    put(ratio(whole?.proseChars ?? 0, pageChars))
    put(ratio(whole?.linkChars ?? 0, pageChars))
    put(hasMain)
    put(h1 >= 0 ? 1 : 0)
    put(Math.min(40, signs.times))
    put(signs.article ? 1 : 0)
    put(signs.product ? 1 : 0)
    put(signs.forum ? 1 : 0)
    put(signs.listing ? 1 : 0)
    put(signs.documentation ? 1 : 0)
    put(signs.ogArticle ? 1 : 0)
    put(signs.ogProduct ? 1 : 0)
    put(signs.isRoot ? 1 : 0)
    put(Math.min(8, signs.pathDepth))
    put(Math.min(12, signs.pathWords))
    put(under("thread"))
    put(under("product"))
    put(under("comment"))
    put(under("item"))
    for (const bit of structure.values()) put((box.within & bit) !== 0 ? 1 : 0)
    for (let position = 0; position < groupCount; position++) put(distances[block.box * groupCount + position] ?? far)
  }
  return { values, width }
}
