/** Where a text stands in Markdown: what is around it decides what has to be escaped. */
export interface Place {
  /** The characters before and after it; a line end, or nothing, where a line begins or ends. */
  readonly before: string
  readonly after: string
  /** In a link's or an image's text, where brackets count. */
  readonly inLabel: boolean
  readonly inCell: boolean
  readonly inHeading: boolean
  readonly inStrikethrough: boolean
  /** Its marks may be underscores. */
  readonly inEmphasis: boolean
}

/** Characters that mean something in CommonMark or GFM, wherever they are. */
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

/** Whether brackets that begin a line could be a definition. A task's box is one in HTML, too, for who reads it. */
const mayDefine = (text: string, at: number): boolean => {
  const end = text.indexOf("]", at)
  return end < 0 || end + 1 === text.length || text.charAt(end + 1) === ":"
}

/** White space around line ends means nothing, or a hard break, or code. */
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
 * Plain text as Markdown (CommonMark with GFM) that says just that, with as few escapes as that takes: the rest is read
 * by people and models as it is. In one pass.
 */
export const escaped = (value: string, place: Place): string => {
  const { after, before, inCell, inEmphasis, inHeading, inLabel, inStrikethrough } = place
  const text = trimmedLines(value, place)
  const at = (index: number): string =>
    index < 0 ? before.slice(-1) : index >= text.length ? after.charAt(0) : text.charAt(index)

  /** Whether a character, or a run of the same, is to be escaped. */
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
  /** Escapes what makes a block of a line that begins here; where to go on. */
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
    // What would be the destination, or the label, of a link.
    if (character === "]" && !inLabel && (at(to) === "(" || at(to) === "[")) {
      if (to < text.length) {
        escape(to)
        index = to + 1
      } else escape(from)
    }
  }
  return safe + text.slice(written)
}
