import { OpenApi } from "@effect/platform"
import { assert, describe, it } from "@effect/vitest"
import { readFileSync, writeFileSync } from "node:fs"
import { FetchReason, PolicyReason, RateLimitGroup } from "../../src/domain/Failure.ts"
import { Outcome } from "../../src/domain/Outcome.ts"
import { searchKinds } from "../../src/domain/SearchKind.ts"
import { version } from "../../src/domain/Version.ts"
import { Api } from "../../src/http/Api.ts"

const document = OpenApi.fromApi(Api)

const checkedIn = "test/http/openapi.json"

const rateLimitHeaders = [
  "X-Request-Id",
  "X-RateLimit-Limit",
  "X-RateLimit-Remaining",
  "X-RateLimit-Reset",
  "RateLimit",
  "RateLimit-Policy"
]

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
        const hasParameters = /^\/api\/(?:search|content)\//.test(path)
        assert.strictEqual("422" in operation.responses, hasParameters, path)
        for (const response of Object.values(operation.responses)) {
          assert.property(response, "headers", path)
          const { headers } = { headers: {}, ...response }
          assert.containsAllKeys(headers, rateLimitHeaders, path)
        }
      }
    }
    const statusesOf = (path: string) => Object.keys(document.paths[path]?.get?.responses ?? {})
    assert.includeMembers(statusesOf("/api/search/text"), ["502", "504"])
    assert.includeMembers(statusesOf("/api/content/fetch"), ["403", "415", "502", "504"])
    assert.notInclude(statusesOf("/api/search/text"), "400")
  })

  it("tells of both sorts of 503 that readiness has", () => {
    const unready = document.paths["/ready"]?.get?.responses[503]
    assert.include(unready?.description, "no usable engine")
    assert.include(unready?.description, "draining")
    assert.deepNestedInclude(unready, { "content.application/json.example.error": "Not ready" })
  })

  it("is the one that is checked in", () => {
    const current = `${JSON.stringify(document, null, 2)}\n`
    if (process.env["QUARRY_WRITE_OPENAPI"] === "1") writeFileSync(checkedIn, current)
    assert.isTrue(
      readFileSync(checkedIn, "utf8") === current,
      `The API has changed: run \`npm run openapi:write\`, and read the difference in ${checkedIn} before you commit it`
    )
  })

  it("has an example of every parameter, body and answer", () => {
    for (const [path, operations] of Object.entries(document.paths)) {
      for (const { description, parameters, requestBody, responses } of Object.values(operations)) {
        assert.isString(description, path)
        for (const one of parameters) {
          assert.property(one, "example", `${path} ${one.name}`)
          assert.isString(one.description, `${path} ${one.name}`)
        }
        if (requestBody !== undefined) assert.nestedProperty(requestBody, "content.application/json.example", path)
        for (const [status, response] of Object.entries(responses)) {
          assert.property(response.content?.["application/json"], "example", `${path} ${status}`)
          assert.isAbove(response.description.length, 0, `${path} ${status}`)
        }
      }
    }
  })

  it("documents each closed set of reasons as an enum", () => {
    const reasonsOf = (schema: string) => document.components.schemas[schema]
    assert.nestedProperty(reasonsOf("UrlNotAllowed"), "properties.details.properties.reason.enum")
    assert.deepNestedInclude(reasonsOf("UrlNotAllowed"), {
      "properties.details.properties.reason.enum": PolicyReason.literals
    })
    assert.deepNestedInclude(reasonsOf("FetchFailed"), {
      "properties.details.properties.reason.enum": FetchReason.literals
    })
    assert.deepNestedInclude(reasonsOf("NotReady"), {
      "properties.details.properties.kinds.items.enum": searchKinds
    })
    assert.deepNestedInclude(reasonsOf("SourceReceipt"), { "properties.outcome.enum": Outcome.literals })
    assert.deepNestedInclude(reasonsOf("RateLimitExceeded"), {
      "properties.details.properties.group.enum": RateLimitGroup.literals
    })
  })

  it("says what any path can answer", () => {
    for (const error of ["404", "405", "Not found", "Method not allowed"]) {
      assert.include(document.info.description, error)
    }
  })

  it("has the package's version", () => {
    assert.strictEqual(JSON.parse(readFileSync("package.json", "utf8")).version, version)
    assert.strictEqual(document.info.version, version)
  })
})
