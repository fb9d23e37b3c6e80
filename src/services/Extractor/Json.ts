import { Either } from "effect"

/** Longer documents are given as they are. */
const longestLaidOut = 2_000_000

/** How much longer than its source laid out JSON may be; beyond that the source is easier to read. */
const mostGrowth = 4

/** Characters that laying out adds: a line end and two spaces a level at every bracket and comma outside of strings. */
const growthOf = (source: string): number => {
  let depth = 0
  let growth = 0
  let inString = false
  for (let index = 0; index < source.length; index++) {
    const character = source.charCodeAt(index)
    if (inString) {
      if (character === 0x5c) index++
      else if (character === 0x22) inString = false
      continue
    }
    if (character === 0x22) inString = true
    else if (character === 0x5b || character === 0x7b) growth += 1 + 2 * ++depth
    else if (character === 0x5d || character === 0x7d) growth += 1 + 2 * --depth
    else if (character === 0x2c) growth += 1 + 2 * depth
  }
  return growth
}

/** JSON laid out to be read; null for what is better left as it is, or is no JSON. */
export const readableJson = (source: string): string | null =>
  source.length > longestLaidOut || growthOf(source) > 1_000 + mostGrowth * source.length
    ? null
    : Either.try(() => JSON.stringify(JSON.parse(source), null, 2)).pipe(Either.getOrNull)
