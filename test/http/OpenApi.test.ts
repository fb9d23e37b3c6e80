import { OpenApi } from "@effect/platform"
import { assert, describe, it } from "@effect/vitest"
import { execFileSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { version } from "../../src/domain/Version.ts"
import { Api } from "../../src/http/Api.ts"

const document = OpenApi.fromApi(Api)

const parameter = (path: string, name: string) => {
  const found = document.paths[path]?.get?.parameters.find((one) => one.name === name)
  assert.isDefined(found, `${path} has no ${name}`)
  return found
}

describe("the OpenAPI document", () => {
  it("has the specification's bounds, enums and defaults", () => {
    for (const kind of ["text", "images", "videos", "news", "books"]) {
      const path = `/api/search/${kind}`
      assert.deepInclude(parameter(path, "max_results")?.schema, {
        type: "integer",
        minimum: 1,
        maximum: 100,
        default: 10
      })
      assert.deepInclude(parameter(path, "page")?.schema, { type: "integer", minimum: 1, default: 1 })
      assert.isTrue(parameter(path, "q")?.required)
      assert.isFalse(parameter(path, "page")?.required)
    }
    assert.deepInclude(parameter("/api/search/all", "max_results_per_type")?.schema, {
      minimum: 1,
      maximum: 50,
      default: 5
    })
    assert.deepInclude(parameter("/api/search/text", "safesearch")?.schema, {
      enum: ["on", "moderate", "off"],
      default: "moderate"
    })
    assert.deepInclude(parameter("/api/search/text", "region")?.schema, { default: "us-en" })
    assert.deepInclude(parameter("/api/search/text", "backend")?.schema, { default: "auto" })
    assert.deepInclude(parameter("/api/search/text", "timelimit")?.schema, { enum: ["d", "w", "m", "y"] })
    assert.deepInclude(parameter("/api/search/videos", "timelimit")?.schema, { enum: ["d", "w", "m"] })
    assert.deepInclude(parameter("/api/search/images", "layout")?.schema, { enum: ["Square", "Tall", "Wide"] })
    assert.deepInclude(parameter("/api/search/videos", "license_videos")?.schema, {
      enum: ["creativeCommon", "youtube"]
    })
    assert.deepInclude(parameter("/api/content/fetch", "timeout")?.schema, { minimum: 5, maximum: 30, default: 10 })
    assert.deepInclude(parameter("/api/content/fetch", "max_length")?.schema, {
      minimum: 100,
      maximum: 20_000,
      default: 2_000
    })
  })

  it("tells each status and the rate-limit headers of every endpoint", () => {
    for (const [path, operations] of Object.entries(document.paths)) {
      for (const operation of Object.values(operations)) {
        assert.includeMembers(Object.keys(operation.responses), ["200", "429", "500", "503"], path)
        assert.strictEqual("422" in operation.responses, path.startsWith("/api/"), path)
        for (const response of Object.values(operation.responses)) {
          assert.property(response, "headers", path)
          assert.nestedProperty(response, "headers.X-RateLimit-Reset", path)
        }
      }
    }
    const statusesOf = (path: string) => Object.keys(document.paths[path]?.get?.responses ?? {})
    assert.includeMembers(statusesOf("/api/search/text"), ["502", "504"])
    assert.includeMembers(statusesOf("/api/content/fetch"), ["403", "415", "502", "504"])
    assert.notInclude(statusesOf("/api/search/text"), "400")
  })

  it("passes redocly lint", { timeout: 60_000 }, () => {
    const folder = mkdtempSync(join(tmpdir(), "quarry-openapi-"))
    const file = join(folder, "openapi.json")
    writeFileSync(file, JSON.stringify(document))
    const output = execFileSync("node_modules/.bin/redocly", ["lint", file, "--format=json"], {
      env: { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" },
      stdio: ["ignore", "pipe", "ignore"],
      encoding: "utf8"
    })
    rmSync(folder, { recursive: true })
    assert.deepStrictEqual(JSON.parse(output.slice(output.indexOf("{"))).totals, { errors: 0, warnings: 0, ignored: 0 })
  })

  it("has the package's version", () => {
    assert.strictEqual(JSON.parse(readFileSync("package.json", "utf8")).version, version)
    assert.strictEqual(document.info.version, version)
  })
})
