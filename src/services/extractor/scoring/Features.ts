import { type Block, type Box, type Page } from "../segment/Blocks.ts"
import { type Context, contextOf, flag, headingLevel, log, ratio, wordsIn } from "./FeatureContext.ts"
import { type KindSigns } from "./KindSigns.ts"
import { frame, landmarks } from "../segment/Landmarks.ts"
import { punctuationOf } from "./Punctuation.ts"
import { alone, far, isProse } from "./BlockContext.ts"
import { tokenGroups } from "../segment/NameSignals.ts"

const groupCount = tokenGroups.length
/** The ancestors of a block whose features are read, in levels above its box. */
const levels = [0, 1, 2, 3, 5, 7] as const

const boxTags = "p li div td th dd dt span section pre figcaption blockquote article a header summary".split(" ")

/** Headings above text that is not main text, in the most common languages of the web. */
const related =
  /related|recommend|you (?:may|might)|more (?:from|on|in|news|stories|articles)|also (?:read|like)|read (?:more|next)|trending|popular|most (?:read|viewed)|latest|recent|similar|mehr|weitere|auch interessant|à lire|lire aussi|relacionad|también|leia|veja|articoli|correlati/i
const comments =
  /comment|repl(?:y|ies)|kommentar|comentário|comentario|commentaire|discussion|what do you think|responses/i
const signup = /newsletter|subscri|sign up|follow us|share|about the author|about us|contact|tags|categor|abonn|suscr/i

/**
 * Caps for features that grow with the length of a page. One in twenty training pages exceeds them. Without the caps,
 * one or two training pages would decide the result for every long article.
 */
const longest = { chars: 35_000, prose: 26_500, blocks: 610, alike: 195 }
const endless: typeof longest = { chars: Infinity, prose: Infinity, blocks: Infinity, alike: Infinity }

const commentGroup = tokenGroups.indexOf("comment")

/**
 * Returns the caps for a block. Text beside an article, or in a container named as comments, has none, because it does
 * not continue the article.
 */
const boundsOf = ({ block, box }: Pick<Place, "block" | "box">, { distances }: Context): typeof longest => {
  const isBeside = (box.within & frame) !== 0
  const toComments = distances[block.box * groupCount + commentGroup] ?? far
  return isBeside || toComments < far ? endless : longest
}

/** A block, its box, and the caps that apply to it. */
interface Place {
  readonly index: number
  readonly block: Block
  readonly box: Box
  readonly most: typeof longest
}

interface Group {
  readonly names: ReadonlyArray<string>
  /** Calls `put` once for each name, in order. */
  readonly of: (put: (value: number) => void, place: Place, context: Context) => void
}

