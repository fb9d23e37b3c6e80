// Makes what programs import: a module per entry of `exports` in package.json, and the declarations.
import { execFileSync } from "node:child_process"
import { readdir, rm } from "node:fs/promises"
import { build } from "esbuild"

const names = (await readdir("src/exports")).map((name) => name.replace(/\.ts$/, ""))
await rm("dist/library", { recursive: true, force: true })
await rm("dist/types", { recursive: true, force: true })
await build({
  entryPoints: Object.fromEntries(names.map((name) => [name, `src/exports/${name}.ts`])),
  outdir: "dist",
  bundle: true,
  packages: "external",
  splitting: true,
  chunkNames: "library/[name]-[hash]",
  platform: "node",
  format: "esm",
  target: "node20",
  logLevel: "warning"
})
execFileSync("npx", ["tsc", "--project", "tsconfig.build.json"], { stdio: "inherit" })
