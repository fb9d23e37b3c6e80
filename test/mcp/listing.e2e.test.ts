import { expect, layer } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { message, post } from "../support/Posted.ts"
import { Server } from "../support/Server.ts"

const Property = Schema.Struct(
  { type: Schema.Literal("string", "integer", "array"), description: Schema.NonEmptyString },
  { key: Schema.String, value: Schema.Unknown }
)

const Listing = Schema.Struct({
  result: Schema.Struct({
    tools: Schema.Array(
      Schema.Struct({
        name: Schema.String,
        title: Schema.String,
        description: Schema.String,
        inputSchema: Schema.Struct({
          type: Schema.Literal("object"),
          properties: Schema.Record({ key: Schema.String, value: Property }),
          required: Schema.Array(Schema.String)
        }),
        outputSchema: Schema.Struct({ type: Schema.Literal("object") }, { key: Schema.String, value: Schema.Unknown }),
        annotations: Schema.Object
      })
    )
  })
})

const listed = Effect.flatMap(post(message("tools/list")), ({ body, text }) =>
  Effect.map(Effect.orDie(Schema.decodeUnknown(Listing)(body)), ({ result }) => ({ tools: result.tools, text }))
)

const bytes = (value: unknown) => Buffer.byteLength(typeof value === "string" ? value : JSON.stringify(value))

layer(Server.layer({ TRUST_PROXY: "1" }), { excludeTestServices: true })("tools/list", (it) => {
  it.effect("is short: it is paid for in every conversation", () =>
    Effect.gen(function* () {
      const { text, tools } = yield* listed
      const read = tools.map(({ description, inputSchema, name, title }) => ({ name, title, description, inputSchema }))
      expect(bytes(read)).toBeLessThan(8_000)
      expect(bytes(text)).toBeLessThan(20_000)
    })
  )

  it.effect("has flat input schemas, every property described", () =>
    Effect.gen(function* () {
      const { tools } = yield* listed
      for (const { inputSchema } of tools) {
        expect(JSON.stringify(inputSchema)).not.toMatch(/\$ref|\$defs|anyOf|oneOf|allOf|"null"/)
        expect(inputSchema.required).toHaveLength(1)
        expect(Object.keys(inputSchema.properties)).toContain(inputSchema.required[0])
      }
    })
  )

  it.effect("offers what the endpoints take, with bounds, enums and defaults", () =>
    Effect.gen(function* () {
      const { tools } = yield* listed
      const of = (name: string) => tools.find((tool) => tool.name === name)?.inputSchema.properties ?? {}
      const filters = ["query", "region", "safesearch", "timelimit", "max_results", "page"]
      expect(Object.keys(of("search_web"))).toEqual([...filters, "backend", "max_tokens"])
      expect(Object.keys(of("search_images"))).toEqual([
        ...filters,
        "size",
        "color",
        "type_image",
        "layout",
        "max_tokens"
      ])
      expect(Object.keys(of("search_videos"))).toEqual([
        ...filters,
        "resolution",
        "duration",
        "license_videos",
        "max_tokens"
      ])
      expect(Object.keys(of("search_news"))).toEqual([...filters, "max_tokens"])
      expect(Object.keys(of("search_books"))).toEqual(["query", "max_results", "page", "backend", "max_tokens"])
      expect(Object.keys(of("search_everything"))).toEqual([
        "query",
        "region",
        "safesearch",
        "timelimit",
        "max_results_per_type",
        "max_tokens"
      ])
      expect(Object.keys(of("fetch_content"))).toEqual([
        "url",
        "timeout",
        "max_length",
        "format",
        "offset",
        "max_tokens"
      ])
      expect(Object.keys(of("fetch_multiple_contents"))).toEqual([
        "urls",
        "timeout",
        "max_length",
        "format",
        "max_tokens"
      ])
      expect(of("search_web")).toMatchObject({
        max_results: { type: "integer", minimum: 1, maximum: 100, default: 10 },
        safesearch: { type: "string", enum: ["on", "moderate", "off"], default: "moderate" },
        timelimit: { type: "string", enum: ["d", "w", "m", "y"] }
      })
      for (const { inputSchema } of tools) {
        expect(inputSchema.properties["max_tokens"]).toMatchObject({ minimum: 300, maximum: 20_000, default: 2_400 })
      }
      expect(of("search_news")["timelimit"]).toMatchObject({ enum: ["d", "w", "m"] })
      expect(of("fetch_multiple_contents")).toMatchObject({
        urls: { type: "array", items: { type: "string" }, minItems: 1, maxItems: 10 },
        timeout: { type: "integer", minimum: 5, maximum: 30, default: 10 },
        max_length: { type: "integer", minimum: 100, maximum: 20_000, default: 2_000 },
        format: { type: "string", enum: ["text", "markdown", "html"], default: "text" }
      })
    })
  )
})
