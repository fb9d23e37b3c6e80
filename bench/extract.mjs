// Scores the main-text extractor on the corpora of ../shared/extraction and tells what it costs.
//   node bench/extract.mjs [--dump file]     prints F1 by corpus and kind, ms per page for parse alone and for all, peak RSS
import { build } from "esbuild"
import fs from "node:fs"
import os from "node:os"
import path from "node:path"
import zlib from "node:zlib"
import { parse } from "parse5"

const shared = path.resolve(import.meta.dirname, "../../shared/extraction")
if (!fs.existsSync(shared)) {
  console.log(`no corpora at ${shared}`)
  process.exit(0)
}
const { scoreArticles, scorePages } = await import(path.join(shared, "score.mjs"))

export const score = (name, truth, predictions) =>
  (name === "articles" ? scoreArticles : scorePages)(truth, predictions)

/** A module of src, bundled. */
export const load = async (entry) => {
  const outfile = path.join(
    import.meta.dirname,
    `../node_modules/.cache/bench-${path.basename(entry, ".ts")}-${process.pid}.mjs`
  )
  await build({
    entryPoints: [path.join(import.meta.dirname, "..", entry)],
    outfile,
    bundle: true,
    format: "esm",
    platform: "node",
    packages: "external"
  })
  const module = await import(outfile)
  fs.rmSync(outfile)
  return module
}

/** A corpus: its truth and its pages; `html` reads one. */
export const corpus = (name) => {
  const truth = JSON.parse(fs.readFileSync(path.join(shared, name, "truth.json"), "utf8"))
  const pages = Object.keys(truth).map((id) => ({
    id,
    url: truth[id].url ?? "http://localhost/",
    html: () => zlib.gunzipSync(fs.readFileSync(path.join(shared, name, "html", `${id}.html.gz`))).toString("utf8")
  }))
  return { truth, pages }
}

const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length
const timed = (run) => {
  const start = performance.now()
  const result = run()
  return [performance.now() - start, result]
}

if (process.argv[1] === import.meta.filename) {
  const { extractPage } = await load("src/services/Extractor/Page.ts")
  const all = {}
  for (const name of ["articles", "pages"]) {
    const { truth, pages } = corpus(name)
    for (const { html, url } of pages.slice(0, 40)) extractPage(html(), url, "text")
    const predictions = {}
    const parseTimes = []
    const times = []
    for (const { id, html, url } of pages) {
      const source = html()
      const [whole, extracted] = timed(() => extractPage(source, url, "text"))
      parseTimes.push(timed(() => parse(source))[0])
      times.push(whole)
      predictions[id] = extracted.content
    }
    const result = score(name, truth, predictions)
    all[name] = { predictions, rows: result.rows }
    const { rows: _rows, ...figures } = result
    console.log(
      name,
      JSON.stringify(figures, (_, value) => (typeof value === "number" ? Number(value.toFixed(4)) : value))
    )
    console.log(
      `  parse5.parse ${mean(parseTimes).toFixed(2)} ms, whole ${mean(times).toFixed(2)} ms a page, slowest ${Math.max(...times).toFixed(0)} ms`
    )
  }
  console.log(`peak RSS ${(process.resourceUsage().maxRSS / 1024).toFixed(0)} MB, ${os.cpus()[0]?.model}`)
  const dump = process.argv.indexOf("--dump")
  if (dump > 0) fs.writeFileSync(process.argv[dump + 1], JSON.stringify(all))
}
