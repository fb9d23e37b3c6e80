import { tokensIn, tokensOn } from "./Tokens.ts"

/** Bounds and default of `max_tokens`, an argument of every tool. */
export const tokenBounds = { min: 300, max: 20_000, default: 2_400 } as const

/** Divides `room` into fair shares. A need below the fair share leaves the rest to the others. */
export const shares = (needs: ReadonlyArray<number>, room: number): ReadonlyArray<number> => {
  const ascending = needs.map((need, index) => ({ need, index })).sort((one, other) => one.need - other.need)
  const given = new Map<number, number>()
  ascending.reduce((left, { index, need }, before) => {
    const share = Math.min(need, Math.max(0, Math.floor(left / (needs.length - before))))
    given.set(index, share)
    return left - share
  }, room)
  return needs.map((_, index) => given.get(index) ?? 0)
}

/** Returns the longest prefix of the texts that fits into `room` tokens, with a blank line after each text. */
export const fitting = (texts: ReadonlyArray<string>, room: number): ReadonlyArray<string> => {
  const sums = texts.map(costOf).map((_, index, costs) => costs.slice(0, index + 1).reduce((sum, cost) => sum + cost))
  return texts.filter((_, index) => (sums[index] ?? 0) <= room)
}

/** Tokens of a text and the blank line after it. */
export const costOf = (text: string): number => (text === "" ? 0 : tokensIn(text) + 1)

/** Cuts a text to `room` tokens and marks the cut with an ellipsis. */
export const shortened = (text: string, room: number): string => {
  const end = tokensOn(text, room)
  return end === text.length ? text : `${text.slice(0, end)}…`
}

/** Returns a `max_tokens` that is large enough for so many tokens, or null when none is allowed. */
export const tokenBudgetFor = (tokens: number): number | null => {
  const rounded = Math.ceil((tokens + 50) / 100) * 100
  return rounded > tokenBounds.max ? null : Math.max(tokenBounds.min, rounded)
}
