import { execFileSync } from "node:child_process"
import { existsSync, readdirSync, statSync } from "node:fs"
import { join } from "node:path"

const bundle = "dist/main.js"

const changedAt = (path: string): number => statSync(path).mtimeMs

const isFresh = (): boolean => {
  if (!existsSync(bundle)) return false
  const sources = readdirSync("src", { recursive: true, encoding: "utf8" }).map((name) => join("src", name))
  return [...sources, "build.mjs", "package-lock.json"].every((path) => changedAt(path) < changedAt(bundle))
}

/** The end-to-end tests run what users run: the bundle, built once where it is older than its sources. */
export const setup = (): void => {
  if (process.env["QUARRY_MAIN"] === undefined && !isFresh()) {
    execFileSync(process.execPath, ["build.mjs"], { stdio: "inherit" })
  }
}
