import { expect, layer } from "@effect/vitest"
import { Effect } from "effect"
import { type IncomingMessage } from "node:http"
import { request } from "node:https"
import { SocksProxyAgent } from "socks-proxy-agent"
import { Authority } from "./Certificates.ts"
import { credentials, upstreamWeb } from "./Quarry.ts"
import { type Manner, SocksProxy } from "./SocksProxy.ts"
import { TestWeb } from "./TestWeb.ts"
import * as Behaviour from "./upstream/Behaviour.ts"

const textOf = async (response: IncomingMessage): Promise<string> => {
  const chunks: Array<Buffer> = []
  for await (const chunk of response) chunks.push(Buffer.from(chunk))
  return Buffer.concat(chunks).toString("utf8")
}

/** A request as the service makes it: over TLS, through the proxy, the name unresolved. */
const get = (url: string, password = encodeURIComponent(credentials.password)) =>
  Effect.gen(function* () {
    const { pem } = yield* Authority
    const { port } = yield* SocksProxy
    const agent = new SocksProxyAgent(`socks5h://${credentials.user}:${password}@127.0.0.1:${port}`)
    return yield* Effect.tryPromise({
      try: (signal) =>
        new Promise<{ readonly status: number | undefined; readonly text: string }>((resolve, reject) => {
          request(url, { agent, ca: pem, signal }, (response) => {
            textOf(response).then((text) => resolve({ status: response.statusCode, text }), reject)
          })
            .on("error", reject)
            .end()
        }),
      catch: (cause) => (cause instanceof Error ? cause.message : "unknown")
    })
  })

const mojeek = "https://www.mojeek.com/search?q=bridges"

layer(upstreamWeb, { excludeTestServices: true })("the test web behind its proxy", (it) => {
  it.effect("is reached by name, and both write down who asked for what", () =>
    Effect.gen(function* () {
      const web = yield* TestWeb
      const proxied = yield* SocksProxy
      yield* web.behave("mojeek", Behaviour.generated(12))
      const first = yield* get(mojeek)
      const second = yield* get(`${mojeek}&s=11`)
      expect(first.text.match(/class="title"/g)).toHaveLength(10)
      expect(second.text.match(/class="title"/g)).toHaveLength(2)
      expect(yield* proxied.connects).toContainEqual({
        host: "www.mojeek.com",
        port: 443,
        type: "name",
        user: credentials.user
      })
      const asked = yield* web.requests("mojeek")
      expect(asked.map(({ query }) => Object.fromEntries(query))).toEqual([{ q: "bridges" }, { q: "bridges", s: "11" }])
    })
  )

  it.effect("breaks in the ways it is told", () =>
    Effect.gen(function* () {
      const web = yield* TestWeb
      const failing = (behaviour: Behaviour.Behaviour) =>
        Effect.zipRight(web.behave("mojeek", behaviour), Effect.flip(get(mojeek)))
      expect(yield* failing(Behaviour.tlsError)).toMatch(/self.signed/)
      expect(yield* failing(Behaviour.refused)).toMatch(/ConnectionRefused/)
      expect(yield* failing(Behaviour.noSuchHost)).toMatch(/HostUnreachable/)
      expect(yield* failing(Behaviour.reset)).toMatch(/hang up/)
      expect(yield* failing(Behaviour.truncated)).toMatch(/aborted/)
      yield* web.behave("mojeek", Behaviour.block)
      expect(yield* get(mojeek)).toMatchObject({ status: 403 })
    })
  )

  it.effect("has a proxy that misbehaves, and turns strangers away", () =>
    Effect.gen(function* () {
      const proxied = yield* SocksProxy
      const failing = (manner: Manner) => Effect.zipRight(proxied.behave(manner), Effect.flip(get(mojeek)))
      for (const manner of ["refuse-auth", "host-unreachable", "close", "garbage"] as const) yield* failing(manner)
      yield* proxied.behave("honest")
      expect(yield* Effect.flip(get(mojeek, "wrong"))).toMatch(/[Aa]uthentication/)
    })
  )
})
