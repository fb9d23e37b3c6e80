/**
 * Searches books through the Layers, without a server, and replaces one engine: an engine for a library's own
 * catalogue takes the place of Gutendex.
 */
import { Effect, Layer, Schema } from "effect"
import { createServer } from "node:http"
import { rawBook, BooksQuery, withDefaults } from "quarry/domain"
import {
  empty,
  type Engine,
  EngineClient,
  EngineHealth,
  EnginePages,
  Engines,
  engines,
  fault,
  results,
  Search,
  Settings
} from "quarry/services"

const Catalogue = Schema.parseJson(Schema.Array(Schema.Struct({ title: Schema.String, id: Schema.Number })))

/** An engine is data and two pure functions: `request` describes the HTTP request, `parse` reads the response. */
const library = (address: string): Engine => ({
  name: "library",
  website: address,
  documentation: address,
  access: "api",
  sources: {
    books: {
      weight: 2,
      honours: [],
      request: ({ text }) => ({
        method: "GET",
        url: `${address}/search`,
        params: [["title", text]],
        persona: "program",
        follow: false
      }),
      parse: ({ body }) => {
        const books = Schema.decodeUnknownOption(Catalogue)(body)
        if (books._tag === "None") return fault("layout_changed")
        if (books.value.length === 0) return empty
        return results(
          books.value.map(({ id, title }) => rawBook({ title, url: `${address}/books/${id}` })),
          null
        )
      }
    }
  }
})

/** A local test server in place of a real catalogue. */
const catalogue = Effect.acquireRelease(
  Effect.async<{ readonly address: string; readonly close: () => void }>((resume) => {
    const server = createServer((request, response) => {
      const { searchParams } = new URL(request.url ?? "/", "http://127.0.0.1")
      response.end(JSON.stringify([{ title: `All about ${searchParams.get("title")}`, id: 1 }]))
    }).listen(0, "127.0.0.1", () => {
      const address = server.address()
      const port = typeof address === "object" && address !== null ? address.port : 0
      resume(Effect.succeed({ address: `http://127.0.0.1:${port}`, close: () => server.close() }))
    })
  }),
  ({ close }) => Effect.sync(close)
)

const search = Effect.gen(function* () {
  const { run } = yield* Search
  return yield* run("books", withDefaults(BooksQuery, { q: "bridges", backend: "library", max_results: 3 }))
})

const program = Effect.gen(function* () {
  const { address } = yield* catalogue
  const mine = engines.map((engine) => (engine.name === "gutendex" ? library(address) : engine))
  const layers = Search.layer.pipe(
    Layer.provide(Engines.layerOf(mine)),
    Layer.provide([EngineClient.layer, EngineHealth.layerMemory, EnginePages.layerMemory()]),
    Layer.provide(Settings.layerOf({ SEARCH_TIMEOUT: "5" }))
  )
  const { results: found, sources } = yield* Effect.provide(search, layers)
  yield* Effect.sync(() => process.stdout.write(`${JSON.stringify({ found, sources }, null, 2)}\n`))
})

await Effect.runPromise(Effect.scoped(program))
