// `npm run testweb`: bundles demo.ts, since Node 20 reads no TypeScript, and runs it.
import { build } from "esbuild"
import { mkdirSync } from "node:fs"
import { resolve } from "node:path"
import { pathToFileURL } from "node:url"

const folder = resolve("node_modules/.cache/quarry")
mkdirSync(folder, { recursive: true })
const outfile = resolve(folder, "testweb.mjs")
await build({
  entryPoints: ["test/support/demo.ts"],
  outfile,
  bundle: true,
  platform: "node",
  format: "esm",
  packages: "external",
  logLevel: "warning"
})
await import(pathToFileURL(outfile).href)
