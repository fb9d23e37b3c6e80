import { OpenApi } from "@effect/platform"
import { expect, it } from "@effect/vitest"
import { execFileSync } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Api } from "../../src/http/Api.ts"

/** Of a package of its own: `npm ci --prefix tools/openapi --ignore-scripts`. */
const redocly = "tools/openapi/node_modules/.bin/redocly"

/** The rules for examples of parameters and Schemas are off in what redocly recommends. */
const lintRules = {
  extends: ["recommended"],
  rules: { "no-invalid-parameter-examples": "error", "no-invalid-schema-examples": "error" }
}

/** What redocly counts; a redocly that does not run, or is not installed, is an error. */
const lint = (folder: string): unknown => {
  const file = join(folder, "openapi.json")
  writeFileSync(file, JSON.stringify(OpenApi.fromApi(Api)))
  const config = join(folder, "redocly.yaml")
  writeFileSync(config, JSON.stringify(lintRules))
  const output = execFileSync(redocly, ["lint", file, `--config=${config}`, "--format=json"], {
    env: { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" },
    stdio: ["ignore", "pipe", "ignore"],
    encoding: "utf8"
  })
  return JSON.parse(output.slice(output.indexOf("{"))).totals
}

it("the OpenAPI document passes redocly lint", { timeout: 120_000 }, () => {
  const folder = mkdtempSync(join(tmpdir(), "quarry-openapi-"))
  try {
    expect(lint(folder)).toEqual({ errors: 0, warnings: 0, ignored: 0 })
  } finally {
    rmSync(folder, { recursive: true })
  }
})
