import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Layer, Queue } from "effect"
import { createServer } from "node:http"
import { type Socket } from "node:net"
import { TLSSocket } from "node:tls"
import { inspect } from "node:util"
import { gzipSync } from "node:zlib"
import { EngineClient } from "../../../../../src/services/engine/runtime/client/EngineClient.ts"
import { type EngineRequest } from "../../../../../src/services/engine/Engine.ts"
import { type Flaw, issue } from "../../../../support/Certificates.ts"
import { listen, refusingPort } from "../../../../support/Listening.ts"
import * as SocksProxy from "../../../../support/SocksProxy.ts"
import { type Answering, plain, rawServer, redirect, targetOf } from "../../../http-client/RawServer.ts"
import { testSettings } from "../../../../support/Settings.ts"
import { trustAuthority } from "../../../http-client/TrustAuthority.ts"

const credentials = { user: "quarry", password: "p@ss:w/rd%" }
const page: EngineRequest = { method: "GET", url: "https://www.engine.test/", persona: "browser", follow: true }

interface Setup {
  readonly hosts?: ReadonlyArray<string>
  readonly flaw?: Flaw
  /** Of the URL in `SEARCH_PROXY`. */
  readonly proxyUrl?: (url: string) => string
}

/** An engine with a certificate of its own, behind a proxy that alone knows where it is. */
const behindProxy = (answer: Answering, { flaw, hosts = ["*.engine.test"], proxyUrl = (url) => url }: Setup = {}) =>
  Effect.gen(function* () {
    const engine = yield* rawServer(answer, { tls: issue(hosts, flaw) })
    const proxy = yield* SocksProxy.make({ route: () => ({ host: "127.0.0.1", port: engine.port }), credentials })
    const settings = testSettings({ SEARCH_PROXY: proxyUrl(proxy.url) })
    const context = yield* Layer.build(Layer.mergeAll(Layer.provide(EngineClient.layer, settings), trustAuthority))
    const send = (request: EngineRequest) =>
      Effect.flatMap(EngineClient, (client) => client.send(request)).pipe(Effect.provide(context))
    const failing = Effect.map(Effect.flip(send(page)), ({ fault }) => fault)
    return { engine, proxy, send, failing }
  })

const ok = (body = "ok") => plain("200 OK", ["Content-Type: text/html; charset=utf-8"], body)

