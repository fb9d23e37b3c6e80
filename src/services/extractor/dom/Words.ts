/** Whether a UTF-16 code unit belongs to a script written without spaces. */
const unspaced = (unit: number): boolean =>
  (unit >= 0x0e00 && unit <= 0x0eff) ||
  (unit >= 0x1000 && unit <= 0x109f) ||
  (unit >= 0x1780 && unit <= 0x17ff) ||
  (unit >= 0x3040 && unit <= 0x9fff && (unit <= 0x30ff || unit >= 0x3400)) ||
  (unit >= 0xac00 && unit <= 0xd7af)

const isLetter = (unit: number): boolean =>
  unit < 0x80
    ? (unit >= 97 && unit <= 122) || (unit >= 65 && unit <= 90) || (unit >= 48 && unit <= 57) || unit === 95
    : unit >= 0xc0 &&
      !(unit >= 0x2000 && unit <= 0x2bff) &&
      !(unit >= 0x3000 && unit <= 0x303f) &&
      unit !== 0xd7 &&
      unit !== 0xf7 &&
      !(unit >= 0xff00 && unit <= 0xff0f)

/** Counts words, approximately. In scripts without spaces, two characters count as one word. */
export const countWords = (text: string): number => {
  let words = 0
  let halves = 0
  let inWord = false
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index)
    if (unit > 0xdff && unspaced(unit)) {
      halves++
      inWord = false
    } else if (!isLetter(unit)) inWord = false
    else if (!inWord) {
      words++
      inWord = true
    }
  }
  return words + Math.ceil(halves / 2)
}
