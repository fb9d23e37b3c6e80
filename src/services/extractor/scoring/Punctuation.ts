/** Character counts that distinguish prose from labels. */
export interface Punctuation {
  readonly digits: number
  readonly capitals: number
  readonly commas: number
  /** Ends of sentences. */
  readonly sentences: number
  /** Bars, bullets, angle quotes, middle dots and slashes, as used between the entries of a menu. */
  readonly separators: number
}

const enough = 2_000

const isComma = (unit: number) => unit === 0x2c || unit === 0x3001 || unit === 0xff0c || unit === 0x60c
const isLatinStop = (unit: number) => unit === 0x2e || unit === 0x21 || unit === 0x3f
const isOtherStop = (unit: number) => unit === 0x3002 || unit === 0xff01 || unit === 0xff1f || unit === 0x964
const isSeparator = (unit: number) =>
  unit === 0x7c || unit === 0xb7 || unit === 0x2022 || unit === 0xbb || unit === 0x203a || unit === 0x2f

/** Counts within the first 2,000 characters. */
export const punctuationOf = (text: string): Punctuation => {
  let digits = 0
  let capitals = 0
  let commas = 0
  let sentences = 0
  let separators = 0
  const end = Math.min(text.length, enough)
  for (let index = 0; index < end; index++) {
    const unit = text.charCodeAt(index)
    if (unit >= 97 && unit <= 122) continue
    if (unit >= 48 && unit <= 57) digits++
    else if (unit >= 65 && unit <= 90) capitals++
    else if (isComma(unit)) commas++
    else if (
      isOtherStop(unit) ||
      (isLatinStop(unit) && (index + 1 === text.length || text.charCodeAt(index + 1) <= 32))
    )
      sentences++
    else if (isSeparator(unit)) separators++
  }
  return { digits, capitals, commas, sentences, separators }
}