describe("a search through the proxy", () => {
  for (const scheme of ["socks5", "socks5h"]) {
    it.scoped(`leaves names to it under ${scheme}`, () =>
      Effect.gen(function* () {
        const names: Array<string> = []
        const { proxy, send } = yield* behindProxy(
          (socket) => {
            if (socket instanceof TLSSocket) names.push(String(Reflect.get(socket, "servername")))
            socket.end(ok())
          },
          { proxyUrl: (url) => url.replace("socks5h:", `${scheme}:`) }
        )
        const answer = yield* send(page)
        assert.strictEqual(answer.body, "ok")
        assert.deepStrictEqual(yield* proxy.connects, [
          { host: "www.engine.test", port: 443, type: "name", user: "quarry" }
        ])
        assert.deepStrictEqual(names, ["www.engine.test"])
      })
    )
  }

  it.scoped("sends parameters, form, cookies and headers as they are meant to be", () =>
    Effect.gen(function* () {
      const { engine, send } = yield* behindProxy((socket) => socket.end(ok()))
      const answer = yield* send({
        ...page,
        method: "POST",
        url: "https://html.engine.test/html/",
        params: [
          ["q", "a b&c=d"],
          ["q", "日本"]
        ],
        form: [
          ["q", "ü +"],
          ["b", ""]
        ],
        headers: { Referer: "https://html.engine.test/" },
        cookies: { kl: "us-en" }
      })
      assert.strictEqual(answer.url, "https://html.engine.test/html/?q=a+b%26c%3Dd&q=%E6%97%A5%E6%9C%AC")
      const head = (yield* engine.asked).split("\r\n")
      assert.strictEqual(head[0], "POST /html/?q=a+b%26c%3Dd&q=%E6%97%A5%E6%9C%AC HTTP/1.1")
      assert.deepStrictEqual(
        head.slice(1).map((line) => line.split(":")[0]),
        [
          ...["Host", "Connection", "User-Agent", "Accept", "Accept-Language", "Accept-Encoding"],
          ...["Upgrade-Insecure-Requests", "Sec-Fetch-Dest", "Sec-Fetch-Mode", "Sec-Fetch-Site", "Sec-Fetch-User"],
          ...["Content-Type", "Cookie", "Referer", "Content-Length"]
        ]
      )
      assert.include(head, "Content-Length: 15")
    })
  )

  it.scoped("sends a form's fields in their order, repeated and empty ones too", () =>
    Effect.gen(function* () {
      const { port } = yield* listen(createServer((request, response) => void request.pipe(response)))
      const client = yield* EngineClient
      const url = `http://127.0.0.1:${port}/`
      const form = [
        ["q", "ü +"],
        ["b", ""],
        ["q", "2"]
      ] as const
      const answer = yield* client.send({ ...page, method: "POST", url, form })
      assert.strictEqual(answer.body, "q=%C3%BC+%2B&b=&q=2")
    }).pipe(Effect.provide(Layer.provide(EngineClient.layer, testSettings({}))))
  )

  it.scoped("gives back status, headers and decoded body, whatever the status", () =>
    Effect.gen(function* () {
      const body = gzipSync(Buffer.from("<p>caf\u{e9} \u{93}x\u{94}</p>", "latin1"))
      const { send } = yield* behindProxy((socket) => {
        socket.write(
          [
            "HTTP/1.1 429 Too Many Requests",
            "Content-Type: text/html; charset=windows-1252",
            "Content-Encoding: gzip",
            "RETRY-AFTER: 7",
            "Set-Cookie: a=1",
            "Set-Cookie: b=2",
            `Content-Length: ${body.length}\r\n\r\n`
          ].join("\r\n")
        )
        socket.write(body)
      })
      const answer = yield* send(page)
      assert.strictEqual(answer.status, 429)
      assert.strictEqual(answer.body, "<p>café \u{201c}x\u{201d}</p>")
      assert.strictEqual(answer.headers["retry-after"], "7")
      assert.strictEqual(answer.headers["set-cookie"], "a=1, b=2")
    })
  )

  it.scoped("takes no more than 6 MiB, decompressed or not", () =>
    Effect.gen(function* () {
      const size = 6 * 1024 * 1024
      const bodies = [Buffer.alloc(size, "a"), Buffer.alloc(size + 1, "a")]
      const outcomes = yield* Effect.forEach(
        bodies.flatMap(
          (body) =>
            [
              ["identity", body],
              ["gzip", gzipSync(body)]
            ] as const
        ),
        ([encoding, body]) =>
          Effect.gen(function* () {
            const { send } = yield* behindProxy((socket) => {
              socket.write(`HTTP/1.1 200 OK\r\nContent-Encoding: ${encoding}\r\nContent-Length: ${body.length}\r\n\r\n`)
              socket.end(body)
            })
            return yield* Effect.match(send(page), {
              onFailure: ({ fault }) => fault,
              onSuccess: (answer) => answer.body.length
            })
          }).pipe(Effect.scoped)
      )
      assert.deepStrictEqual(outcomes, [size, size, "layout_changed", "layout_changed"])
    })
  )

  it.scoped("sends sixteen at once to a host", () =>
    Effect.gen(function* () {
      const asked = yield* Queue.unbounded<Socket>()
      const { send } = yield* behindProxy((socket) => Queue.unsafeOffer(asked, socket))
      const all = yield* Effect.fork(Effect.replicateEffect(send(page), 17, { concurrency: "unbounded" }))
      const held = yield* Queue.takeN(asked, 16)
      const other = yield* Effect.fork(send({ ...page, url: "https://other.engine.test/" }))
      // By now the seventeenth would have come as well.
      const next = yield* Queue.take(asked)
      assert.strictEqual(yield* Queue.size(asked), 0)
      next.end(ok("other"))
      assert.strictEqual((yield* Fiber.join(other)).body, "other")
      for (const socket of held) socket.end(ok())
      const last = yield* Queue.take(asked)
      last.end(ok())
      assert.lengthOf(yield* Fiber.join(all), 17)
    })
  )

  it.scoped("keeps its connection for the next one", () =>
    Effect.gen(function* () {
      const { proxy, send } = yield* behindProxy((socket) =>
        socket.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
      )
      yield* send(page)
      yield* Effect.promise(() => new Promise<void>((resolve) => setImmediate(resolve)))
      yield* send(page)
      assert.strictEqual((yield* proxy.connects).length, 1)
    })
  )
})

