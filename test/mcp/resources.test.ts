import { expect, it, layer } from "@effect/vitest"
import { Effect, Layer, Logger, Schema } from "effect"
import { EngineList } from "../../src/domain/Info.ts"
import { mcpDoor } from "../../src/mcp/Door.ts"
import { Caller } from "../../src/services/Caller.ts"
import { Content } from "../../src/services/Content.ts"
import { Engines } from "../../src/services/Engines.ts"
import { Search } from "../../src/services/Search.ts"
import { call, newClient } from "../support/Client.ts"
import { eras, overHttp, overStdio } from "../support/McpClients.ts"
import { message, post } from "../support/Posted.ts"
import { quarry } from "../support/Quarry.ts"
import { testSettings } from "../support/Settings.ts"

const uri = "quarry://engines"

const decode = Schema.decodeUnknownSync(EngineList, { onExcessProperty: "error" })
const parse = Schema.decodeUnknownSync(Schema.parseJson())

const transports = [
  ["HTTP", overHttp],
  ["stdio", overStdio]
] as const

/** What does not depend on what was asked of them. */
const lasting = (list: unknown) =>
  decode(list).engines.map(({ access, kinds, name, needs_key }) => ({ name, access, kinds, needs_key }))

layer(quarry(), { excludeTestServices: true, timeout: "30 seconds" })("resources", (it) => {
  for (const [transport, connect] of transports) {
    for (const era of eras) {
      it.scoped(`${era} over ${transport}: the engines are listed and read, what is not there is told`, () =>
        Effect.gen(function* () {
          const client = yield* connect(era)
          expect(yield* client.listResources).toEqual([
            expect.objectContaining({ uri, name: "engines", title: "Engines", mimeType: "application/json" })
          ])
          const [text, ...more] = yield* client.readResource(uri)
          expect(more).toEqual([])
          expect(lasting(parse(text))).toEqual(lasting((yield* call("/api/engines")).body))
          for (const unknown of ["quarry://nothing", "quarry://engines/", "file:///etc/passwd", "no URI"]) {
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
    const { handle } = yield* Effect.provide(mcpDoor, services)
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
