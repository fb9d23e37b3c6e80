import { assert, layer } from "@effect/vitest"
import { Effect, Layer, TestClock } from "effect"
import { randomBytes } from "node:crypto"
import { brotliCompressSync, constants, gzipSync } from "node:zlib"
import { Fetcher } from "../../../src/services/fetcher/Fetcher.ts"
import { Resolver } from "../../../src/services/fetcher/Resolver.ts"
import { testSettings } from "../../support/Settings.ts"
import { plain, rawServer, redirect, targetOf } from "../http-client/RawServer.ts"

const fetcher = Fetcher.layerWithoutResolver.pipe(
  Layer.provide([
    testSettings({ FETCH_ALLOWED_NETWORKS: "127.0.0.1", FETCH_RESPECT_ROBOTS: "true" }),
    Layer.succeed(Resolver, { resolve: () => Effect.succeed(["127.0.0.1"]) })
  ])
)

/** A site with this robots.txt, given as a whole answer, and how often that was asked for. */
const site = (robots: string | Buffer | ((asked: number) => string), more: Readonly<Record<string, string>> = {}) =>
  Effect.gen(function* () {
    const state = { robots: 0, pages: 0 }
    const server = yield* rawServer((socket, head) => {
      const path = targetOf(head)
      if (path === "/robots.txt") {
        state.robots++
        return socket.end(typeof robots === "function" ? robots(state.robots) : robots)
      }
      const answer = more[path]
      if (answer === undefined) state.pages++
      return socket.end(answer ?? plain("200 OK", ["Content-Type: text/plain"], "page"))
    })
    const fetch = (path: string) =>
      Effect.flatMap(Fetcher, (service) => service.fetch(`http://127.0.0.1:${server.port}${path}`)).pipe(
        Effect.map(({ status }) => String(status)),
        Effect.catchAll(({ reason }) => Effect.succeed(reason))
      )
    return { fetch, state, port: server.port }
  })

const file = (text: string) => plain("200 OK", ["Content-Type: text/plain"], text)

/** A whole answer whose file went through these codings. */
const encoded = (text: string, encoding: string): Buffer => {
  const codings = encoding.split(", ")
  const body = codings.reduce(
    (bytes, coding) =>
      coding === "gzip" ? gzipSync(bytes) : coding === "br" ? brotliCompressSync(bytes, fast) : bytes,
    Buffer.from(text)
  )
  const head = ["HTTP/1.1 200 OK", `Content-Encoding: ${encoding}`, `Content-Length: ${body.length}`, "", ""]
  return Buffer.concat([Buffer.from(head.join("\r\n")), body])
}

const fast = { params: { [constants.BROTLI_PARAM_QUALITY]: 3 } }