const text: Group = {
  names: [
    ...["chars", "words", "links", "wordLength", "sentences", "commas", "digits", "capitals", "endsSentence"],
    ...["endsColon", "strong", "images", "separators", "lines", "copies", "copyBefore", "titleOverlap", "isTitle"]
  ],
  of: (put, { block }, { copies, seen, titleWords }) => {
    const { capitals, commas, digits, sentences, separators } = punctuationOf(block.text)
    const last = block.text.charAt(block.text.length - 1)
    const isCopy = seen.has(block.text)
    seen.add(block.text)
    const words = block.words <= 40 ? wordsIn(block.text) : undefined
    let shared = 0
    for (const word of words ?? []) if (titleWords.has(word)) shared++
    put(log(block.chars))
    put(log(block.words))
    put(ratio(block.linkChars, block.chars))
    put(ratio(block.chars, block.words))
    put(log(sentences))
    put(log(commas))
    put(ratio(digits, block.chars))
    put(ratio(capitals, block.chars))
    put(flag(/[.!?…。！？।"”'’)]/.test(last)))
    put(flag(last === ":" || last === "："))
    put(flag(block.strong))
    put(Math.min(3, block.images))
    put(ratio(separators, block.words))
    put(Math.min(5, block.text.split("\n", 6).length - 1))
    put(Math.min(8, copies.get(block.text)?.blocks ?? 1))
    put(flag(isCopy))
    put(words === undefined ? 0 : ratio(shared, words.size))
    put(words === undefined ? 0 : ratio(shared, titleWords.size))
  }
}

const position: Group = {
  names: [
    ...["heading", "tag", "depth", "index", "before", "afterH1", "distanceH1", "headingAbove", "headingDistance"],
    ...["enclosingLink", "proseBefore", "proseAfter", "prosePosition", "underRelated", "underComments", "underSignup"]
  ],
  of: (put, { block, box, index, most }, { before, firstH1, whole }) => {
    const level = headingLevel(box)
    const prose = isProse(block) ? block.chars : 0
    const allProse = Math.max(1, whole.prose)
    put(level)
    put(boxTags.indexOf(box.tag))
    put(Math.min(40, box.depth))
    put(ratio(index, whole.blocks))
    put(ratio(before.chars, whole.chars))
    put(firstH1 < 0 ? 0 : index >= firstH1 ? 1 : -1)
    put(firstH1 < 0 ? -40 : Math.max(-40, Math.min(200, index - firstH1)))
    put(before.headingLevel)
    put(before.headingIndex < 0 ? 60 : Math.min(60, index - before.headingIndex))
    put(flag(box.link !== null))
    put(log(Math.min(most.prose, before.prose)))
    put(log(Math.min(most.prose, Math.max(0, allProse - before.prose - prose))))
    put(before.prose / allProse)
    put(flag(related.test(before.headingText)))
    put(flag(comments.test(before.headingText)))
    put(flag(signup.test(before.headingText)))
    before.chars += block.chars
    before.prose += prose
    if (level > 0) {
      before.headingLevel = level
      before.headingIndex = index
      before.headingText = block.words <= 12 ? block.text : ""
    }
  }
}

const containers: Group = {
  names: [
    ...levels.flatMap((level) => ["share", "links", "prose", "blocks", "density"].map((name) => `${name}@${level}`)),
    ...["core60", "core60Side", "core85", "core85Side", "core40", "core40Side"],
    ...["inMain", "inArticle", "articleShare", "articles", "paragraphs@0", "paragraphs@1", "paragraphs@2"]
  ],
  of: (put, { block, box, index }, { articleOf, articles, cores, hasMain, page, paragraphs, whole }) => {
    let at = block.box
    let climbed = 0
    for (const level of levels) {
      for (; climbed < level; climbed++) at = Math.max(0, page.boxes[at]?.parent ?? 0)
      const holder = page.boxes[at]
      const held = holder === undefined ? 0 : holder.endBlock - holder.firstBlock
      put(ratio(holder?.chars ?? 0, whole.chars))
      put(ratio(holder?.linkChars ?? 0, holder?.chars ?? 0))
      put(ratio(holder?.proseChars ?? 0, whole.prose))
      put(log(held))
      put(log(ratio(holder?.chars ?? 0, held)))
    }
    for (const { box: core, climb } of cores) {
      put(climb[block.box] ?? 0)
      put(core === undefined ? 0 : index < core.firstBlock ? -1 : flag(index >= core.endBlock))
    }
    const article = page.boxes[articleOf[block.box] ?? -1]
    const inMain = (box.within & (landmarks.get("main") ?? 0)) !== 0
    put(inMain ? 1 : -flag(hasMain))
    put(article !== undefined ? 1 : -flag(articles > 0))
    put(ratio(article?.chars ?? 0, whole.chars))
    put(Math.min(30, articles))
    put(Math.min(40, paragraphs[block.box] ?? 0))
    put(Math.min(40, paragraphs[box.parent] ?? 0))
    put(Math.min(40, paragraphs[page.boxes[box.parent]?.parent ?? -1] ?? 0))
  }
}

const neighbours: Group = {
  names: [
    ...["previousChars", "previousLinks", "previousShape", "nextChars", "nextLinks", "nextShape", "previous2Chars"],
    ...["next2Chars", "previousHeading", "nextHeading", "nextParagraph", "previousParagraph"]
  ],
  of: (put, { box, index }, { page }) => {
    const { blocks, boxes } = page
    const previous = blocks[index - 1]
    const next = blocks[index + 1]
    const boxBefore = boxes[previous?.box ?? -1]
    const boxAfter = boxes[next?.box ?? -1]
    put(log(previous?.chars ?? 0))
    put(ratio(previous?.linkChars ?? 0, previous?.chars ?? 0))
    put(flag(boxBefore?.shape === box.shape))
    put(log(next?.chars ?? 0))
    put(ratio(next?.linkChars ?? 0, next?.chars ?? 0))
    put(flag(boxAfter?.shape === box.shape))
    put(log(blocks[index - 2]?.chars ?? 0))
    put(log(blocks[index + 2]?.chars ?? 0))
    put(headingLevel(boxBefore))
    put(headingLevel(boxAfter))
    put(flag(boxAfter?.tag === "p"))
    put(flag(boxBefore?.tag === "p"))
  }
}

const repetition: Group = {
  names: [
    ...[
      "shapeBlocks",
      "shapeShare",
      "shapeLinks",
      "shapeWords",
      "repeats",
      "repeatShare",
      "repeatChars",
      "repeatLinks"
    ],
    ...["repeatDepth", "listChars", "listLinks", "listItems", "listItemChars"]
  ],
  of: (put, { block, box, most }, { lists, page, repeated, shapes, whole }) => {
    const shape = shapes.get(box.shape)
    const group = repeated[block.box] ?? alone
    const list = page.boxes[lists[block.box] ?? -1]
    const items = list === undefined ? 0 : list.endBlock - list.firstBlock
    put(log(Math.min(most.alike, shape?.blocks ?? 0)))
    put(ratio(shape?.chars ?? 0, whole.chars))
    put(ratio(shape?.linkChars ?? 0, shape?.chars ?? 0))
    put(log(ratio(shape?.words ?? 0, shape?.blocks ?? 0)))
    put(log(group.repeats))
    put(ratio(group.chars, whole.chars))
    put(log(ratio(group.chars, group.repeats)))
    put(ratio(group.linkChars, group.chars))
    put(group.depth)
    put(list === undefined ? -1 : ratio(list.chars, whole.chars))
    put(list === undefined ? -1 : ratio(list.linkChars, list.chars))
    put(log(items))
    put(log(ratio(list?.chars ?? 0, items)))
  }
}

const pageWide: Group = {
  names: [
    ...["pageChars", "pageBlocks", "pageProse", "pageLinks", "pageMain", "pageH1", "pageTimes", "kindArticle"],
    ...["kindProduct", "kindForum", "kindListing", "kindDocs", "ogArticle", "ogProduct", "isRoot", "pathDepth"],
    ...["pathWords", "pageThread", "pageProduct", "pageComment", "pageItem"]
  ],
  of: (put, { most }, { firstH1, groupShares, hasMain, signs, whole }) => {
    put(log(Math.min(most.chars, whole.chars)))
    put(log(Math.min(most.blocks, whole.blocks)))
    put(ratio(whole.prose, whole.chars))
    put(ratio(whole.linkChars, whole.chars))
    put(flag(hasMain))
    put(flag(firstH1 >= 0))
    put(Math.min(40, signs.times))
    put(flag(signs.article))
    put(flag(signs.product))
    put(flag(signs.forum))
    put(flag(signs.listing))
    put(flag(signs.documentation))
    put(flag(signs.ogArticle))
    put(flag(signs.ogProduct))
    put(flag(signs.isRoot))
    put(Math.min(8, signs.pathDepth))
    put(Math.min(12, signs.pathWords))
    for (const name of ["thread", "product", "comment", "item"]) put(groupShares[tokenGroups.indexOf(name)] ?? 0)
  }
}

const namesAround: Group = {
  names: [...[...landmarks.keys()].map((name) => `in:${name}`), ...tokenGroups.map((name) => `near:${name}`)],
  of: (put, { block, box }, { distances }) => {
    for (const bit of landmarks.values()) put(flag((box.within & bit) !== 0))
    for (let group = 0; group < groupCount; group++) put(distances[block.box * groupCount + group] ?? far)
  }
}

const groups = [text, position, containers, neighbours, repetition, pageWide, namesAround]

/** Names of the features of a block, in the order of their columns. */
export const featureNames: ReadonlyArray<string> = groups.flatMap(({ names }) => names)

export interface Features {
  /** Feature rows, one per block, each `width` numbers long. */
  readonly values: Float32Array
  readonly width: number
}

/** Computes the features of each block: of the block itself, its surroundings, and the page. */
export const featuresOf = (page: Page, signs: KindSigns, title: string): Features => {
  const width = featureNames.length
  const values = new Float32Array(page.blocks.length * width)
  const context = contextOf(page, signs, title)
  let at = 0
  const put = (value: number) => {
    values[at++] = value
  }
  for (const [index, block] of page.blocks.entries()) {
    const box = page.boxes[block.box]
    if (box === undefined) continue
    at = index * width
    const place = { index, block, box, most: boundsOf({ block, box }, context) }
    for (const group of groups) group.of(put, place, context)
  }
  return { values, width }
}
