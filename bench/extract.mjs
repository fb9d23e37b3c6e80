// Scores the main-text extractor on the corpora of ../shared/extraction, beside Readability and Defuddle over linkedom,
// and tells what each costs: F1 by corpus and kind, milliseconds a page, their ratio to parse5.parse, peak memory.
//   node bench/extract.mjs [--only quarry] [--dump file]     each extractor and corpus in a process of its own, in turn
import { build } from "esbuild"
import { spawnSync } from "node:child_process"
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

const blocks =
  /^(?:ADDRESS|ARTICLE|ASIDE|BLOCKQUOTE|BR|DD|DIV|DL|DT|FIGCAPTION|FIGURE|FOOTER|H[1-6]|HEADER|LI|MAIN|OL|P|PRE|SECTION|T[DHR]|TABLE|UL)$/
/** The text of a DOM tree as a reader sees it: blocks on lines of their own. */
const textOf = (node) => {
  if (node.nodeType === 3) return node.nodeValue
  const text = [...(node.childNodes ?? [])].map(textOf).join("")
  return blocks.test(node.nodeName) ? `\n${text}\n` : text
}

/** What turns a page into its text, by name. */
const extractors = {
  quarry: async () => {
    const { extractPage } = await load("src/services/extractor/Page.ts")
    return (source, url) => extractPage(source, url, "text").content
  },
  readability: async () => {
    const { Readability } = await import("@mozilla/readability")
    const { parseHTML } = await import("linkedom")
    const serializer = textOf
    return (source) => new Readability(parseHTML(source).document, { serializer }).parse()?.content ?? ""
  },
  defuddle: async () => {
    const { Defuddle } = await import("defuddle/node")
    const { parseHTML } = await import("linkedom")
    return async (source, url) => {
      const { content } = await Defuddle(parseHTML(source).document, url)
      return textOf(parseHTML(`<html><body>${content}</body></html>`).document.body)
    }
  }
}

const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length
const timed = async (run) => {
  const start = performance.now()
  const result = await run()
  return [performance.now() - start, result]
}
/** One extractor on one corpus. `console` is for the result alone: others write what they think of a page. */
const measure = async (extractor, name) => {
  const quiet = () => undefined
  Object.assign(console, { log: quiet, warn: quiet, error: quiet, info: quiet, debug: quiet })
  const extract = await extractors[extractor]()
  const { truth, pages } = corpus(name)
  const text = async (source, url) => {
    try {
      return await extract(source, url)
    } catch {
      return ""
    }
  }
  const predictions = {}
  for (const { id, html, url } of pages) predictions[id] = await text(html(), url)
  const memory = process.resourceUsage().maxRSS / 1024
  // Timed once all is warm, page by page in turn with the parse, so that what else runs bears on both alike.
  const times = []
  const parsing = []
  for (const { html, url } of pages) {
    const source = html()
    parsing.push((await timed(() => parse(source)))[0])
    times.push((await timed(() => text(source, url)))[0])
  }
  const { rows, ...figures } = score(name, truth, predictions)
  return { figures, memory, parse: mean(parsing), predictions, rows, slowest: Math.max(...times), time: mean(times) }
}

const option = (name) => {
  const at = process.argv.indexOf(name)
  return at < 0 ? undefined : process.argv[at + 1]
}

if (process.argv[1] === import.meta.filename) {
  const one = option("--measure")
  if (one !== undefined) {
    const [extractor, name] = one.split(",")
    fs.writeFileSync(option("--to"), JSON.stringify(await measure(extractor, name)))
    process.exit(0)
  }
  console.log(`${os.cpus()[0]?.model}, node ${process.version}`)
  const all = {}
  const only = option("--only")
  for (const name of ["articles", "pages"])
    for (const extractor of Object.keys(extractors).filter((given) => only === undefined || given === only)) {
      const to = path.join(os.tmpdir(), `extract-${process.pid}.json`)
      const run = [import.meta.filename, "--measure", `${extractor},${name}`, "--to", to]
      const { status } = spawnSync(process.execPath, run, { stdio: ["ignore", "ignore", "inherit"] })
      if (status !== 0) {
        console.log(`${name} ${extractor}: ended with ${status}`)
        continue
      }
      const {
        figures,
        memory,
        parse: parsing,
        predictions,
        rows,
        slowest,
        time
      } = JSON.parse(fs.readFileSync(to, "utf8"))
      fs.rmSync(to)
      if (extractor === "quarry") all[name] = { predictions, rows }
      const rounded = JSON.stringify(figures, (_, value) =>
        typeof value === "number" ? Number(value.toFixed(4)) : value
      )
      console.log(`${name} ${extractor} ${rounded}`)
      console.log(
        `  ${time.toFixed(1)} ms a page (slowest ${slowest.toFixed(0)}), parse5.parse ${parsing.toFixed(1)}: ` +
          `${(time / parsing).toFixed(2)} times, after a parse ${((time - parsing) / parsing).toFixed(2)}; peak ${memory.toFixed(0)} MB`
      )
    }
  const dump = option("--dump")
  if (dump !== undefined) fs.writeFileSync(dump, JSON.stringify(all))
}
