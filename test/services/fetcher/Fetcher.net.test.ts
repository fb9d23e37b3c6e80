import { assert, describe, layer } from "@effect/vitest"
import { Deferred, Effect, Fiber, Layer } from "effect"
import { createServer } from "node:http"
import { type Socket } from "node:net"
import { Fetcher } from "../../../src/services/fetcher/Fetcher.ts"
import { issue } from "../../support/Certificates.ts"
import { listen, refusingPort } from "../../support/Listening.ts"
import { plain, rawServer, redirect, targetOf } from "../http-client/RawServer.ts"
import { testSettings } from "../../support/Settings.ts"

const loopback = Layer.provide(Fetcher.layer, testSettings({ FETCH_ALLOWED_NETWORKS: "127.0.0.0/8" }))

const fetch = (url: string) => Effect.flatMap(Fetcher, (fetcher) => fetcher.fetch(url))

const textOf = ({ bytes }: { readonly bytes: Uint8Array }) => new TextDecoder().decode(bytes)

/** What a failure tells, without its tag and stack. */
const failing = (url: string) =>
  Effect.map(Effect.flip(fetch(url)), (error) =>
    error._tag === "UrlNotAllowed"
      ? { url: error.url, reason: error.reason }
      : { url: error.url, reason: error.reason, status_code: error.status_code }
  )

