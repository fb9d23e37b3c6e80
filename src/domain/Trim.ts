/** A piece of a longer text. All lengths and offsets count Unicode code points. */
export interface Trimmed {
  readonly content: string
  /** Length of the whole text. */
  readonly contentLength: number
  readonly returnedLength: number
  /** Start of the next piece; null when nothing is left. */
  readonly nextOffset: number | null
}

/**
 * Code units that are searched for the end of a sentence or word: before the limit, and after it to decide whether one
 * ends there.
 */
const searchedBefore = 40_000
const searchedAfter = 256

const graphemes = new Intl.Segmenter("und", { granularity: "grapheme" })
const words = new Intl.Segmenter("und", { granularity: "word" })
const sentences = new Intl.Segmenter("und", { granularity: "sentence" })

const isHigh = (unit: number) => unit >= 0xd800 && unit <= 0xdbff
const isLow = (unit: number) => unit >= 0xdc00 && unit <= 0xdfff

const isPair = (text: string, index: number): boolean =>
  isHigh(text.charCodeAt(index)) && index + 1 < text.length && isLow(text.charCodeAt(index + 1))

/** Code points in `text` between two code unit indexes. */
export const codePointCount = (text: string, from = 0, to = text.length): number => {
  let count = 0
  for (let index = from; index < to; index += isPair(text, index) ? 2 : 1) count++
  return count
}

/** Returns the code unit index `count` code points after `from`, at most the end of the text. */
export const codePointsOn = (text: string, from: number, count: number): number => {
  let index = from
  for (let left = count; left > 0 && index < text.length; left--) index += isPair(text, index) ? 2 : 1
  return Math.min(index, text.length)
}

const isSpace = (text: string, index: number): boolean => index < text.length && /\s/.test(text.charAt(index))

const spaceEnd = (text: string, from: number): number => {
  let index = from
  while (isSpace(text, index)) index++
  return index
}

const spaceStart = (text: string, to: number, from: number): number => {
  let index = to
  while (index > from && isSpace(text, index - 1)) index--
  return index
}

/** Whether the white space at `index` contains a blank line. */
const isParagraphEnd = (text: string, index: number): boolean => {
  let lines = 0
  for (let at = index; isSpace(text, at); at++) if (text.charAt(at) === "\n" && ++lines === 2) return true
  return false
}

/** Range searched for the last end of a segment at or before `limit` that satisfies `isWhole`. */
interface Window {
  readonly text: string
  readonly from: number
  readonly to: number
  readonly limit: number
  readonly isWhole: (end: number) => boolean
}

const lastParagraphEnd = (text: string, from: number, limit: number, isWhole: Window["isWhole"]): number | null => {
  for (let end = limit; end > from; end--)
    if (isSpace(text, end) && !isSpace(text, end - 1) && isParagraphEnd(text, end) && isWhole(end)) return end
  return null
}

/** Grapheme cluster lookups are slow, so the ends are checked backwards, from the last one. */
const lastWhole = (ends: ReadonlyArray<number>, isWhole: Window["isWhole"]): number | null =>
  ends.findLast(isWhole) ?? null

const lastSentenceEnd = ({ text, from, to, limit, isWhole }: Window): number | null => {
  const ends: Array<number> = []
  for (const { index, segment } of sentences.segment(text.slice(from, to))) {
    const end = from + index + segment.trimEnd().length
    if (end > limit) break
    if (end > from + index) ends.push(end)
  }
  return lastWhole(ends, isWhole)
}

/** Punctuation that belongs to the word before it, so that a piece should not begin with it. */
const closing = /^[\p{Pe}\p{Pf}\p{Po}\p{Pd}]+$/u

/** Code units before the limit that are searched first for the end of a word, starting at a space. */
const searchedForWord = 1_000

const lastWordEnd = (window: Window): number | null => {
  const { from, limit, text } = window
  const near = text.indexOf(" ", limit - searchedForWord)
  const found = near > from && near < limit ? lastWordEndIn({ ...window, from: near }) : null
  return found ?? lastWordEndIn(window)
}

const lastWordEndIn = ({ text, from, to, limit, isWhole }: Window): number | null => {
  const ends: Array<number> = []
  let afterWord = false
  for (const { index, segment, isWordLike } of words.segment(text.slice(from, to))) {
    const end = from + index + segment.length
    if (end > limit) break
    afterWord = isWordLike === true || (afterWord && closing.test(segment))
    if (afterWord) ends.push(end)
  }
  return lastWhole(ends, isWhole)
}

const lastGraphemeEnd = ({ from, limit, isWhole }: Window): number | null => {
  for (let end = limit; end > from; end--) if (isWhole(end)) return end
  return null
}

/**
 * Returns the end (code units) of a piece of `text` from `start` to at most `limit`: the last paragraph end, else
 * sentence end, else word end, else grapheme cluster boundary. A cluster that is longer than the whole piece is cut at
 * the limit, between code points. No script has such clusters; floods of combining marks do.
 */
export const cutBefore = (text: string, start: number, limit: number): number => {
  const to = Math.min(text.length, spaceEnd(text, limit) + searchedAfter)
  const from = Math.max(start, limit - searchedBefore)
  const clusters = graphemes.segment(text.slice(from, to))
  const isBoundary = (at: number) => at <= from || at >= to || clusters.containing(at - from)?.index === at - from
  // The next piece begins after the white space, which must not split a cluster either (a space can carry marks).
  const isWhole = (end: number) => isBoundary(end) && isBoundary(spaceEnd(text, end))
  const first = spaceEnd(text, start)
  if (first >= limit) return limit
  const window: Window = { text, from: Math.max(first, from), to, limit, isWhole }
  return (
    lastParagraphEnd(text, first, limit, isWhole) ??
    lastSentenceEnd(window) ??
    lastWordEnd(window) ??
    lastGraphemeEnd(window) ??
    limit
  )
}

/**
 * Returns the piece of `whole` from `offset`, of at most `maxLength` code points, without trailing white space
 * (contract, section 3). The pieces `[offset, nextOffset)` concatenated are the whole text.
 */
export const trim = (whole: string, offset: number, maxLength: number): Trimmed => {
  const contentLength = codePointCount(whole)
  if (offset >= contentLength) return { content: "", contentLength, returnedLength: 0, nextOffset: null }
  const start = codePointsOn(whole, 0, offset)
  const limit = codePointsOn(whole, start, maxLength)
  const end = limit >= whole.length ? whole.length : cutBefore(whole, start, limit)
  const next = spaceEnd(whole, end)
  const content = whole.slice(start, spaceStart(whole, end, start))
  return {
    content,
    contentLength,
    returnedLength: codePointCount(content),
    nextOffset: next >= whole.length ? null : offset + codePointCount(whole, start, next)
  }
}
