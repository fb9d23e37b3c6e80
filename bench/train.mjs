// Trains the block scorer of src/services/Extractor from the corpora of ../shared/extraction.
//   node bench/train.mjs           cross-validates by site (5 folds), then trains on all pages and writes weights.json
//   node bench/train.mjs --cv      cross-validates only, --write trains only; --dump file: the validated predictions
import fs from "node:fs"
import path from "node:path"
import { format } from "prettier"
import { corpus, load, score } from "./extract.mjs"
import { binned, predict, train } from "./gbdt.mjs"

const weightsFile = path.join(import.meta.dirname, "../src/services/Extractor/weights.json")
const setting = (name, fallback) => Number(process.env[name] ?? fallback)
const options = {
  trees: setting("TREES", 320),
  depth: setting("DEPTH", 4),
  rate: setting("RATE", 0.07),
  rowShare: 0.4,
  columnShare: 0.2,
  lambda: 8,
  minWeight: 6,
  seed: setting("SEED", 1)
}

const wordsOf = (text) => (text ?? "").toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? []
const push = (map, key, value) => {
  const list = map.get(key)
  if (list === undefined) map.set(key, [value])
  else list.push(value)
}

/**
 * How much of each block is in the truth, 0 to 1. Long blocks: the share of their 4-word runs found there, each as often
 * as the truth has it. Short ones: found between the places of the long ones around them, or as a line of their own.
 */
const labelsOf = (blocks, truth) => {
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

const { structureOf } = await load("src/services/Extractor/Structure.ts")
const { readDocument, describePage, adjust, chooseBy, featureNames } = await load("src/services/Extractor/MainText.ts")

const hash = (text) => [...text].reduce((sum, character) => (Math.imul(sum, 31) + character.charCodeAt(0)) >>> 0, 7)
const siteOf = (url, id) => (URL.canParse(url) ? new URL(url).hostname.split(".").slice(-2).join(".") : id)

/** What `adjust` reads of a page, without its tree. */
const shapeOf = (page) => ({
  structure: structureOf(page),
  page: {
    boxes: page.boxes.map(({ node: _node, link: _link, ...box }) => box),
    blocks: page.blocks.map(({ nodes: _nodes, text: _text, ...block }) => block)
  }
})

const pages = []
for (const name of ["articles", "pages"]) {
  const { truth, pages: given } = corpus(name)
  for (const { id, html, url } of given) {
    const read = readDocument(html(), url)
    const { values } = describePage(read)
    const words = read.page.blocks.map((block) => wordsOf(block.text))
    pages.push({
      corpus: name,
      id,
      truth: truth[id],
      fold: hash(siteOf(url, id)) % 5,
      blocks: read.page.blocks.map(({ text, words: count }) => ({ text, words: count })),
      ...shapeOf(read.page),
      signs: read.signs,
      counts: words.map((list) => list.length),
      labels: labelsOf(words, truth[id].articleBody),
      values
    })
  }
}
const width = featureNames.length
const rowCount = pages.reduce((sum, page) => sum + page.blocks.length, 0)
const values = new Float32Array(rowCount * width)
const labels = new Float32Array(rowCount)
const weights = new Float64Array(rowCount)
let row = 0
for (const page of pages) {
  const all = page.counts.reduce((sum, count) => sum + count, 0)
  const main = page.counts.reduce((sum, count, i) => sum + count * page.labels[i], 0)
  page.from = row
  values.set(page.values, row * width)
  labels.set(page.labels, row)
  // A page counts as much as another: F1 is a mean over pages, and within a page over words.
  for (const count of page.counts)
    weights[row++] = count === 0 ? 0 : (100 * Math.min(60, count + 1.5)) / (all / 2 + main / 2 + 50)
  page.values = null
}
console.log(`${pages.length} pages, ${rowCount} blocks, ${width} features`)
const bins = binned(values, width)
const rowsOf = (accept) =>
  pages
    .filter(accept)
    .flatMap((page) => page.blocks.map((_, i) => page.from + i))
    .filter((at) => weights[at] > 0)

if (!process.argv.includes("--write")) {
  const predictions = { articles: {}, pages: {} }
  for (let fold = 0; fold < 5; fold++) {
    const model = train(
      bins,
      labels,
      weights,
      rowsOf((page) => page.fold !== fold),
      options
    )
    for (const page of pages.filter((page) => page.fold === fold)) {
      const margins = predict(model, values, width, page.from, page.from + page.blocks.length)
      const scores = margins.map((margin) => 1 / (1 + Math.exp(-margin)))
      const chosen = chooseBy(page.blocks, adjust(page.page, page.structure, page.signs, scores))
      predictions[page.corpus][page.id] = page.blocks
        .filter((_, i) => chosen[i])
        .map(({ text }) => text)
        .join("\n")
    }
  }
  const dump = {}
  for (const name of ["articles", "pages"]) {
    const truth = Object.fromEntries(pages.filter((page) => page.corpus === name).map((page) => [page.id, page.truth]))
    const { rows, ...figures } = score(name, truth, predictions[name])
    dump[name] = { predictions: predictions[name], rows }
    console.log(
      "cross-validated",
      name,
      JSON.stringify(figures, (_, value) => (typeof value === "number" ? Number(value.toFixed(4)) : value))
    )
  }
  const at = process.argv.indexOf("--dump")
  if (at > 0) fs.writeFileSync(process.argv[at + 1], JSON.stringify(dump))
}

if (!process.argv.includes("--cv")) {
  const model = train(
    bins,
    labels,
    weights,
    rowsOf(() => true),
    options
  )
  const used = [...new Set(model.features)].sort((a, b) => a - b)
  const compact = {
    depth: model.depth,
    base: Number(model.base.toFixed(4)),
    names: used.map((feature) => featureNames[feature]),
    features: model.features.map((feature) => used.indexOf(feature)),
    thresholds: model.thresholds.map((threshold) => (threshold > 1e29 ? 1e9 : Number(threshold.toPrecision(5)))),
    leaves: model.leaves.map((leaf) => Number(leaf.toFixed(4)))
  }
  fs.writeFileSync(weightsFile, await format(JSON.stringify(compact), { parser: "json", printWidth: 120 }))
  console.log(`${weightsFile}: ${fs.statSync(weightsFile).size} bytes`)
}
