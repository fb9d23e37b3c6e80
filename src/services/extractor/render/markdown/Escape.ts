/** The context of a text in Markdown, which decides which characters are escaped. */
export interface Place {
  /** The adjacent characters; a line end or an empty string at the start or end of a line. */
  readonly before: string
  readonly after: string
  /** In the text of a link or an image, where brackets are significant. */
  readonly inLabel: boolean
  readonly inCell: boolean
  readonly inHeading: boolean
  readonly inStrikethrough: boolean
  /** In emphasis, whose delimiters may be underscores. */
  readonly inEmphasis: boolean
}

/** Characters with a meaning in CommonMark or GFM at any position. */
const special = /[\\`*_~[\]<!&|#\n]/g
const punctuation = /[!-/:-@[-`{-~]/
const word = /[\p{L}\p{N}]/u
const reference = /&(?:#\d{1,7}|#[Xx][\dA-Fa-f]{1,6}|[A-Za-z][\dA-Za-z]{1,31})(?:;|$)/y
const markers: ReadonlyArray<RegExp> = [
  /#{1,6}(?=[ \t\n]|$)/y,
  /[+*-](?=[ \t\n*:|-]|$)/y,
  /=+[ \t]*(?=\n|$)/y,
  /[>_*`]/y,
  /~(?=~)/y,
  /:(?=-)/y,
  /\|(?=[ \t:-])/y
]
const ordinal = /\d{1,9}(?=[.)](?:[ \t\n]|$))/y

const isAt = (pattern: RegExp, text: string, at: number): boolean => {
  pattern.lastIndex = at
  return pattern.test(text)
}

const isSpace = (character: string): boolean => character !== "" && character.trim() === ""

/**
 * Returns whether brackets at the start of a line could begin a link reference definition. A checkbox (`[ ]`) is not
 * escaped: it stands for a checkbox in HTML text as well.
 */
const mayDefine = (text: string, at: number): boolean => {
  const end = text.indexOf("]", at)
  return end < 0 || end + 1 === text.length || text.charAt(end + 1) === ":"
}

/** Trims white space around line ends, which Markdown ignores or reads as a hard break or as code. */
const trimmedLines = (value: string, { after, before }: Place): string => {
  const lines = value.split(/\r\n?|\n/)
  const last = lines.length - 1
  return lines
    .map((line, index) => {
      const started = index > 0 || before === "" || before.endsWith("\n") ? line.trimStart() : line
      return index < last || after === "" || after.startsWith("\n") ? started.trimEnd() : started
    })
    .join("\n")
}

/**
 * Escapes plain text as Markdown (CommonMark with GFM) that renders to the same text. Adds as few escapes as possible,
 * since people and models read the source. Runs in one pass.
 */
export const escaped = (value: string, place: Place): string => {
  const { after, before, inCell, inEmphasis, inHeading, inLabel, inStrikethrough } = place
  const text = trimmedLines(value, place)
  const at = (index: number): string =>
    index < 0 ? before.slice(-1) : index >= text.length ? after.charAt(0) : text.charAt(index)

  /** Returns whether a character, or a run of the same character, must be escaped. */
  const isUnsafe = (character: string, from: number, to: number): boolean => {
    const previous = at(from - 1)
    const next = at(to)
    switch (character) {
      case "\\":
        return next === "" || next === "\n" || punctuation.test(next)
      case "*":
        return !(isSpace(previous) && isSpace(next))
      case "_":
        return !(isSpace(previous) && isSpace(next)) && (inEmphasis || !(word.test(previous) && word.test(next)))
      case "~":
        return inStrikethrough || to - from > 1 || !(isSpace(previous) && word.test(next))
      case "[":
        return inLabel
      case "]":
        return inLabel
      case "!":
        return to === text.length && next === "["
      case "<":
        return next === "" || /[!/?A-Za-z]/.test(next)
      case "&":
        return isAt(reference, text, from)
      case "|":
        return inCell
      case "#":
        return inHeading && to === text.length
      default:
        return true
    }
  }

  let safe = ""
  let written = 0
  const escape = (index: number) => {
    safe += `${text.slice(written, index)}\\`
    written = index
  }
  /** Escapes a block marker at the start of a line. Returns the index to continue at. */
  const beginLine = (start: number): number => {
    ordinal.lastIndex = start
    const number = ordinal.exec(text)
    if (number !== null) {
      escape(start + number[0].length)
      return start + number[0].length + 1
    }
    if (!markers.some((marker) => isAt(marker, text, start)) && !(text.charAt(start) === "[" && mayDefine(text, start)))
      return start
    escape(start)
    return start + 1
  }

  let index = before === "" || before.endsWith("\n") ? beginLine(0) : 0
  for (;;) {
    special.lastIndex = index
    const found = special.exec(text)
    if (found === null) break
    const character = found[0]
    const from = found.index
    if (character === "\n") {
      if (inCell || inHeading) {
        safe += `${text.slice(written, from)} `
        written = from + 1
        index = written
      } else index = beginLine(from + 1)
      continue
    }
    let to = from + 1
    if (/[*_~]/.test(character)) while (text.charAt(to) === character) to++
    if (isUnsafe(character, from, to)) for (let position = from; position < to; position++) escape(position)
    index = to
    // The next character would begin the destination or the label of a link.
    if (character === "]" && !inLabel && (at(to) === "(" || at(to) === "[")) {
      if (to < text.length) {
        escape(to)
        index = to + 1
      } else escape(from)
    }
  }
  return safe + text.slice(written)
}
