import { type Fragment } from "./Fragments.ts"

export interface Line extends Fragment {
  /** The line begins a paragraph. */
  readonly begins: boolean
}

const median = (values: ReadonlyArray<number>): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

/** Joins fragments on one baseline of a column, as in the rows of tables, into one line. */
const joined = (column: ReadonlyArray<Fragment>): ReadonlyArray<Fragment> => {
  const lines: Array<Fragment> = []
  for (const fragment of column) {
    const last = lines.at(-1)
    if (last !== undefined && Math.abs(fragment.y - last.y) <= 0.45 * Math.max(last.size, fragment.size)) {
      const [first, second] = fragment.left < last.left ? [fragment, last] : [last, fragment]
      lines[lines.length - 1] = {
        ...first,
        text: `${first.text} ${second.text}`,
        right: Math.max(first.right, second.right)
      }
    } else lines.push(fragment)
  }
  return lines
}

const bullet = /^(?:[•◦▪‣·∙–—*-]|\(?(?:\d{1,3}|[a-z])[.)])\s/u
/** Returns the last characters of a text, which are enough to test its end. Paragraphs are long. */
const endOf = (text: string): string => text.slice(-60)

/** The dots of a table of contents. */
const leader = /(?:[.…]\s?){4}\s{0,9}\d{0,4}$/
const sentenceEnd = /[.!?:;…。！？]["'”’»)\]]*$/u

/**
 * Returns the lines of a column. Finds the starts of paragraphs by distance, size, indent, bullets, and lines that end
 * early.
 */
export const linesOf = (column: ReadonlyArray<Fragment>): ReadonlyArray<Line> => {
  const lines = joined(column)
  const steps = lines.map((line, index) => line.y - (lines[index - 1]?.y ?? line.y)).filter((step) => step > 0)
  // Limited by the font size: with two lines that are far apart, the median is not the line spacing.
  const usual = Math.min(median(steps), 2.2 * median(lines.map(({ size }) => size)))
  const right = lines.reduce((most, line) => Math.max(most, line.right), Number.NEGATIVE_INFINITY)
  const left = median(lines.map((line) => line.left))
  return lines.map((line, index) => {
    const before = lines[index - 1]
    if (before === undefined) return { ...line, begins: true }
    const step = line.y - before.y
    const isApart = step > 1.3 * usual && step > 1.3 * Math.min(line.size, before.size)
    const isOther = Math.abs(line.size - before.size) > 0.12 * Math.max(line.size, before.size)
    const isIndented = line.left - before.left > 0.8 * line.size && !bullet.test(before.text)
    const next = lines[index + 1]
    const indents =
      isIndented && ((next !== undefined && next.left < line.left) || sentenceEnd.test(endOf(before.text)))
    const endedEarly = sentenceEnd.test(endOf(before.text)) && before.right < left + 0.8 * (right - left)
    return {
      ...line,
      begins: isApart || isOther || indents || endedEarly || leader.test(endOf(before.text)) || bullet.test(line.text)
    }
  })
}

const hyphen = /(\p{L}{2,})[-\u2010\u00ad]$/u

/** Shorter halves of divided words match other words by chance. */
const shortestHalf = 4

const wholeWord = /(?<![\p{L}-])\p{L}{1,40}(?:-\p{L}{1,40})?(?![\p{L}-])/gu

/**
 * Returns the words of a document in lower case. A hyphenated word is one word. Excludes the halves of divided words.
 */
const wordsOf = (lines: ReadonlyArray<Line>): ReadonlySet<string> =>
  new Set(
    lines.flatMap(({ text }, index) => {
      const isDivided = hyphen.test(endOf(lines[index - 1]?.text ?? ""))
      const whole = isDivided ? text.replace(/^\p{L}+/u, "") : text
      return whole.toLowerCase().match(wholeWord) ?? []
    })
  )

/** Returns whether a word divided at the end of a line has a hyphen elsewhere in the document. */
const isHyphenated = (before: string, after: string, known: ReadonlySet<string>): boolean => {
  if (known.has(`${before}-${after}`)) return true
  const areWords = [before, after].every((half) => half.length >= shortestHalf && known.has(half))
  return areWords && !known.has(before + after)
}

/** Adapts the end of a text and the next line so that they can be concatenated. */
const joinLines = (text: string, next: string, known: ReadonlySet<string>): readonly [text: string, next: string] => {
  const [, before] = hyphen.exec(endOf(text)) ?? []
  const [after] = /^\p{Ll}+/u.exec(next) ?? []
  if (text.endsWith("\u00ad")) return [text.slice(0, -1), next]
  if (before === undefined || after === undefined) return [text, /\S[-/]$/.test(endOf(text)) ? next : ` ${next}`]
  return [isHyphenated(before.toLowerCase(), after, known) ? text : text.slice(0, -1), next]
}

/** Returns whether a text continues at the top of the next column or page. */
const goesOn = (text: string, next: string): boolean =>
  !sentenceEnd.test(endOf(text)) && (/^\p{Ll}/u.test(next) || hyphen.test(endOf(text)))

/** Joins the lines of columns in reading order. Returns paragraphs of one line each. */
export const paragraphsOf = (columns: ReadonlyArray<ReadonlyArray<Line>>): ReadonlyArray<string> => {
  const known = wordsOf(columns.flat())
  // Each paragraph is a list of lines, since a paragraph can be as long as the document.
  const paragraphs: Array<Array<string>> = []
  for (const column of columns) {
    for (const [index, line] of column.entries()) {
      const paragraph = paragraphs.at(-1)
      const last = paragraph?.pop()
      if (paragraph === undefined || last === undefined) paragraphs.push([line.text])
      else if (!line.begins || (index === 0 && goesOn(last, line.text)))
        paragraph.push(...joinLines(last, line.text, known))
      else {
        paragraph.push(last)
        paragraphs.push([line.text])
      }
    }
  }
  return paragraphs.map((parts) => parts.join("")).filter((paragraph) => paragraph !== "")
}
