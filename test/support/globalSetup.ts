import { execFileSync } from "node:child_process"

/** The end-to-end tests run what users run: the bundle, built once. */
export const setup = (): void => {
  if (process.env["QUARRY_MAIN"] === undefined) execFileSync(process.execPath, ["build.mjs"], { stdio: "inherit" })
}
