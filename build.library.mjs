// Makes what programs import: a module per entry of `exports` in package.json, and the declarations.
// `node build.library.mjs [folder]`: writes to `folder` (default `dist`).
import { execFileSync } from "node:child_process"
import { readdir, rm } from "node:fs/promises"
import { build } from "esbuild"

const [, , folder = "dist"] = process.argv
const names = (await readdir("src/exports")).map((name) => name.replace(/\.ts$/, ""))
await rm(`${folder}/library`, { recursive: true, force: true })
await rm(`${folder}/types`, { recursive: true, force: true })
await build({
  entryPoints: Object.fromEntries(names.map((name) => [name, `src/exports/${name}.ts`])),
  outdir: folder,
  bundle: true,
  packages: "external",
  splitting: true,
  chunkNames: "library/[name]-[hash]",
  platform: "node",
  format: "esm",
  target: "node20",
  logLevel: "warning"
})
execFileSync("npx", ["tsc", "--project", "tsconfig.build.json", "--outDir", `${folder}/types`], { stdio: "inherit" })
