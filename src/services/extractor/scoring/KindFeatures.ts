import { type Page } from "../segment/Blocks.ts"
import { flag, log } from "./FeatureContext.ts"
import { type KindSigns, kindSignNames } from "./KindSigns.ts"
import { isProse, repetitions } from "./BlockContext.ts"
import { tokenGroups } from "../segment/NameSignals.ts"

const counted = "article main p h1 h2 h3 ul ol li table tr dl pre blockquote figure form button img nav aside".split(
  " "
)

const price = /(?:[$€£¥₹]|\b(?:usd|eur|gbp|aud|cad))\s?\d|\d\s?(?:[$€£¥₹]|(?:usd|eur|gbp|kr|zł)\b)/i
const buying =
  /^(?:add to (?:cart|bag|basket|wishlist)|buy(?: it)? now|in den warenkorb|ajouter au panier|quantity|qty)\b/i
const replying = /^(?:repl(?:y|ies)|quote|report|answers?|posted|joined|solved|views|likes?|share|member|upvote)\b/i
const reading = /\b(?:min(?:ute)?s? read|read more|continue reading|learn more)\b|^by\s/i
const selling = /^(?:get started|contact us|request a|book a|schedule a|free trial|start free|get a quote|talk to)/i
const sorting = /^(?:sort by|filter|showing|results|items|per page|load more|show more|next page|view all)\b/i
const reviewing = /\breviews?\b|out of 5|\bstars?\b|\brating\b/i
const dated = /\b(?:19|20)\d\d\b|\bago\b/i
const phrases = [price, buying, replying, reading, selling, sorting, reviewing, dated]

export const kindFeatureNames: ReadonlyArray<string> = [
  ...kindSignNames,
  ...["article", "product", "forum", "listing", "documentation", "ogArticle", "ogProduct", "isRoot"],
  ...["pathDepth", "pathWords", "times"],
  ...counted.map((tag) => `tag:${tag}`),
  ...tokenGroups.flatMap((name) => [`share:${name}`, `boxes:${name}`]),
  ..."price buying replying reading selling sorting reviewing dated".split(" ").map((name) => `says:${name}`),
  ...["chars", "blocks", "prose", "links", "longest", "meanProse", "repeats", "repeatShare", "repeatLinks"],
  ...["repeatChars", "imagesPerBlock", "headings", "shortBlocks", "preShare"]
]

/** Computes the features of a page that its kind is predicted from, in the order of `kindFeatureNames`. */
export const kindFeaturesOf = (page: Page, signs: KindSigns): Float32Array => {
  const { blocks, boxes } = page
  const tags = new Map(counted.map((tag) => [tag, 0]))
  const groupBoxes = tokenGroups.map(() => 0)
  for (const box of boxes) {
    const known = tags.get(box.tag)
    if (known !== undefined) tags.set(box.tag, known + 1)
    for (let bits = box.groups, group = 0; bits !== 0; bits >>>= 1, group++)
      if (bits & 1) groupBoxes[group] = (groupBoxes[group] ?? 0) + 1
  }
  tags.set("img", page.images.length)
  const groupChars = tokenGroups.map(() => 0)
  const says = phrases.map(() => 0)
  let proseBlocks = 0
  let longest = 0
  let short = 0
  let pre = 0
  for (const block of blocks) {
    const box = boxes[block.box]
    for (let bits = box?.around ?? 0, group = 0; bits !== 0; bits >>>= 1, group++)
      if (bits & 1) groupChars[group] = (groupChars[group] ?? 0) + block.chars
    if (block.chars <= 120)
      for (const [index, phrase] of phrases.entries()) if (phrase.test(block.text)) says[index] = (says[index] ?? 0) + 1
    if (isProse(block)) proseBlocks++
    longest = Math.max(longest, block.chars)
    if (block.words <= 4) short++
    if (box?.tag === "pre") pre += block.chars
  }
  const whole = boxes[0]
  const chars = Math.max(1, whole?.chars ?? 1)
  const count = Math.max(1, blocks.length)
  const widest = repetitions(page).reduce(
    (most, group) => (group.depth === 0 && group.chars > most.chars ? group : most),
    { repeats: 0, chars: 0, linkChars: 0, depth: 0 }
  )
  return Float32Array.from([
    ...signs.fine,
    flag(signs.article),
    flag(signs.product),
    flag(signs.forum),
    flag(signs.listing),
    flag(signs.documentation),
    flag(signs.ogArticle),
    flag(signs.ogProduct),
    flag(signs.isRoot),
    signs.pathDepth,
    signs.pathWords,
    log(signs.times),
    ...counted.map((tag) => log(tags.get(tag) ?? 0)),
    ...tokenGroups.flatMap((_, group) => [(groupChars[group] ?? 0) / chars, log(groupBoxes[group] ?? 0)]),
    ...says.map(log),
    log(chars),
    log(blocks.length),
    (whole?.proseChars ?? 0) / chars,
    (whole?.linkChars ?? 0) / chars,
    log(longest),
    log((whole?.proseChars ?? 0) / Math.max(1, proseBlocks)),
    log(widest.repeats),
    widest.chars / chars,
    widest.linkChars / Math.max(1, widest.chars),
    log(widest.chars / Math.max(1, widest.repeats)),
    page.images.length / count,
    ((tags.get("h2") ?? 0) + (tags.get("h3") ?? 0)) / count,
    short / count,
    pre / chars
  ])
}
