/**
 * Words, numbers, runs of punctuation, runs of white space, and single characters of every other script. Approximates
 * how tokenizers split a text before the vocabulary lookup.
 */
const pieces = /[A-Z]?[a-z]+|[A-Z]+|[0-9]+|[ \t]+|[\r\n]+|[!-/:-@[-`{-~]+|[^]/gu

/**
 * Tokens per character, by script; the first match applies. Measured on prose with OpenAI's o200k_base and cl100k_base
 * (gpt-tokenizer 4.0); each value is closer to the larger of the two counts.
 */
const scripts: ReadonlyArray<readonly [script: RegExp, tokens: number]> = [
  [/\p{Script=Latin}/u, 0.7],
  [/\p{Script=Cyrillic}/u, 0.4],
  [/\p{Script=Greek}/u, 0.6],
  [/\p{Script=Arabic}/u, 0.5],
  [/\p{Script=Hebrew}/u, 0.6],
  [/[\p{Script=Devanagari}\p{Script=Thai}\p{Script=Bengali}\p{Script=Tamil}]/u, 0.7],
  [/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u, 1],
  [/[\p{P}\p{Zs}]/u, 1],
  [/\p{L}|\p{M}/u, 1.5]
]

/** Tokens of a character outside the scripts above, such as an emoji. */
const rare = 2

const isAscii = (character: string) => character.charCodeAt(0) < 128

const costOf = (piece: string): number => {
  if (!isAscii(piece)) return scripts.find(([script]) => script.test(piece))?.[1] ?? rare
  if (/^[ \t]/.test(piece)) return piece.length === 1 ? 0 : Math.ceil(piece.length / 8)
  if (/^[a-z]|^[A-Z][a-z]/.test(piece)) return Math.max(1, piece.length / 4.5)
  if (/^[A-Z]/.test(piece)) return Math.max(1, piece.length / 3)
  return Math.max(1, piece.length / 2)
}

/**
 * Returns the index (code units) at which about so many tokens of `text` end; the end of the text when it has fewer.
 */
export const tokensOn = (text: string, tokens: number): number => {
  let left = tokens
  for (const { 0: piece, index } of text.matchAll(pieces)) {
    left -= costOf(piece)
    if (left < 0) return index
  }
  return text.length
}

/**
 * Estimates the tokens of a text for any model. Models have different tokenizers, and each of those takes megabytes.
 * The estimate is more often too high than too low.
 */
export const tokensIn = (text: string): number => {
  let sum = 0
  for (const [piece] of text.matchAll(pieces)) sum += costOf(piece)
  return Math.ceil(sum)
}
