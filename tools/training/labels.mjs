// Which blocks of a page are its main text, by the truth of a corpus.

export const wordsOf = (text) => (text ?? "").toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? []
const push = (map, key, value) => {
  const list = map.get(key)
  if (list === undefined) map.set(key, [value])
  else list.push(value)
}

/**
 * How much of each block is in the truth, 0 to 1. Long blocks: the share of their 4-word runs found there, each as often
 * as the truth has it. Short ones: found between the places of the long ones around them, or as a line of their own.
 */
export const labelsOf = (blocks, truth) => {
  const all = wordsOf(truth)
  const runs = new Map()
  for (let i = 0; i + 4 <= all.length; i++) push(runs, all.slice(i, i + 4).join(" "), i)
  const places = new Map()
  all.forEach((word, i) => push(places, word, i))
  const lines = new Map()
  for (const line of (truth ?? "").split("\n")) {
    const key = wordsOf(line).join(" ")
    if (key !== "") lines.set(key, (lines.get(key) ?? 0) + 1)
  }
  const labels = new Float32Array(blocks.length)
  const ends = new Int32Array(blocks.length).fill(-1)
  const used = new Map()
  blocks.forEach((words, i) => {
    if (words.length < 4) return
    let hits = 0
    let start = -1
    for (let j = 0; j + 4 <= words.length; j++) {
      const run = words.slice(j, j + 4).join(" ")
      const found = runs.get(run)
      const before = used.get(run) ?? 0
      if (found === undefined || before >= found.length) continue
      used.set(run, before + 1)
      hits++
      if (start < 0) start = found[before]
    }
    labels[i] = hits / (words.length - 3)
    if (labels[i] > 0.5) ends[i] = start + words.length
  })
  const upper = new Int32Array(blocks.length).fill(-1)
  for (let i = blocks.length - 1, next = -1; i >= 0; i--) {
    upper[i] = next
    if (ends[i] >= 0) next = ends[i] - blocks[i].length
  }
  let last = -1
  let lastBlock = -Infinity
  blocks.forEach((words, i) => {
    if (words.length >= 4) {
      if (ends[i] >= 0) [last, lastBlock] = [ends[i], i]
      return
    }
    const key = words.join(" ")
    const line = lines.get(key) ?? 0
    const low = Math.max(0, last)
    const high = Math.min(upper[i] < 0 ? all.length : upper[i], last < 0 ? Infinity : low + 60)
    const found = (places.get(words[0]) ?? []).find(
      (at) => at >= low && at <= high && words.every((word, j) => all[at + j] === word)
    )
    if (words.length > 0 && found !== undefined && i - lastBlock <= 12)
      [labels[i], last, lastBlock] = [1, found + words.length, i]
    else if (line > 0) labels[i] = 1
    if (labels[i] === 1 && line > 0) lines.set(key, line - 1)
  })
  return labels
}
