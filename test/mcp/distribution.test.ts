import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { readFileSync } from "node:fs"
import { version } from "../../src/domain/Version.ts"
import { tools } from "../../src/mcp/Tools.ts"

const read = <A, I>(file: string, schema: Schema.Schema<A, I>) =>
  Schema.decodeUnknownSync(Schema.parseJson(schema))(readFileSync(file, "utf8"))

const Server = Schema.Struct({
  $schema: Schema.Literal("https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json"),
  name: Schema.String.pipe(Schema.pattern(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/)),
  description: Schema.String.pipe(Schema.maxLength(100)),
  version: Schema.String,
  packages: Schema.Tuple(
    Schema.Struct({
      registryType: Schema.Literal("npm"),
      identifier: Schema.String,
      version: Schema.String,
      transport: Schema.Struct({ type: Schema.Literal("stdio") }),
      environmentVariables: Schema.Array(Schema.Struct({ name: Schema.String }))
    })
  )
})

const Manifest = Schema.Struct({
  manifest_version: Schema.Literal("0.3"),
  name: Schema.String,
  version: Schema.String,
  server: Schema.Struct({ type: Schema.Literal("node"), entry_point: Schema.String }),
  tools: Schema.Array(Schema.Struct({ name: Schema.String })),
  compatibility: Schema.Struct({ runtimes: Schema.Struct({ node: Schema.String }) })
})

const Package = Schema.Struct({
  name: Schema.String,
  bin: Schema.Struct({ "quarry-mcp": Schema.String }),
  engines: Schema.Struct({ node: Schema.String })
})

describe("what tells others of the server", () => {
  const { bin, name } = read("package.json", Package)

  it("server.json is of this version, and names settings that there are", () => {
    const server = read("server.json", Server)
    const [{ environmentVariables, identifier, ...npm }] = server.packages
    assert.deepStrictEqual([server.version, npm.version, identifier], [version, version, name])
    const readme = readFileSync("README.md", "utf8")
    for (const variable of environmentVariables) assert.include(readme, `\`${variable.name}\``)
  })

  it("manifest.json is of this version, and names the tools", () => {
    const manifest = read("manifest.json", Manifest)
    assert.deepStrictEqual([manifest.name, manifest.version], [name, version])
    assert.strictEqual(manifest.server.entry_point, bin["quarry-mcp"])
    assert.deepStrictEqual(
      manifest.tools.map((tool) => tool.name),
      tools.map((tool) => tool.name)
    )
  })
})
