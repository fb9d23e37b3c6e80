import { expect, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { execFile } from "node:child_process"
import { promisify } from "node:util"
import { searchKinds } from "../../src/domain/SearchKind.ts"
import { call, found, search } from "../support/Client.ts"
import { ContentWeb } from "../support/ContentWeb.ts"
import { serve, upstreamWeb } from "../support/Quarry.ts"
import { TestWeb } from "../support/TestWeb.ts"
import * as Behaviour from "../support/upstream/Behaviour.ts"

/** The path of a Node of this major version, which the package `node` brings from npm. */
const nodeOf = (major: number) =>
  Effect.promise(async () => {
    const program = "console.log(process.execPath, process.version)"
    const { stdout } = await promisify(execFile)("npx", ["-y", "-p", `node@${major}`, "node", "-e", program])
    const [path = "", version = ""] = stdout.trim().split(" ")
    expect(version).toMatch(new RegExp(`^v${major}\\.`))
    return path
  })

const webs = Layer.merge(ContentWeb.layer, upstreamWeb)

layer(webs, { excludeTestServices: true, timeout: "2 minutes" })("the built server", (it) => {
  for (const major of [22, 24])
    it.effect(`answers one request of each kind on Node ${major}`, () =>
      Effect.gen(function* () {
        const { url } = yield* ContentWeb
        yield* Effect.flatMap(TestWeb, (web) => web.behaveAll(Behaviour.generated(10)))
        for (const kind of searchKinds) {
          const { results } = yield* Effect.flatMap(search(`/api/search/${kind}`, { q: "bridges" }), found)
          expect(results, kind).toHaveLength(10)
        }
        expect((yield* search("/api/search/all", { q: "bridges" })).body).toMatchObject({ results_count: 25 })
        const page = yield* search("/api/content/fetch", { url: url("/article") })
        expect(page.body).toMatchObject({ success: true, title: expect.any(String) })
        const urls = [url("/article")]
        const batch = yield* call("/api/content/fetch-multiple", { json: { urls } })
        expect(batch.body).toMatchObject({ results_count: 1, results: [{ success: true }] })
        const tools = yield* call("/ai/mcp", { json: { jsonrpc: "2.0", id: 1, method: "tools/list" } })
        expect(tools.body).toMatchObject({ result: { tools: expect.any(Array) } })
        for (const path of ["/", "/health", "/ready", "/docs", "/openapi.json", "/api/engines"])
          expect((yield* call(path)).status, path).toBe(200)
      }).pipe(Effect.provide(Layer.unwrapEffect(Effect.map(nodeOf(major), (node) => serve({}, node)))))
    )
})
