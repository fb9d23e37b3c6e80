import { execFileSync } from "node:child_process"
import { cpSync, existsSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"

/** The folder that this test run builds into; named by vitest.config.ts. */
export const dist = process.env["QUARRY_DIST"] ?? "dist"

/** Builds into the folder of this run and returns what removes it. */
export const buildInto = (...options: ReadonlyArray<string>) => {
  // Compressing the documentation pages takes seconds; the build checks the content of those that it keeps.
  if (existsSync("dist/pages")) cpSync("dist/pages", join(dist, "pages"), { recursive: true })
  execFileSync(process.execPath, ["build.mjs", dist, ...options], { stdio: "inherit" })
  writeFileSync(join(dist, "package.json"), JSON.stringify({ type: "module" }))
  return () => {
    rmSync(dist, { recursive: true, force: true })
  }
}
