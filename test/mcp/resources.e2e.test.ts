import { expect, it, layer } from "@effect/vitest"
import { Effect, Layer, Logger, Schema } from "effect"
import { EngineList } from "../../src/domain/Info.ts"
import { mcpApp } from "../../src/mcp/McpApp.ts"
import { Caller } from "../../src/services/rate-limiter/Caller.ts"
import { Content } from "../../src/services/content/Content.ts"
import { Engines } from "../../src/services/engine/Engines.ts"
import { Search } from "../../src/services/search/Search.ts"
import { call, newClient } from "../support/Client.ts"
import { ContentWeb } from "../support/ContentWeb.ts"
import { sample } from "../support/Cases.ts"
import { eras, overHttp, overStdio } from "../support/McpClients.ts"
import { fault, message, post, toolCall } from "../support/Posted.ts"
import { quarry } from "../support/Quarry.ts"
import { Server } from "../support/Server.ts"
import { testSettings } from "../support/Settings.ts"

const uri = "quarry://engines"

const decode = Schema.decodeUnknownSync(EngineList, { onExcessProperty: "error" })
const parse = Schema.decodeUnknownSync(Schema.parseJson())

const transports = [
  ["HTTP", overHttp],
  ["stdio", overStdio]
] as const

const Usage = Schema.Struct({
  limited: Schema.Boolean,
  budgets: Schema.Array(
    Schema.Struct({
      group: Schema.String,
      limit: Schema.Number,
      remaining: Schema.Number,
      reset: Schema.String,
      reset_in: Schema.Number
    })
  )
})

const Read = Schema.Struct({
  result: Schema.Struct({ contents: Schema.Tuple(Schema.Struct({ text: Schema.parseJson(Usage) })) })
})

const usageOf = (body: unknown) => Schema.decodeUnknownSync(Read)(body).result.contents[0].text

/** What does not depend on what was asked of them. */
const lasting = (list: unknown) =>
  decode(list).engines.map(({ access, kinds, name, needs_key }) => ({ name, access, kinds, needs_key }))

layer(quarry(), { excludeTestServices: true, timeout: "30 seconds" })("resources", (it) => {
  for (const [transport, connect] of sample(transports)) {
    for (const era of sample(eras)) {
      it.scoped(`${era} over ${transport}: the engines are listed and read, what is not there is told`, () =>
        Effect.gen(function* () {
          const client = yield* connect(era)
          expect(yield* client.listResources).toEqual([
            expect.objectContaining({ uri, name: "engines", title: "Engines", mimeType: "application/json" }),
            expect.objectContaining({ uri: "quarry://usage", name: "usage", mimeType: "application/json" })
          ])
          const web = yield* ContentWeb
          expect(yield* client.listTemplates).toEqual([
            expect.objectContaining({ uriTemplate: "quarry://content/{+url}", mimeType: "text/markdown" })
          ])
          const [read] = yield* client.readResource(`quarry://content/${web.url("/article")}`)
          expect(read).toMatch(/^What stands between[^]*<web-quote [0-9a-f]{8}>\n# The keepers of the outermost rock\n/)
          const refused = yield* Effect.flip(client.readResource("quarry://content/http://10.0.0.1/"))
          expect([refused.code, refused.data]).toMatchObject([-32_000, { error: "URL not allowed" }])
          const [text, ...more] = yield* client.readResource(uri)
          expect(more).toEqual([])
          expect(lasting(parse(text))).toEqual(lasting((yield* call("/api/engines")).body))
          for (const unknown of [
            "quarry://nothing",
            "quarry://engines/",
            "file:///etc/passwd",
            "no URI",
            "quarry://content/ftp://x/"
          ]) {
            const { code, data } = yield* Effect.flip(client.readResource(unknown))
            expect([code, data]).toEqual([-32_602, { uri: unknown }])
          }
        })
      )
    }
  }

  it.effect("spend the info budget", () =>
    Effect.gen(function* () {
      const from = newClient()
      const left = ["199", "198", "197"]
      for (const one of [
        message("resources/list"),
        message("resources/templates/list"),
        message("resources/read", { uri })
      ]) {
        const answer = yield* post(one, { from })
        expect(answer.headers.get("ratelimit-policy")).toContain('"info"')
        expect(answer.headers.get("x-ratelimit-remaining")).toBe(left.shift())
      }
    })
  )
})

layer(Server.layer({ APP_ENV: "production", TRUST_PROXY: "1" }), { excludeTestServices: true })("usage", (it) => {
  it.effect("is what is left of each budget, and spends info alone", () =>
    Effect.gen(function* () {
      const from = newClient()
      yield* post(toolCall("search_web", {}), { from })
      yield* post(message("resources/read", { uri: "quarry://content/http://10.0.0.1/" }), { from })
      const answer = yield* post(message("resources/read", { uri: "quarry://usage" }), { from })
      const { budgets, limited } = usageOf(answer.body)
      expect([limited, budgets.map(({ group, limit, remaining }) => [group, limit, remaining])]).toEqual([
        true,
        [
          ["search", 30, 29],
          ["unified", 10, 10],
          ["content", 30, 29],
          ["info", 60, 59]
        ]
      ])
      for (const { reset, reset_in } of budgets) {
        expect(reset_in).toBeLessThanOrEqual(60)
        expect(reset).toMatch(/^\d{4}-.*Z$/)
      }
    })
  )

  it.effect("a page over the budget of fetches is a 429", () =>
    Effect.gen(function* () {
      const from = newClient()
      const read = message("resources/read", { uri: "quarry://content/http://10.0.0.1/" })
      yield* Effect.forEach(Array.from({ length: 30 }), () => post(toolCall("fetch_content", {}), { from }))
      const answer = yield* post(read, { from })
      expect([answer.status, (yield* fault(answer)).data]).toMatchObject([429, { group: "content", limit: 30 }])
      expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0)
    })
  )
})

it.scopedLive("usage over stdio has no limits", () =>
  Effect.gen(function* () {
    const client = yield* overStdio("2.x, 2026-07-28")
    const [text] = yield* client.readResource("quarry://usage")
    expect(parse(text)).toEqual({ success: true, limited: false, window_seconds: 60, budgets: [] })
  }).pipe(Effect.provide(quarry()))
)

it.scopedLive("a defect is told to the log, and to the client no more than that there was one", () =>
  Effect.gen(function* () {
    const log: Array<string> = []
    const logger = Logger.map(Logger.logfmtLogger, (line) => void log.push(line))
    const services = Layer.mergeAll(
      Layer.mock(Search, { backendProblems: () => [] }),
      Layer.mock(Content, {}),
      Layer.mock(Engines, { forKind: () => [], report: Effect.dieMessage("the password is swordfish") }),
      testSettings()
    )
    const { handle } = yield* Effect.provide(mcpApp, services)
    const request = new Request("http://localhost/ai/mcp", {
      method: "POST",
      headers: { host: "localhost", "content-type": "application/json", "x-request-id": "request-7" },
      body: JSON.stringify(message("resources/read", { uri }))
    })
    const response = yield* Effect.provide(
      handle(request, Caller.unlimited),
      Logger.replace(Logger.defaultLogger, logger)
    )
    expect(yield* Effect.promise(() => response.json())).toEqual({
      jsonrpc: "2.0",
      id: 1,
      error: { code: -32_603, message: "Internal server error" }
    })
    expect(log.filter((line) => line.includes("swordfish") && line.includes("request-7"))).toHaveLength(1)
  })
)
