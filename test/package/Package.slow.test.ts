import { expect, layer } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { quarry } from "../support/Quarry.ts"
import { Server } from "../support/Server.ts"
import { TestWeb } from "../support/TestWeb.ts"
import * as Behaviour from "../support/upstream/Behaviour.ts"
import { makeProject, run, started } from "./Project.ts"

class Project extends Context.Tag("quarry/test/Project")<Project, Effect.Effect.Success<typeof makeProject>>() {
  static readonly layer = Layer.scoped(Project, makeProject)
}

/** What a module of the package imports, and what the modules do that it loads: paths and names of packages. */
const importsOf = (root: string, module: string): ReadonlySet<string> => {
  const found = new Set([module])
  // A set takes in what is added to it while it is gone through.
  for (const name of found) {
    if (!name.startsWith("dist/")) continue
    const text = readFileSync(join(root, name), "utf8")
    for (const [, imported = ""] of text.matchAll(/^(?:import|\}).*?"([^"]+)";$/gm)) {
      found.add(imported.startsWith(".") ? join(name, "..", imported) : imported)
    }
  }
  return found
}

/** For compilers and package managers on a busy machine. */
const minutes = 180_000

layer(Layer.merge(Project.layer, quarry()), { excludeTestServices: true, timeout: minutes })("the package", (it) => {
  it.effect("holds the servers, the library, its declarations, the pages, and nothing else", () =>
    Effect.gen(function* () {
      const { files } = yield* Project
      const expected = [
        /^(?:README\.md|LICENSE|CHANGELOG\.md|package\.json)$/,
        /^dist\/(?:main|quarry-mcp|extraction-worker|client|domain|http|mcp|services)\.js$/,
        /^dist\/(?:shared|library)\/[\w-]+\.js$/,
        /^dist\/types\/(?:domain|exports|http|mcp|services)\/[\w/-]+\.d\.ts$/,
        /^dist\/pages\/[\w.-]+\.(?:gz|br|txt)$/,
        /^dist\/THIRD-PARTY-LICENSES$/
      ]
      expect(files.filter((path) => !expected.some((pattern) => pattern.test(path)))).toEqual([])
      for (const pattern of expected) expect(files.filter((path) => pattern.test(path))).not.toEqual([])
    })
  )

  it.effect(
    "type-checks as bundlers resolve modules, too",
    () =>
      Effect.gen(function* () {
        const { compile } = yield* Project
        yield* compile("--project", "tsconfig.bundler.json", "--noEmit")
      }),
    minutes
  )

  it.effect("has a client that brings nothing of the server along", () =>
    Effect.gen(function* () {
      const { folder } = yield* Project
      const root = join(folder, "node_modules/quarry")
      const packages = (entry: string) =>
        Array.from(importsOf(root, entry)).filter((name) => !name.startsWith("dist/") && !name.startsWith("effect/"))
      expect(packages("dist/client.js").toSorted()).toEqual(["@effect/platform", "@effect/rpc", "effect"])
      expect(packages("dist/domain.js")).toEqual(["effect"])
    })
  )

  it.effect("searches without any server, with an engine of one's own", () =>
    Effect.gen(function* () {
      const { folder } = yield* Project
      const said = JSON.parse(yield* run(folder, process.execPath, "out/search.js"))
      expect(said).toMatchObject({
        found: [{ title: "All about bridges", engines: ["library"] }],
        sources: [{ engine: "library", outcome: "ok", results_count: 1 }]
      })
    })
  )

  it.scoped("is mounted in a server of one's own, beside a route of its own", () =>
    Effect.gen(function* () {
      const { folder } = yield* Project
      const { port } = JSON.parse(yield* started(folder, "out/server.js", { PORT: "0" }))
      const baseUrl = `http://127.0.0.1:${port}`
      const asked = JSON.parse(yield* run(folder, process.execPath, "out/probe.js", baseUrl))
      expect(asked).toMatchObject({ status: "healthy", refused: "private_address", wrong: "max_results" })
      expect(asked.paths).toEqual(expect.arrayContaining(["/kinds", "/rpc", "/api/search/text"]))
      const kinds = yield* Effect.promise(() => fetch(`${baseUrl}/kinds`))
      expect(kinds.headers.get("x-ratelimit-limit")).toBe("200")
      expect(yield* Effect.promise(() => kinds.json())).toEqual(["text", "images", "videos", "news", "books"])
      expect((yield* Effect.promise(() => fetch(`${baseUrl}/docs`))).status).toBe(200)
    })
  )

  it.effect("has clients that ask a service", () =>
    Effect.gen(function* () {
      const { folder } = yield* Project
      const { baseUrl } = yield* Server
      const web = yield* TestWeb
      yield* web.behaveAll(Behaviour.generated(3))
      const lines = (yield* run(folder, process.execPath, "out/client.js", baseUrl)).trim().split("\n")
      expect(lines.slice(0, 2)).toEqual([expect.stringMatching(/^health: healthy \d/), "not allowed: private_address"])
      expect(lines.slice(2).toSorted()).toEqual(["books: 1", "images: 1", "news: 1", "text: 1", "videos: 1"])
    })
  )
})
