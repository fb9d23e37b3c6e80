// Trains the block scorer of src/services/extractor/scoring from the corpora of ../shared/extraction.
//   node tools/training/train.mjs           cross-validates by site (5 folds), then trains on all pages and writes weights.json
//   node tools/training/train.mjs --cv      cross-validates only, --write trains only; --dump file: the validated predictions
import fs from "node:fs"
import path from "node:path"
import { format } from "prettier"
import { corpus, load, score } from "../../bench/extract.mjs"
import { labelsOf, wordsOf } from "./labels.mjs"
import { compact, siteFold } from "./model.mjs"
import { binned, predict, train } from "./gbdt.mjs"

const weightsFile = path.join(import.meta.dirname, "../../src/services/extractor/scoring/weights.json")
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

const { structureOf } = await load("src/services/extractor/render/Structure.ts")
const { readDocument, describePage, adjust, chooseBy, featureNames } = await load(
  "src/services/extractor/scoring/MainText.ts"
)

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
      fold: siteFold(url, id),
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
  fs.writeFileSync(
    weightsFile,
    await format(JSON.stringify(compact(model, featureNames)), { parser: "json", printWidth: 120 })
  )
  console.log(`${weightsFile}: ${fs.statSync(weightsFile).size} bytes`)
}