describe("a redirect", () => {
  const counting: Answering = (socket, head) => {
    const left = Number(targetOf(head).slice(1))
    socket.end(left === 0 ? ok("done") : redirect(`/${left - 1}`))
  }

  it.scoped("is followed three times; the next one is the answer", () =>
    Effect.gen(function* () {
      const { send } = yield* behindProxy(counting)
      const followed = yield* send({ ...page, url: "https://www.engine.test/3" })
      assert.deepStrictEqual([followed.status, followed.url], [200, "https://www.engine.test/0"])
      const stopped = yield* send({ ...page, url: "https://www.engine.test/4" })
      assert.deepStrictEqual([stopped.status, stopped.url], [302, "https://www.engine.test/1"])
    })
  )

  it.scoped("is the answer where none is to be followed", () =>
    Effect.gen(function* () {
      const { send } = yield* behindProxy(counting)
      const answer = yield* send({ ...page, url: "https://www.engine.test/1", follow: false })
      assert.deepStrictEqual([answer.status, answer.headers["location"]], [302, "/0"])
    })
  )

  it.scoped("off the engine's site is the answer, and nobody there is asked", () =>
    Effect.gen(function* () {
      const { proxy, send } = yield* behindProxy((socket) => socket.end(redirect("https://captcha.example/")))
      assert.strictEqual((yield* send(page)).status, 302)
      assert.deepStrictEqual(
        (yield* proxy.connects).map(({ host }) => host),
        ["www.engine.test"]
      )
    })
  )
})

describe("a session", () => {
  const cookieOf = (head: string) => /^cookie: (.*)$/im.exec(head)?.[1] ?? null

  it.scoped("keeps the cookies of every answer on the way and sends them from then on", () =>
    Effect.gen(function* () {
      const heads: Array<string> = []
      const set = [
        "Location: /_bv/v.gif",
        "Set-Cookie: YBV=1; Path=/; Domain=.engine.test; Max-Age=60",
        "Set-Cookie: A1=d; Expires=Thu, 01 Jan 1970 02:00:00 GMT"
      ]
      const { send } = yield* behindProxy((socket, head) => {
        heads.push(head)
        const isKnown = cookieOf(head)?.includes("YBV=") === true
        socket.end(isKnown ? ok("results") : plain("307 Temporary Redirect", set))
      })
      const asked = { ...page, cookies: { sB: "v=1&vm=p" }, session: true }
      const answer = yield* send(asked)
      assert.deepStrictEqual([answer.body, answer.url], ["results", "https://www.engine.test/_bv/v.gif"])
      yield* send({ ...asked, url: "https://news.engine.test/" })
      yield* send({ ...page, follow: false })
      assert.deepStrictEqual(heads.map(cookieOf), [
        "sB=v=1&vm=p",
        "sB=v=1&vm=p; YBV=1; A1=d",
        "sB=v=1&vm=p; YBV=1",
        null
      ])
    })
  )
})