layer(fetcher)("robots.txt of a target", (it) => {
  it.scoped("is asked for once, and obeyed", () =>
    Effect.gen(function* () {
      const { fetch, state } = yield* site(file("User-agent: Quarry\nDisallow: /private"))
      const reasons = yield* Effect.forEach(["/", "/private/1", "/public", "/private"], fetch, { concurrency: 4 })
      assert.deepStrictEqual(reasons, ["200", "robots", "200", "robots"])
      assert.deepStrictEqual(state, { robots: 1, pages: 2 })
    })
  )

  it.scoped("is asked for again after an hour", () =>
    Effect.gen(function* () {
      const { fetch, state } = yield* site((asked) => file(asked === 1 ? "User-agent: *\nDisallow: /" : ""))
      assert.strictEqual(yield* fetch("/"), "robots")
      yield* TestClock.adjust("59 minutes")
      assert.strictEqual(yield* fetch("/"), "robots")
      yield* TestClock.adjust("2 minutes")
      assert.strictEqual(yield* fetch("/"), "200")
      assert.strictEqual(state.robots, 2)
    })
  )

  it.scoped("that is not there forbids nothing, one that fails everything, for a minute (RFC 9309, 2.3.1)", () =>
    Effect.gen(function* () {
      for (const status of ["400 Bad Request", "401 Unauthorized", "403 Forbidden", "404 Not Found", "410 Gone"]) {
        for (const encoding of [[], ["Content-Encoding: zstd"]]) {
          const { fetch } = yield* site(plain(status, encoding, "User-agent: *\nDisallow: /"))
          assert.strictEqual(yield* fetch("/"), "200", status)
        }
      }
      for (const status of ["500 Oops", "503 Busy"]) {
        const { fetch, state } = yield* site((asked) => (asked === 1 ? plain(status, []) : file("")))
        assert.strictEqual(yield* fetch("/"), "robots", status)
        assert.strictEqual(yield* fetch("/"), "robots", status)
        assert.deepStrictEqual(state, { robots: 1, pages: 0 })
        yield* TestClock.adjust("61 seconds")
        assert.strictEqual(yield* fetch("/"), "200", status)
      }
    })
  )

  it.scoped("is followed five times, to other hosts too, but to no forbidden one", () =>
    Effect.gen(function* () {
      const steps = Object.fromEntries([1, 2, 3, 4].map((step) => [`/r${step}`, redirect(`/r${step + 1}`)]))
      const five = yield* site(redirect("/r1"), { ...steps, "/r5": file("User-agent: *\nDisallow: /") })
      assert.strictEqual(yield* five.fetch("/"), "robots")
      const six = yield* site(redirect("/r1"), {
        ...steps,
        "/r5": redirect("/r6"),
        "/r6": file("User-agent: *\nDisallow: /")
      })
      assert.strictEqual(yield* six.fetch("/"), "200")
      const other = yield* site(redirect(`http://elsewhere.test:${five.port}/r5`))
      assert.strictEqual(yield* other.fetch("/"), "robots")
      const inside = yield* site(redirect("http://10.0.0.1/robots.txt"))
      assert.strictEqual(yield* inside.fetch("/"), "robots")
    })
  )

  it.scoped("is read for its first 500 KiB, however long it is", () =>
    Effect.gen(function* () {
      const filler = `${"#".repeat(1023)}\n`
      const early = `${filler.repeat(490)}User-agent: *\nDisallow: /early\n`
      const late = `${filler.repeat(20)}Disallow: /late\n${filler.repeat(3000)}`
      const random = randomBytes(1_500_000)
        .toString("base64")
        .replaceAll(/(.{76})/g, "#$1\n")
      const texts = {
        "": [early + late],
        gzip: [early + late, early + random],
        br: [early + late, early + random],
        "br, gzip": [early + late]
      }
      for (const [encoding, variants] of Object.entries(texts)) {
        for (const text of variants) {
          const { fetch } = yield* site(encoded(text, encoding))
          assert.deepStrictEqual(yield* Effect.forEach(["/early", "/late", "/"], fetch), ["robots", "200", "200"])
        }
      }
      const bomb = yield* site(encoded("\n".repeat(100_000_000), "gzip"))
      assert.strictEqual(yield* bomb.fetch("/"), "200")
    })
  )

  it.scoped("of a redirect's target is obeyed as well", () =>
    Effect.gen(function* () {
      const target = yield* site(file("User-agent: *\nDisallow: /"))
      const start = yield* site(plain("404 Not Found", []), {
        "/go": redirect(`http://elsewhere.test:${target.port}/x`)
      })
      assert.strictEqual(yield* start.fetch("/go"), "robots")
      assert.strictEqual(target.state.pages, 0)
    })
  )

  it.scoped("that cannot be asked for is the host's fault, told as such", () =>
    Effect.gen(function* () {
      const { port } = yield* Effect.scoped(site(""))
      const error = yield* Effect.flip(Effect.flatMap(Fetcher, (service) => service.fetch(`http://127.0.0.1:${port}/`)))
      assert.strictEqual(error.reason, "connect_error")
    })
  )
})
