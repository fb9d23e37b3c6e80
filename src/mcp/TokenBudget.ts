import { tokensIn, tokensOn } from "./Tokens.ts"

/** Bounds and default of `max_tokens`, which every tool takes. */
export const tokenBounds = { min: 300, max: 20_000, default: 2_400 } as const

/**
 * How much of a room each of several needs gets, when all are to be served alike: who needs less than a fair part
 * leaves the rest to the others.
 */
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

/** As many of the texts, from the first, as have room together, a blank line after each. */
export const fitting = (texts: ReadonlyArray<string>, room: number): ReadonlyArray<string> => {
  const sums = texts.map(costOf).map((_, index, costs) => costs.slice(0, index + 1).reduce((sum, cost) => sum + cost))
  return texts.filter((_, index) => (sums[index] ?? 0) <= room)
}

/** Tokens of a text with the blank line after it. */
export const costOf = (text: string): number => (text === "" ? 0 : tokensIn(text) + 1)

/** The text, or so much of it as has room, with a sign that it goes on. */
export const shortened = (text: string, room: number): string => {
  const end = tokensOn(text, room)
  return end === text.length ? text : `${text.slice(0, end)}…`
}

/** A `max_tokens` to ask for so that so many tokens have room; null where none does. */
export const tokenBudgetFor = (tokens: number): number | null => {
  const rounded = Math.ceil((tokens + 50) / 100) * 100
  return rounded > tokenBounds.max ? null : Math.max(tokenBounds.min, rounded)
}
