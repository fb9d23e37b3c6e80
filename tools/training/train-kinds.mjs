// Trains what tells the kind of a page, from `pages` and `articles` of ../shared/extraction.
//   node tools/training/train-kinds.mjs [--write]     cross-validates by site (5 folds); --write: trains on all, writes kinds.json
import fs from "node:fs"
import path from "node:path"
import { format } from "prettier"
import { corpus, load } from "../../bench/extract.mjs"
import { binned, predict, train } from "./gbdt.mjs"
import { compact, siteFold } from "./model.mjs"

const weightsFile = path.join(import.meta.dirname, "../../src/services/extractor/scoring/kinds.json")
const kinds = ["article", "documentation", "product", "service", "forum", "listing", "collection"]
const options = {
  trees: 60,
  depth: 2,
  rate: 0.2,
  rowShare: 0.7,
  columnShare: 0.3,
  lambda: 2,
  minWeight: 1,
  seed: 1
}

const { kindFeatureNames, kindFeaturesOf } = await load("src/services/extractor/scoring/KindFeatures.ts")
const { readDocument } = await load("src/services/extractor/scoring/MainText.ts")
const width = kindFeatureNames.length

const pages = ["articles", "pages"].flatMap((name) => {
  const { pages: given, truth } = corpus(name)
  return given.map(({ html, id, url }) => {
    const { page, signs } = readDocument(html(), url)
    const kind = truth[id].type ?? "article"
    return { corpus: name, fold: siteFold(url, id), kind, features: kindFeaturesOf(page, signs) }
  })
})
const values = new Float32Array(pages.length * width)
pages.forEach(({ features }, row) => values.set(features, row * width))
const weights = Float64Array.from(pages, (page) => (page.corpus === "articles" ? 0.5 : 1))
const bins = binned(values, width)
const rowsOf = (accept) => pages.flatMap((page, row) => (accept(page) ? [row] : []))
const modelsOf = (accept) =>
  kinds.map((kind) => {
    const labels = Float32Array.from(pages, (page) => (page.kind === kind ? 1 : 0))
    return train(bins, labels, weights, rowsOf(accept), options)
  })

if (process.argv.includes("--write")) {
  const models = modelsOf(() => true)
  const written = Object.fromEntries(kinds.map((kind, i) => [kind, compact(models[i], kindFeatureNames)]))
  fs.writeFileSync(weightsFile, await format(JSON.stringify(written), { parser: "json", printWidth: 120 }))
  console.log(`${weightsFile}: ${fs.statSync(weightsFile).size} bytes`)
} else {
  const found = {}
  let right = 0
  let clear = 0
  let clearAndRight = 0
  for (let fold = 0; fold < 5; fold++) {
    const models = modelsOf((page) => page.fold !== fold)
    for (const [row, page] of pages.entries()) {
      if (page.fold !== fold || page.corpus !== "pages") continue
      const scores = models.map((model) => 1 / (1 + Math.exp(-predict(model, values, width, row, row + 1)[0])))
      const best = scores.indexOf(Math.max(...scores))
      const isRight = kinds[best] === page.kind
      const isClear = scores[best] * 2 > scores.reduce((sum, score) => sum + score, 0)
      right += isRight ? 1 : 0
      clear += isClear ? 1 : 0
      clearAndRight += isClear && isRight ? 1 : 0
      found[page.kind] ??= {}
      found[page.kind][kinds[best]] = (found[page.kind][kinds[best]] ?? 0) + 1
    }
  }
  const all = pages.filter((page) => page.corpus === "pages").length
  console.log(
    `right ${(right / all).toFixed(3)}; clear ${(clear / all).toFixed(3)}, of these right ${(clearAndRight / clear).toFixed(3)}`
  )
  for (const kind of kinds) console.log(kind, JSON.stringify(found[kind]))
}