layer(loopback)("a fetch", (it) => {
  it.scoped("asks under its own name and sends nothing that was not meant to be sent", () =>
    Effect.gen(function* () {
      const server = yield* rawServer((socket) => socket.end(plain("200 OK", ["Content-Type: text/html"], "<p>hi")))
      const url = `http://127.0.0.1:${server.port}/a%20b?c=d`
      const fetched = yield* Effect.withSpan(fetch(`${url}#part`), "a span whose ids stay here")
      assert.deepStrictEqual(
        { ...fetched, bytes: textOf(fetched) },
        { finalUrl: url, status: 200, contentType: "text/html", encoding: "", bytes: "<p>hi" }
      )
      assert.deepStrictEqual((yield* server.asked).split("\r\n"), [
        "GET /a%20b?c=d HTTP/1.1",
        `Host: 127.0.0.1:${server.port}`,
        "Connection: keep-alive",
        "User-Agent: Quarry/0.1.0 (+https://github.com/quarry-search/quarry)",
        "Accept: text/html,application/xhtml+xml,application/xml;q=0.9,text/plain;q=0.8,*/*;q=0.5",
        "Accept-Language: en;q=0.9,*;q=0.5",
        "Accept-Encoding: gzip, deflate, br"
      ])
    })
  )

  it.scoped("takes an empty answer as it is", () =>
    Effect.gen(function* () {
      const server = yield* rawServer((socket, head) =>
        socket.end(targetOf(head) === "/204" ? "HTTP/1.1 204 No Content\r\n\r\n" : plain("200 OK", []))
      )
      const none = yield* fetch(`http://127.0.0.1:${server.port}/204`)
      assert.deepStrictEqual([none.status, none.contentType, none.bytes.length], [204, null, 0])
      assert.strictEqual((yield* fetch(`http://127.0.0.1:${server.port}/`)).bytes.length, 0)
    })
  )

  it.scoped("reads a body that ends with the connection", () =>
    Effect.gen(function* () {
      const server = yield* rawServer((socket) => socket.end("HTTP/1.1 200 OK\r\n\r\nuntil the end"))
      assert.strictEqual(textOf(yield* fetch(`http://127.0.0.1:${server.port}/`)), "until the end")
    })
  )

  it.scoped("keeps its connection for the next one", () =>
    Effect.gen(function* () {
      const sockets = new Set<unknown>()
      const { port } = yield* listen(
        createServer((_request, response) => response.end("ok")).on("connection", (socket) => sockets.add(socket))
      )
      yield* fetch(`http://127.0.0.1:${port}/1`)
      // The connection is given back a turn of the event loop after the answer.
      yield* Effect.promise(() => new Promise<void>((resolve) => setImmediate(resolve)))
      yield* fetch(`http://127.0.0.1:${port}/2`)
      assert.strictEqual(sockets.size, 1)
    })
  )

  it.scoped("is tried again when a kept connection turns out to be closed", () =>
    Effect.gen(function* () {
      let asked = 0
      const server = yield* rawServer((socket) => {
        asked++
        if (asked === 2) socket.destroy()
        else socket.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
      })
      yield* fetch(`http://127.0.0.1:${server.port}/1`)
      assert.strictEqual(textOf(yield* fetch(`http://127.0.0.1:${server.port}/2`)), "ok")
      assert.strictEqual(asked, 3)
    })
  )

  it.scoped("is tried again over a new connection, as all kept ones may be closing", () =>
    Effect.gen(function* () {
      const waiting = new Map<Socket, () => void>()
      const server = yield* rawServer((socket) => {
        if (waiting.has(socket)) return void socket.destroy()
        waiting.set(socket, () => socket.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"))
        // Each of the first two gets a connection of its own.
        if (waiting.size >= 2) for (const answer of waiting.values()) answer()
      })
      const url = `http://127.0.0.1:${server.port}/`
      yield* Effect.all([fetch(url), fetch(url)], { concurrency: "unbounded" })
      assert.strictEqual(textOf(yield* fetch(url)), "ok")
    })
  )

  it.scoped("takes a whole body, whatever follows it", () =>
    Effect.gen(function* () {
      const behind = [
        "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok<!-- 1 -->",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\nXYZ"
      ]
      const server = yield* rawServer((socket, head) => socket.end(behind[Number(targetOf(head).slice(1))] ?? ""))
      for (const index of behind.keys())
        assert.strictEqual(textOf(yield* fetch(`http://127.0.0.1:${server.port}/${index}`)), "ok")
    })
  )

  it.scoped("reports a status as it came, without waiting for the body", () =>
    Effect.gen(function* () {
      const server = yield* rawServer((socket, head) => {
        socket.write(`HTTP/1.1 ${targetOf(head).slice(1)} Whatever\r\nContent-Length: 1000000\r\n\r\nnever whole`)
      })
      for (const status of [400, 404, 410, 429, 500, 503, 300, 304, 305]) {
        const url = `http://127.0.0.1:${server.port}/${status}`
        assert.deepStrictEqual(yield* failing(url), { url, reason: "http_status", status_code: status })
      }
      yield* server.closed
    })
  )

  it.scoped("reports a host that refuses, hangs up or talks nonsense", () =>
    Effect.gen(function* () {
      const refusing = { port: yield* refusingPort }
      const asked = { times: 0 }
      const hangUp = yield* rawServer((socket) => {
        asked.times++
        socket.destroy()
      })
      const cutHead = yield* rawServer((socket) => socket.end("HTTP/1.1 200 OK\r\nContent-"))
      const nonsense = yield* rawServer((socket) => socket.end("this is no HTTP\r\n\r\n"))
      const long = yield* rawServer((socket) => {
        socket.write(`HTTP/1.1 200 OK\r\n${"X-A: 0123456789abcdef\r\n".repeat(3000)}\r\n`)
      })
      const reasons = yield* Effect.forEach([refusing, hangUp, cutHead, nonsense, long], ({ port }) =>
        Effect.map(failing(`http://127.0.0.1:${port}/`), ({ reason }) => reason)
      )
      assert.deepStrictEqual(reasons, ["connect_error", "connect_error", "connect_error", "undecodable", "too_large"])
      assert.strictEqual(asked.times, 1, "nobody is asked twice over new connections")
    })
  )

  it.scoped("takes 32 KiB of headers, and no more", () =>
    Effect.gen(function* () {
      const server = yield* rawServer((socket, head) => {
        const lines = Array.from(
          { length: Number(targetOf(head).slice(1)) },
          (_, line) => `X-${line}: ${"a".repeat(1015)}`
        )
        socket.end(plain("200 OK", lines, "ok"))
      })
      for (const [kibibytes, outcome] of [
        [20, "ok"],
        [30, "ok"],
        [34, "too_large"],
        [70, "too_large"]
      ] as const) {
        const told = yield* fetch(`http://127.0.0.1:${server.port}/${kibibytes}`).pipe(
          Effect.match({ onFailure: ({ reason }) => reason, onSuccess: textOf })
        )
        assert.strictEqual(told, outcome, `${kibibytes}`)
      }
    })
  )

  it.scoped("reports a name that does not exist", () =>
    Effect.gen(function* () {
      const url = "http://no-such-host.invalid/"
      assert.deepStrictEqual(yield* failing(url), { url, reason: "dns_error", status_code: null })
    })
  )
})

layer(loopback)("a redirect", (it) => {
  it.scoped("is followed, relative or not, with every status that means one", () =>
    Effect.gen(function* () {
      const steps: Readonly<Record<string, string>> = {
        "/a/start": redirect("../b?x=1#frag", "301 Moved Permanently"),
        "/b?x=1": redirect("?y=2", "303 See Other"),
        "/b?y=2": redirect("//127.0.0.1:PORT/caf\u{c3}\u{a9}", "307 Temporary Redirect"),
        "/caf%C3%A9": redirect("http://127.0.0.1:PORT/end", "308 Permanent Redirect"),
        "/end": redirect("/final")
      }
      const server = yield* rawServer((socket, head) => {
        const step = steps[targetOf(head)] ?? plain("200 OK", ["Content-Type: text/plain"], "there")
        socket.end(step.replace("PORT", String(server.port)), "latin1")
      })
      const fetched = yield* fetch(`http://127.0.0.1:${server.port}/a/start`)
      assert.strictEqual(fetched.finalUrl, `http://127.0.0.1:${server.port}/final`)
      assert.strictEqual(textOf(fetched), "there")
    })
  )

  it.scoped("is followed five times, not six", () =>
    Effect.gen(function* () {
      const server = yield* rawServer((socket, head) => {
        const left = Number(targetOf(head).slice(1))
        socket.end(left === 0 ? plain("200 OK", [], "done") : redirect(`/${left - 1}`))
      })
      assert.strictEqual(textOf(yield* fetch(`http://127.0.0.1:${server.port}/5`)), "done")
      const url = `http://127.0.0.1:${server.port}/6`
      assert.deepStrictEqual(yield* failing(url), { url, reason: "too_many_redirects", status_code: 302 })
    })
  )

  it.scoped("in a circle ends", () =>
    Effect.gen(function* () {
      const server = yield* rawServer((socket) => socket.end(redirect("/")))
      assert.strictEqual((yield* failing(`http://127.0.0.1:${server.port}/`)).reason, "too_many_redirects")
      assert.strictEqual(yield* server.connections, 6)
    })
  )

  it.scoped("without a place to go is a status", () =>
    Effect.gen(function* () {
      const server = yield* rawServer((socket, head) =>
        socket.end(targetOf(head) === "/none" ? plain("302 Found", []) : redirect("http://[::1/"))
      )
      for (const path of ["none", "broken"]) {
        const url = `http://127.0.0.1:${server.port}/${path}`
        assert.deepStrictEqual(yield* failing(url), { url, reason: "http_status", status_code: 302 })
      }
    })
  )

  it.scoped("to a forbidden place is refused under the URL that was asked for", () =>
    Effect.gen(function* () {
      const places = {
        "file:///etc/passwd": "scheme",
        "ftp://127.0.0.1/": "scheme",
        "javascript:alert(1)": "scheme",
        "http://user:pw@127.0.0.1/": "credentials",
        "http://10.0.0.1/": "private_address",
        "http://[::1]/": "private_address",
        "http://0xa9fea9fe/": "metadata_host",
        "http://metadata.google.internal/": "metadata_host",
        "http://93.184.216.34:22/": "port"
      }
      for (const [place, reason] of Object.entries(places)) {
        const server = yield* rawServer((socket) => socket.end(redirect(place)))
        const url = `http://127.0.0.1:${server.port}/`
        const refusal: object = yield* failing(url)
        assert.deepStrictEqual(refusal, { url, reason })
      }
    })
  )

  it.scoped("carries no cookie and no referrer to the next hop", () =>
    Effect.gen(function* () {
      const heads: Array<string> = []
      const server = yield* rawServer((socket, head) => {
        heads.push(head)
        socket.end(
          heads.length === 1 ? redirect("/2").replace("\r\n", "\r\nSet-Cookie: a=b; Path=/\r\n") : plain("200 OK", [])
        )
      })
      yield* fetch(`http://127.0.0.1:${server.port}/1`)
      assert.strictEqual(heads[1], heads[0]?.replace("/1", "/2"))
    })
  )
})

layer(loopback)("an interrupted fetch", (it) => {
  it.scoped("closes its socket while it waits for an answer", () =>
    Effect.gen(function* () {
      const server = yield* rawServer(() => undefined)
      const fiber = yield* Effect.fork(fetch(`http://127.0.0.1:${server.port}/`))
      yield* server.asked
      yield* Fiber.interrupt(fiber)
      yield* server.closed
    })
  )

  it.scoped("closes its socket while a body drips", () =>
    Effect.gen(function* () {
      const dripped = yield* Deferred.make<void>()
      const server = yield* rawServer((socket) => {
        socket.write("HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n")
        let drops = 0
        const drip = setInterval(() => {
          socket.write(".")
          if (++drops === 20) Deferred.unsafeDone(dripped, Effect.void)
        }, 2)
        socket.on("close", () => clearInterval(drip))
      })
      const fiber = yield* Effect.fork(fetch(`http://127.0.0.1:${server.port}/`))
      yield* Deferred.await(dripped)
      yield* Fiber.interrupt(fiber)
      yield* server.closed
    })
  )

  it.scoped("closes its socket while TLS is shaking hands", () =>
    Effect.gen(function* () {
      const server = yield* rawServer(() => undefined)
      const fiber = yield* Effect.fork(fetch(`https://127.0.0.1:${server.port}/`))
      yield* Deferred.await(server.touched)
      yield* Fiber.interrupt(fiber)
      yield* server.closed
    })
  )

  it.scoped("leaves the others to the same host alone", () =>
    Effect.gen(function* () {
      const server = yield* rawServer((socket, head) => {
        if (targetOf(head) === "/answered") socket.end(plain("200 OK", [], "ok"))
      })
      const base = `http://127.0.0.1:${server.port}`
      const hanging = yield* Effect.fork(fetch(`${base}/hanging`))
      yield* server.asked
      const answered = yield* Effect.fork(fetch(`${base}/answered`))
      yield* Fiber.interrupt(hanging)
      assert.strictEqual(textOf(yield* answered), "ok")
    })
  )
})

const strict = Layer.provide(Fetcher.layer, testSettings({}))

const loopback6 = Layer.provide(Fetcher.layer, testSettings({ FETCH_ALLOWED_NETWORKS: "::1" }))

layer(loopback6)("an IPv6 address", (it) => {
  it.scoped("is reached by its literal", () =>
    Effect.gen(function* () {
      const server = yield* rawServer((socket) => socket.end(plain("200 OK", [], "six")), {
        at: { port: 0, address: "::1" }
      })
      assert.strictEqual(textOf(yield* fetch(`http://[::1]:${server.port}/`)), "six")
    })
  )
})

layer(strict)("an address that nobody opened", (it) => {
  it.scoped("is not connected to", () =>
    Effect.gen(function* () {
      const server = yield* rawServer((socket) => socket.end(plain("200 OK", [], "secret")))
      const hosts = ["127.0.0.1", "localhost", "2130706433", "0x7f.1", "[::ffff:127.0.0.1]", "0", "127.0.0.1."]
      for (const host of hosts) {
        const url = `http://${host}:${server.port}/`
        assert.deepStrictEqual(yield* failing(url), { url, reason: "private_address" })
      }
      assert.strictEqual(yield* server.connections, 0)
    })
  )
})

describe("TLS", () => {
  layer(loopback)("with a certificate that nobody vouches for", (it) => {
    it.scoped("is refused", () =>
      Effect.gen(function* () {
        const server = yield* rawServer((socket) => socket.end(plain("200 OK", [])), { tls: issue(["127.0.0.1"]) })
        const url = `https://127.0.0.1:${server.port}/`
        assert.deepStrictEqual(yield* failing(url), { url, reason: "tls_error", status_code: null })
      })
    )

    it.scoped("is not what a plain server speaks", () =>
      Effect.gen(function* () {
        const { port } = yield* listen(createServer())
        assert.strictEqual((yield* failing(`https://127.0.0.1:${port}/`)).reason, "tls_error")
      })
    )
  })
})
