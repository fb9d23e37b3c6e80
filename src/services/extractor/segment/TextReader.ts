import { html } from "parse5"
import { type Page } from "./Blocks.ts"
import { type Parsed, parseHtml, parseTime } from "../dom/Parse.ts"
import { type TimeLimits } from "../dom/TimeLimit.ts"
import { append, attributeOf, isLinkedData, TreeNode } from "../dom/Tree.ts"
import { readSheet } from "../visibility/Sheet.ts"
import { type Surround } from "../visibility/Visibility.ts"
import { walkThrough } from "./Walk.ts"

/** Time limit of a walk in milliseconds. */
const walkTime = 150

const charsOf = (page: Page): number => page.boxes[0]?.chars ?? 0

/** A page with fewer visible characters than this, not counting links, is empty. */
const practicallyNothing = 80
/** Minimum characters of text that is not shown. Shorter text is not worth reading. */
const least = 600
/** Minimum characters of `noscript` text. It must be longer than a notice to enable scripts. */
const leastWithoutScripts = 300

const isEmpty = (page: Page): boolean => charsOf(page) - (page.boxes[0]?.linkChars ?? 0) < practicallyNothing

/** Whether a sheet applies to the page on screen. Sheets for other media, or inside a `template`, do not. */
const isForScreen = (style: TreeNode): boolean => {
  if (!/^\s*(?:(?:only\s+)?(?:all|screen))?\s*$/i.test(attributeOf(style, "media") ?? "")) return false
  let at = style.parent
  while (at !== null && at.tag !== "#fragment") at = at.parent
  return at === null
}

const surroundOf = ({ noted, sheets, streamed }: Parsed): Surround => {
  const isPartial = noted.some(
    (node) =>
      (node.tag === "script" && !isLinkedData(node)) ||
      (node.tag === "link" && /style/i.test(`${attributeOf(node, "rel") ?? ""} ${attributeOf(node, "as") ?? ""}`))
  )
  const sources = [...sheets].flatMap(([node, source]) => (isForScreen(node) ? [source] : []))
  const sheet = readSheet(sources, isPartial)
  return {
    styled: !sheet.isWhole,
    streamed,
    sheet: sheet.isEmpty ? null : sheet,
    alone: new WeakMap(),
    unveiled: false
  }
}

const bodyOf = ({ document, noted }: Parsed): TreeNode => noted.find((node) => node.tag === "body") ?? document

/** Returns a tree with one paragraph per line. Text that contains HTML is parsed as HTML. */
const treeOf = (text: string, limits: TimeLimits): TreeNode => {
  if (/<(?:p|br|div)\b/i.test(text)) return bodyOf(parseHtml(text, limits(parseTime)))
  const article = new TreeNode("article", html.NS.HTML, [], "")
  for (const line of text.split(/[\r\n]+/, mostLines)) {
    const paragraph = new TreeNode("p", html.NS.HTML, [], "")
    append(paragraph, new TreeNode("#text", html.NS.HTML, [], line))
    append(article, paragraph)
  }
  return article
}

const mostLines = 10_000

/** Returns the page with its `noscript` content, if that adds enough text; otherwise, the given page. */
const withNoscript = (parsed: Parsed, page: Page, source: string, surround: Surround, limits: TimeLimits): Page => {
  const isWorthIt =
    !parsed.truncated &&
    parsed.noted.some((node) => node.tag === "noscript" && (node.first?.text.length ?? 0) > leastWithoutScripts)
  if (!isWorthIt) return page
  const reparsed = parseHtml(source, limits(parseTime), false)
  const noscript = walkThrough(bodyOf(reparsed), surround, "noscript", limits(walkTime))
  return charsOf(noscript) - charsOf(page) > leastWithoutScripts ? noscript : page
}

/**
 * Splits the visible text of a document into blocks. An empty page may hide all of its text until scripts have run, or
 * may have text for readers without scripts. That text is then read as well, and its blocks are marked. Without either,
 * the article body of the JSON-LD is the page.
 */
export const readPage = (parsed: Parsed, source: string, articleBody: string, limits: TimeLimits): Page => {
  const surround = surroundOf(parsed)
  const page = walkThrough(bodyOf(parsed), surround, "visible", limits(walkTime))
  if (!isEmpty(page)) return page
  if (page.hiddenText) {
    const unshown = walkThrough(bodyOf(parsed), { ...surround, unveiled: true }, "unshown", limits(walkTime))
    if ((unshown.boxes[0]?.proseChars ?? 0) > least) return unshown
  }
  const noscript = withNoscript(parsed, page, source, surround, limits)
  if (noscript !== page || articleBody.length < least) return noscript
  const unstyled = { ...surround, styled: false, sheet: null }
  return {
    ...walkThrough(treeOf(articleBody, limits), unstyled, "visible", limits(walkTime)),
    hiddenText: page.hiddenText
  }
}
