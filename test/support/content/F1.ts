const wordsOf = (text: string): ReadonlyArray<string> => text.match(/[\p{L}\p{N}_]+/gu) ?? []

const counted = (items: ReadonlyArray<string>): Map<string, number> => {
  const counts = new Map<string, number>()
  for (const item of items) counts.set(item, (counts.get(item) ?? 0) + 1)
  return counts
}

export const mean = (values: ReadonlyArray<number>): number =>
  values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length)

const harmonic = (precision: number, recall: number): number =>
  precision + recall > 0 ? (2 * precision * recall) / (precision + recall) : 0

const shared = (truth: ReadonlyArray<string>, found: ReadonlyArray<string>): number => {
  const counts = counted(found)
  let both = 0
  for (const [item, count] of counted(truth)) both += Math.min(count, counts.get(item) ?? 0)
  return both
}

/** F1 over bags of lower-case words, the measure of WCXB. */
export const wordF1 = (truth: string, text: string): number => {
  const wanted = wordsOf(truth.toLowerCase())
  const found = wordsOf(text.toLowerCase())
  if (wanted.length === 0 || found.length === 0) return wanted.length === found.length ? 1 : 0
  const both = shared(wanted, found)
  return harmonic(both / found.length, both / wanted.length)
}
