// Bundles a TypeScript file, since Node 20 reads none, and runs it: `node test/support/bundled.mjs <file> [arguments]`.
import { build } from "esbuild"
import { mkdirSync } from "node:fs"
import { basename, resolve } from "node:path"
import { pathToFileURL } from "node:url"

const [, , entry = ""] = process.argv
const folder = resolve("node_modules/.cache/quarry")
mkdirSync(folder, { recursive: true })
const outfile = resolve(folder, `${basename(entry, ".ts")}.mjs`)
await build({
  entryPoints: [entry],
  outfile,
  bundle: true,
  platform: "node",
  format: "esm",
  packages: "external",
  logLevel: "warning"
})
await import(pathToFileURL(outfile).href)
