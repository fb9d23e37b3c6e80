import { Either } from "effect"

/** Characters. Longer documents are returned unformatted. */
const longestLaidOut = 2_000_000

/**
 * Maximum growth, as a multiple of the source length. Beyond it, the source is easier to read than the formatted JSON.
 */
const mostGrowth = 4

const token = /"(?:[^"\\]|\\.)*"|[[\]{},:]|[^\s"[\]{},:]+/gs

/**
 * Formats JSON for reading. Returns null when it is invalid, too long, or easier to read unformatted. Copies names and
 * values literally: a round trip through objects would lose digits of numbers and duplicate names.
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
