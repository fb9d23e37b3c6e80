import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { EngineClient } from "../../../../../src/services/engine/runtime/client/EngineClient.ts"
import { type EngineRequest } from "../../../../../src/services/engine/Engine.ts"
import { issue } from "../../../../support/Certificates.ts"
import { testSettings } from "../../../../support/Settings.ts"
import * as SocksProxy from "../../../../support/SocksProxy.ts"
import { type Answering, plain, rawServer, redirect } from "../../../http-client/RawServer.ts"
import { trustAuthority } from "../../../http-client/TrustAuthority.ts"

const keys = { BRAVE_API_KEY: "b+r/a=v&e", GOOGLE_API_KEY: "go%og#le?", TAVILY_API_KEY: "tvly" }

const request: EngineRequest = {
  method: "GET",
  url: "https://api.engine.test/search",
  params: [["q", "a b"]],
  secrets: [
    { as: "header", name: "X-Subscription-Token", variable: "BRAVE_API_KEY" },
    { as: "header", name: "Authorization", variable: "TAVILY_API_KEY", prefix: "Bearer " },
    { as: "param", name: "key", variable: "GOOGLE_API_KEY" },
    { as: "param", name: "cx", variable: "GOOGLE_CSE_ID" },
    { as: "header", name: "x-api-key", variable: "EXA_API_KEY" }
  ],
  persona: "program",
  follow: true
}

const ok = plain("200 OK", ["Content-Type: application/json"], "{}")

/** Every host of an engine, behind a proxy, and a client that has keys. */
const keyed = (answer: Answering) =>
  Effect.gen(function* () {
    const engine = yield* rawServer(answer, { tls: issue(["*.engine.test"]) })
    const proxy = yield* SocksProxy.make({ route: () => ({ host: "127.0.0.1", port: engine.port }) })
    const settings = testSettings({ SEARCH_PROXY: proxy.url, ...keys })
    const context = yield* Layer.build(Layer.mergeAll(Layer.provide(EngineClient.layer, settings), trustAuthority))
    const send = (given: EngineRequest) =>
      Effect.flatMap(EngineClient, (client) => client.send(given)).pipe(Effect.provide(context))
    return { engine, proxy, send }
  })

const hostsOf = (connects: ReadonlyArray<{ readonly host: string }>) => connects.map(({ host }) => host)

describe("the keys of a request", () => {
  it.scoped("go where it says, as they are; the address of the answer has none; one that is not set is left out", () =>
    Effect.gen(function* () {
      const { engine, send } = yield* keyed((socket) => socket.end(ok))
      const { url } = yield* send(request)
      const head = yield* engine.asked
      const [line = ""] = head.split("\r\n")
      const asked = new URL(line.split(" ")[1] ?? "", url).searchParams
      assert.deepStrictEqual(
        [...asked],
        [
          ["q", "a b"],
          ["key", "go%og#le?"]
        ]
      )
      assert.include(head, "\r\nX-Subscription-Token: b+r/a=v&e\r\n")
      assert.match(head, /\r\nAuthorization: Bearer tvly(?:\r\n|$)/)
      assert.notInclude(head.toLowerCase(), "x-api-key")
      assert.strictEqual(url, "https://api.engine.test/search?q=a+b")
    })
  )

  it.scoped("go to no request that does not ask for them", () =>
    Effect.gen(function* () {
      const { engine, send } = yield* keyed((socket) => socket.end(ok))
      const { secrets: _, ...without } = request
      yield* send(without)
      assert.notMatch(yield* engine.asked, /tvly|go%25og|b\+r/)
    })
  )

  it.scoped("do not follow a redirect to another host, be it of the same site", () =>
    Effect.gen(function* () {
      const heads: Array<string> = []
      const { proxy, send } = yield* keyed((socket, head) => {
        heads.push(head)
        socket.end(redirect("https://www.engine.test/moved?key=go%25og%23le%3F"))
      })
      const answer = yield* send(request)
      assert.strictEqual(answer.status, 302)
      assert.strictEqual(heads.length, 1)
      assert.deepStrictEqual(hostsOf(yield* proxy.connects), ["api.engine.test"])
    })
  )

  it.scoped("follow one on their own host", () =>
    Effect.gen(function* () {
      const { send } = yield* keyed((socket, head) =>
        socket.end(head.startsWith("GET /search") ? redirect("/v2?key=again") : ok)
      )
      const answer = yield* send(request)
      assert.deepStrictEqual([answer.status, answer.url], [200, "https://api.engine.test/v2"])
    })
  )
})