describe("a fault", () => {
  const faults: ReadonlyArray<readonly [SocksProxy.Manner, string]> = [
    ["refuse-auth", "proxy_error"],
    ["close", "proxy_error"],
    ["garbage", "proxy_error"],
    ["host-unreachable", "connect_error"]
  ]
  for (const [manner, reason] of faults) {
    it.scoped(`of a proxy that does "${manner}" is ${reason}`, () =>
      Effect.gen(function* () {
        const { engine, failing, proxy, send } = yield* behindProxy((socket) => socket.end(ok()))
        yield* proxy.behave(manner)
        assert.strictEqual(yield* failing, reason)
        assert.strictEqual(yield* engine.connections, 0)
        yield* proxy.behave("honest")
        assert.strictEqual((yield* send(page)).body, "ok")
      })
    )
  }

  it.scoped("of a proxy that refuses is proxy_error, and nothing goes around it", () =>
    Effect.gen(function* () {
      const engine = yield* rawServer((socket) => socket.end(ok()))
      const proxy = `socks5h://127.0.0.1:${yield* refusingPort}`
      const layer = Layer.provide(EngineClient.layer, testSettings({ SEARCH_PROXY: proxy }))
      const error = yield* Effect.flatMap(EngineClient, (client) =>
        Effect.flip(client.send({ ...page, url: `http://127.0.0.1:${engine.port}/` }))
      ).pipe(Effect.provide(layer))
      assert.strictEqual(error.fault, "proxy_error")
      assert.strictEqual(yield* engine.connections, 0)
    })
  )

  it.scoped("keeps the password to itself", () =>
    Effect.gen(function* () {
      const { proxy, send } = yield* behindProxy((socket) => socket.end(ok()))
      yield* proxy.behave("refuse-auth")
      const error = yield* Effect.flip(send(page))
      const shown = inspect(error, { depth: 20, showHidden: true })
      for (const secret of ["p@ss", encodeURIComponent(credentials.password)]) assert.notInclude(shown, secret)
    })
  )

  const certificates: ReadonlyArray<readonly [string, Setup]> = [
    ["for another name", { hosts: ["www.elsewhere.test"] }],
    ["that expired", { flaw: "expired" }],
    ["that signed itself", { flaw: "self-signed" }]
  ]
  for (const [name, setup] of certificates) {
    it.scoped(`of a certificate ${name} is tls_error`, () =>
      Effect.gen(function* () {
        const { failing } = yield* behindProxy((socket) => socket.end(ok()), setup)
        assert.strictEqual(yield* failing, "tls_error")
      })
    )
  }

  const bodies: ReadonlyArray<readonly [string, string, (socket: Socket) => void]> = [
    ["a hang-up", "connect_error", (socket) => socket.destroy()],
    ["a body cut short", "connect_error", (socket) => socket.end("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nshort")],
    ["a body over 6 MiB", "layout_changed", (socket) => socket.end(ok("x".repeat(6 * 1024 * 1024 + 1)))],
    [
      "an encoding that was not asked for",
      "layout_changed",
      (socket) => socket.end(plain("200 OK", ["Content-Encoding: zstd"], "?"))
    ],
    ["garbage", "layout_changed", (socket) => socket.end("garbage\r\n\r\n")]
  ]
  for (const [name, reason, answer] of bodies) {
    it.scoped(`of ${name} is ${reason}`, () =>
      Effect.gen(function* () {
        const { failing } = yield* behindProxy(answer)
        assert.strictEqual(yield* failing, reason)
      })
    )
  }

  it.scoped("of a header that cannot be sent is unsupported", () =>
    Effect.gen(function* () {
      const { engine, send } = yield* behindProxy((socket) => socket.end(ok()))
      const error = yield* Effect.flip(send({ ...page, cookies: { q: "a\r\nX-Injected: 1" } }))
      assert.strictEqual(error.fault, "unsupported")
      assert.strictEqual(yield* engine.connections, 0)
    })
  )

  it.scoped("without a proxy is told by its stage", () =>
    Effect.gen(function* () {
      const server = yield* rawServer((socket) => socket.end(ok()), { tls: issue(["127.0.0.1"]) })
      const send = (url: string) =>
        Effect.flatMap(EngineClient, (client) => Effect.flip(client.send({ ...page, url }))).pipe(
          Effect.map(({ fault }) => fault),
          Effect.provide(Layer.provide(EngineClient.layer, testSettings({})))
        )
      assert.strictEqual(yield* send(`https://127.0.0.1:${server.port}/`), "tls_error")
      assert.strictEqual(yield* send("https://no-such-engine.invalid/"), "dns_error")
      assert.strictEqual(yield* send("http://127.0.0.1:1/"), "connect_error")
    })
  )
})

describe("an interrupted search", () => {
  it.scoped("closes its socket", () =>
    Effect.gen(function* () {
      const { engine, send } = yield* behindProxy(() => undefined)
      const fiber = yield* Effect.fork(send(page))
      yield* engine.asked
      yield* Fiber.interrupt(fiber)
      yield* engine.closed
    })
  )

  it.scoped("does not wait for a proxy that hangs", () =>
    Effect.gen(function* () {
      const { proxy, send } = yield* behindProxy((socket) => socket.end(ok()))
      yield* proxy.behave("hang")
      const fiber = yield* Effect.fork(send(page))
      yield* Effect.yieldNow()
      yield* Fiber.interrupt(fiber)
      yield* proxy.behave("honest")
      assert.strictEqual((yield* send(page)).body, "ok")
    })
  )
})
