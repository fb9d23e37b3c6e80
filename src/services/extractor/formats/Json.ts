import { Either } from "effect"

/** Longer documents are given as they are. */
const longestLaidOut = 2_000_000

/** How much longer than its source laid out JSON may be; beyond that the source is easier to read. */
const mostGrowth = 4

const token = /"(?:[^"\\]|\\.)*"|[[\]{},:]|[^\s"[\]{},:]+/gs

/**
 * JSON laid out to be read; null for what is better left as it is, or is no JSON. Names and values are those of the
 * source, to the letter: a number would lose digits, an object the names it has twice.
 */
export const readableJson = (source: string): string | null => {
  if (source.length > longestLaidOut || Either.isLeft(Either.try(() => void JSON.parse(source)))) return null
  const most = 1_000 + (mostGrowth + 1) * source.length
  const parts: Array<string> = []
  let length = 0
  let depth = 0
  let previous = ""
  for (const [part] of source.matchAll(token)) {
    const closes = part === "]" || part === "}"
    if (closes) depth--
    const isEmpty = closes && (previous === "[" || previous === "{")
    const breaks = (closes && !isEmpty) || (!closes && /^[[{,]$/.test(previous))
    const before = breaks ? `\n${"  ".repeat(depth)}` : previous === ":" ? " " : ""
    length += before.length + part.length
    if (length > most) return null
    parts.push(before, part)
    if (part === "[" || part === "{") depth++
    previous = part
  }
  return parts.join("")
}
