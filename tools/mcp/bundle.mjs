// Makes quarry.mcpb, the bundle that Claude Desktop and others install by a double click: manifest.json and what the
// stdio server needs of dist, packed by the format's own command line.
//   npm run build && npm run mcp:bundle
import { execFileSync } from "node:child_process"
import { cpSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs"
import { resolve } from "node:path"

/** Of the HTTP server, or of the library. */
const others = new Set([
  "main.js",
  "pages",
  "library",
  "types",
  "client.js",
  "domain.js",
  "http.js",
  "mcp.js",
  "services.js"
])

const folder = resolve("node_modules/.cache/quarry/mcpb")
rmSync(folder, { recursive: true, force: true })
mkdirSync(resolve(folder, "dist"), { recursive: true })
for (const name of readdirSync("dist")) {
  if (!others.has(name)) cpSync(`dist/${name}`, resolve(folder, "dist", name), { recursive: true })
}
for (const name of ["manifest.json", "LICENSE"]) cpSync(name, resolve(folder, name))
writeFileSync(resolve(folder, "package.json"), JSON.stringify({ name: "quarry", type: "module" }))
execFileSync("npx", ["-y", "@anthropic-ai/mcpb@2.1.2", "pack", folder, resolve("quarry.mcpb")], {
  stdio: "inherit"
})
