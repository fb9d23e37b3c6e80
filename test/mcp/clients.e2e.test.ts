import { expect, layer } from "@effect/vitest"
import { AjvJsonSchemaValidator } from "@modelcontextprotocol/server/validators/ajv"
import { Effect, Option, Schema } from "effect"
import { call, search } from "../support/Client.ts"
import { ContentWeb } from "../support/ContentWeb.ts"
import { sample } from "../support/Cases.ts"
import { type Era, eras, type McpClient, type McpTool, overHttp, overStdio } from "../support/McpClients.ts"
import { quarry } from "../support/Quarry.ts"

const names = [
  "search_web",
  "search_images",
  "search_videos",
  "search_news",
  "search_books",
  "search_everything",
  "fetch_content",
  "fetch_multiple_contents"
]

const validator = new AjvJsonSchemaValidator()

/** What the tool's own schema finds wrong with an answer. */
const complaint = (tool: McpTool | undefined, answer: unknown) =>
  validator.getValidator({ ...tool?.outputSchema })(answer).errorMessage

const Body = Schema.Record({ key: Schema.String, value: Schema.Unknown })

const Found = Schema.Struct(
  {
    results: Schema.Array(
      Schema.Struct(
        { url: Schema.String, engines: Schema.Array(Schema.String) },
        { key: Schema.String, value: Schema.Unknown }
      )
    )
  },
  { key: Schema.String, value: Schema.Unknown }
)

/** Items by where they are and who found them: of two searches under load, one may have to do without an engine. */
const itemsOf = (body: unknown) =>
  Option.map(
    Schema.decodeUnknownOption(Found)(body),
    ({ results }) => new Map(results.map((item) => [`${item.url} ${item.engines.join()}`, item]))
  )

/** Ages ("2 years ago") are told against the clock: of two searches a moment apart, to the minute. */
const aged = (item: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(
    Object.entries(item).map(([name, value]) => [
      name,
      name === "published" || name === "date" ? expect.toSatisfy((other) => isWithinAMinute(value, other)) : value
    ])
  )

const isWithinAMinute = (one: unknown, other: unknown): boolean =>
  one === other ||
  (typeof one === "string" && typeof other === "string" && Math.abs(Date.parse(one) - Date.parse(other)) < 60_000)

/** The same members in the same order, and of what both found the same; all the same where nothing was searched for. */
const expectAlike = (structured: unknown, body: unknown) => {
  const [members, others] = [structured, body].map((one) => Object.keys(Schema.decodeUnknownSync(Body)(one)))
  expect(members).toEqual(others)
  const [items, same] = [itemsOf(structured), itemsOf(body)]
  if (Option.isNone(items) || Option.isNone(same)) return expect(structured).toEqual(body)
  const both = [...items.value].filter(([key]) => same.value.has(key))
  expect(both).not.toEqual([])
  for (const [key, item] of both) expect(same.value.get(key)).toEqual(aged(item))
}

/** A tool's arguments, and the REST request that asks for the same. */
const asked = Effect.map(ContentWeb, ({ url }) => {
  const urls = [url("/article"), "http://10.0.0.1/"]
  return [
    [
      "search_web",
      { query: "javascript tutorial", max_results: 3 },
      search("/api/search/text", { q: "javascript tutorial", max_results: 3 })
    ],
    ["search_images", { query: "red panda" }, search("/api/search/images", { q: "red panda" })],
    ["search_videos", { query: "bridges" }, search("/api/search/videos", { q: "bridges" })],
    ["search_news", { query: "caffeine" }, search("/api/search/news", { q: "caffeine" })],
    ["search_books", { query: "dune" }, search("/api/search/books", { q: "dune" })],
    ["search_everything", { query: "dune" }, search("/api/search/all", { q: "dune" })],
    ["fetch_content", { url: url("/article") }, search("/api/content/fetch", { url: url("/article") })],
    ["fetch_multiple_contents", { urls }, call("/api/content/fetch-multiple", { json: { urls } })]
  ] as const
})

/** Keeps engines from being late on a slow machine, so that both searches have results of the same ones. */
const patient = { SEARCH_TIMEOUT: "60" }

const transports = [
  ["HTTP", overHttp],
  ["stdio", (era: Era) => overStdio(era, patient)]
] as const

const lists = (client: McpClient) =>
  Effect.gen(function* () {
    expect(yield* client.server).toBe("quarry")
    const tools = yield* client.listTools
    expect(tools.map(({ name }) => name)).toEqual(names)
    for (const { annotations, description, title } of tools) {
      expect(title).toBeTruthy()
      expect(description).toBeTruthy()
      expect(annotations).toEqual({
        readOnlyHint: true,
        destructiveHint: false,
        idempotentHint: true,
        openWorldHint: true
      })
    }
    return tools
  })

const fails = (client: McpClient) =>
  Effect.gen(function* () {
    const failed = yield* client.callTool("fetch_content", { url: "http://10.0.0.1/" })
    expect(failed).toEqual({
      isError: true,
      structured: undefined,
      text: expect.any(String),
      advice: expect.stringContaining("not public")
    })
    expect(JSON.parse(failed.text)).toEqual({
      success: false,
      error: "URL not allowed",
      details: { url: "http://10.0.0.1/", reason: "private_address" }
    })
    const wrong = yield* client.callTool("search_images", { max_results: 0, size: "huge", page: 2 })
    expect(wrong.isError).toBe(true)
    expect(JSON.parse(wrong.text)).toEqual({
      success: false,
      error: "Invalid parameters",
      details: [
        { in: "body", field: "query", message: "is required" },
        { in: "body", field: "max_results", message: "must be an integer from 1 to 100" },
        {
          in: "body",
          field: "size",
          message: "must be one of Small, Medium, Large, Wallpaper",
          allowed: ["Small", "Medium", "Large", "Wallpaper"]
        }
      ]
    })
  })

layer(quarry(patient), { excludeTestServices: true, timeout: "30 seconds" })("official clients", (it) => {
  for (const [transport, connect] of transports) {
    for (const era of sample(eras)) {
      it.scoped(`${era} over ${transport}: every tool answers what REST answers, a failed call with its envelope`, () =>
        Effect.gen(function* () {
          const client = yield* connect(era)
          const tools = yield* lists(client)
          const compared = Effect.fn(function* ([name, args, rest]: Effect.Effect.Success<typeof asked>[number]) {
            const { isError, structured, text } = yield* client.callTool(name, args)
            expect(isError, text).toBe(false)
            expect(text.length, name).toBeGreaterThan(20)
            expect(
              complaint(
                tools.find((tool) => tool.name === name),
                structured
              )
            ).toBeUndefined()
            expectAlike(structured, (yield* rest).body)
          })
          yield* Effect.forEach(yield* asked, compared, { concurrency: 4, discard: true })
          yield* fails(client)
        })
      )
    }
  }
})
