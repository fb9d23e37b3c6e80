// Bundles the servers into a few files: they start in a third of the time that loading a thousand modules takes.
// `node build.mjs [folder] [--worker]`: writes to `folder` (default `dist`); `--worker` bundles the extraction worker only.
import { readdir, readFile, rm, writeFile } from "node:fs/promises"
import { resolve } from "node:path"
import { parseArgs } from "node:util"

const {
  positionals: [folder = "dist"],
  values: { worker: isWorkerOnly = false }
} = parseArgs({ allowPositionals: true, options: { worker: { type: "boolean" } } })

const { build } = await import("esbuild").catch(() => {
  console.error(
    "quarry: building needs the development dependencies: run `npm ci`, and `npm prune --omit=dev` after it"
  )
  process.exit(1)
})

const { buildPages } = await import("./src/http/Pages/build.mjs")

/** What the authors of the bundled packages ask to be told with them: name, version, licence and its text. */
const licences = async (inputs) => {
  const packages = new Set(inputs.flatMap((input) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input) ?? []))
  const texts = Array.from(packages, async (folder) => {
    const { license, name, version } = JSON.parse(await readFile(`${folder}/package.json`, "utf8"))
    const files = (await readdir(folder)).filter((file) => /^(?:licen[cs]e|notice|copying)/i.test(file)).sort()
    const found = await Promise.all(files.map((file) => readFile(`${folder}/${file}`, "utf8").catch(() => "")))
    return `${name} ${version} (${license})\n\n${found.join("\n").trim()}\n`
  })
  // unpdf holds PDF.js, whose licence it does not bring along; another package has the same one.
  const apache = readFile("node_modules/swagger-ui-dist/LICENSE", "utf8")
  texts.push(apache.then((text) => `pdf.js, in unpdf (Apache-2.0)\n\nCopyright Mozilla Foundation\n\n${text.trim()}\n`))
  return (await Promise.all(texts)).sort().join(`\n${"-".repeat(80)}\n\n`)
}

const started = performance.now()
const options = {
  outdir: folder,
  bundle: true,
  splitting: true,
  chunkNames: "shared/[name]-[hash]",
  metafile: true,
  platform: "node",
  format: "esm",
  target: "node20",
  minifySyntax: true,
  legalComments: "none",
  logLevel: "warning",
  // CommonJS dependencies call require(), which a module does not have.
  banner: {
    js: 'import { createRequire as requireFrom } from "node:module"; const require = requireFrom(import.meta.url);'
  },
  // @effect/rpc brings msgpackr along; it would look for a native addon, for a format that nothing here speaks.
  define: { "process.env.MSGPACKR_NATIVE_ACCELERATION_DISABLED": '"true"' }
}
// A thread loads only what it needs.
const worker = await build({ ...options, entryPoints: { "extraction-worker": "src/extraction-worker.ts" } })

if (!isWorkerOnly) {
  // The servers share chunks.
  const servers = await build({ ...options, entryPoints: { main: "src/main.ts", "quarry-mcp": "src/quarry-mcp.ts" } })
  const built = [servers, worker]
  const inputs = built.flatMap(({ metafile }) => Object.keys(metafile.inputs))
  const outputs = new Set(built.flatMap(({ metafile }) => Object.keys(metafile.outputs)).map((path) => resolve(path)))
  for (const name of await readdir(`${folder}/shared`)) {
    if (!outputs.has(resolve(folder, "shared", name))) await rm(`${folder}/shared/${name}`)
  }
  await writeFile(`${folder}/THIRD-PARTY-LICENSES`, await licences(inputs))
  await buildPages(`${folder}/pages`)
}
console.log(`${folder} built in ${Math.round(performance.now() - started)} ms`)
