import { type Page } from "./Blocks.ts"
import { type Parsed, parseHtml, parseTime } from "./Parse.ts"
import { type TimeLimits } from "./TimeLimit.ts"
import { attributeOf, isLinkedData, type TreeNode } from "./Tree.ts"
import { readSheet } from "./Sheet.ts"
import { type Surround } from "./Visibility.ts"
import { walkThrough } from "./Walk.ts"

/** For a walk, in milliseconds. */
const walkTime = 150

const charsOf = (page: Page): number => page.boxes[0]?.chars ?? 0

/** A page that shows no more than that, links not counted, shows nothing. */
const practicallyNothing = 80
/** Of what is not shown, less is not worth it. */
const least = 600

const isEmpty = (page: Page): boolean => charsOf(page) - (page.boxes[0]?.linkChars ?? 0) < practicallyNothing

/** Whether a sheet holds for the page on a screen: not for one medium only, nor for what is below a `template`. */
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
    alone: new Map(),
    unveiled: false
  }
}

const bodyOf = ({ document, noted }: Parsed): TreeNode => noted.find((node) => node.tag === "body") ?? document

/**
 * Cuts the visible text of a document into blocks. Where practically nothing is visible although there is a long text,
 * the page hides all of itself until its scripts have run, or has a text for readers without scripts: that is shown
 * besides, and its blocks are marked.
 */
export const readPage = (parsed: Parsed, source: string, limits: TimeLimits): Page => {
  const surround = surroundOf(parsed)
  const page = walkThrough(bodyOf(parsed), surround, "visible", limits(walkTime))
  if (!isEmpty(page)) return page
  if (page.hiddenText) {
    const unshown = walkThrough(bodyOf(parsed), { ...surround, unveiled: true }, "unshown", limits(walkTime))
    if ((unshown.boxes[0]?.proseChars ?? 0) > least) return unshown
  }
  if (
    parsed.truncated ||
    !parsed.noted.some((node) => node.tag === "noscript" && (node.first?.text.length ?? 0) > least)
  )
    return page
  const reparsed = parseHtml(source, limits(parseTime), false)
  const noscript = walkThrough(bodyOf(reparsed), surround, "noscript", limits(walkTime))
  return charsOf(noscript) - charsOf(page) > least ? noscript : page
}
