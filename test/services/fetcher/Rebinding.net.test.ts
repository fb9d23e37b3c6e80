import { assert, it } from "@effect/vitest"
import { Deferred, Effect, Layer } from "effect"
import { Fetcher } from "../../../src/services/fetcher/Fetcher.ts"
import { NameNotResolved, Resolver } from "../../../src/services/fetcher/Resolver.ts"
import { plain, rawServer, redirect } from "../http-client/RawServer.ts"
import { testSettings } from "../../support/Settings.ts"

/** Stands for the public internet; nothing but this address is opened. */
const open = "127.0.0.1"
/** Stands for the private network behind it. */
const inside = "127.0.0.2"

/** Answers in turn, the last one for ever. */
const answering = (...answers: ReadonlyArray<ReadonlyArray<string>>) => {
  let asked = 0
  return Layer.succeed(Resolver, {
    resolve: (name) =>
      Effect.suspend(() => {
        const answer = answers[Math.min(asked++, answers.length - 1)]
        return answer === undefined ? new NameNotResolved({ name, cause: null }) : Effect.succeed(answer)
      })
  })
}

const fetcherWith = (resolver: Layer.Layer<Resolver>) =>
  Layer.provide(Fetcher.layerWithoutResolver, [testSettings({ FETCH_ALLOWED_NETWORKS: `${open}/32` }), resolver])

/** A server on the open address, and one that counts on the same port of the private one. */
const bothSides = Effect.gen(function* () {
  const outer = yield* rawServer((socket, head) =>
    socket.end(
      head.startsWith("GET /in") ? redirect(`http://rebind.test:${outer.port}/`) : plain("200 OK", [], "outer")
    )
  )
  const inner = yield* rawServer((socket) => socket.end(plain("200 OK", [], "secret")), {
    at: { port: outer.port, address: inside }
  })
  return { url: `http://rebind.test:${outer.port}`, port: outer.port, outer, inner }
})

const fetch = (url: string) => Effect.flatMap(Fetcher, (service) => service.fetch(url))

it.scoped("a name that moves to a private address is not followed there", () =>
  Effect.gen(function* () {
    const { inner, url } = yield* bothSides
    yield* Effect.gen(function* () {
      assert.strictEqual((yield* fetch(`${url}/`)).status, 200)
      const error = yield* Effect.flip(fetch(`${url}/`))
      assert.strictEqual(error.reason, "private_address")
    }).pipe(Effect.provide(fetcherWith(answering([open], [inside]))))
    assert.strictEqual(yield* inner.connections, 0)
  })
)

it.scoped("nor behind a redirect to the same name", () =>
  Effect.gen(function* () {
    const { inner, url } = yield* bothSides
    const error = yield* Effect.flip(fetch(`${url}/in`)).pipe(Effect.provide(fetcherWith(answering([open], [inside]))))
    assert.deepStrictEqual([error._tag, error.reason, error.url], ["UrlNotAllowed", "private_address", `${url}/in`])
    assert.strictEqual(yield* inner.connections, 0)
  })
)

it.scoped("nor when a connection is tried again", () =>
  Effect.gen(function* () {
    const state = { asked: 0 }
    const outer = yield* rawServer((socket) => {
      // Kept, and closed as soon as it is used again.
      if (++state.asked === 1)
        socket.write("HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 2\r\n\r\nok")
      else socket.destroy()
    })
    const inner = yield* rawServer((socket) => socket.end(plain("200 OK", [], "secret")), {
      at: { port: outer.port, address: inside }
    })
    const url = `http://rebind.test:${outer.port}/`
    const error = yield* Effect.zipRight(fetch(url), Effect.flip(fetch(url))).pipe(
      Effect.provide(fetcherWith(answering([open], [inside])))
    )
    assert.strictEqual(error.reason, "private_address")
    assert.deepStrictEqual([state.asked, yield* outer.connections, yield* inner.connections], [2, 1, 0])
  })
)

it.scoped("of several addresses only the allowed ones are tried", () =>
  Effect.gen(function* () {
    const { inner, url } = yield* bothSides
    for (const answer of [
      [inside, open],
      [open, inside],
      ["10.0.0.1", "::1", "169.254.169.254", open]
    ]) {
      const fetched = yield* fetch(`${url}/`).pipe(Effect.provide(fetcherWith(answering(answer))))
      assert.strictEqual(fetched.status, 200)
    }
    assert.strictEqual(yield* inner.connections, 0)
  })
)

it.scoped("with none allowed, the first one's reason is told", () =>
  Effect.gen(function* () {
    const { port } = yield* bothSides
    const cases = [
      { answer: [inside], reason: "private_address" },
      { answer: ["::1"], reason: "private_address" },
      { answer: ["::ffff:10.0.0.1"], reason: "private_address" },
      { answer: ["64:ff9b::a00:1"], reason: "private_address" },
      { answer: ["169.254.169.254", "10.0.0.1"], reason: "metadata_host" },
      { answer: ["93.184.216.34"], reason: "port" },
      { answer: ["not an address"], reason: "private_address" },
      { answer: [], reason: "dns_error" }
    ]
    for (const { answer, reason } of cases) {
      const error = yield* Effect.flip(fetch(`http://rebind.test:${port}/`)).pipe(
        Effect.provide(fetcherWith(answering(answer)))
      )
      assert.strictEqual(error.reason, reason, answer.join())
    }
  })
)

it.scoped("where the socket really is counts, whatever address it was sent to", () =>
  Effect.gen(function* () {
    const server = yield* rawServer((socket) => socket.end(plain("200 OK", [], "secret")))
    // Linux takes a connection to the unspecified address to the loopback one.
    const layer = Layer.provide(Fetcher.layer, testSettings({ FETCH_ALLOWED_NETWORKS: "0.0.0.0/32" }))
    const error = yield* Effect.flip(fetch(`http://0.0.0.0:${server.port}/`)).pipe(Effect.provide(layer))
    assert.strictEqual(error.reason, "private_address")
    yield* server.closed
    assert.isFalse(yield* Deferred.isDone(server.touched))
  })
)
