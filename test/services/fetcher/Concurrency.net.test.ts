import { assert, layer } from "@effect/vitest"
import { Context, Effect, Fiber, Layer, Queue } from "effect"
import { ClientKey } from "../../../src/services/rate-limiter/ClientKey.ts"
import { Fetcher } from "../../../src/services/fetcher/Fetcher.ts"
import { LargeBodies } from "../../../src/services/http-client/HttpExchange.ts"
import { type FairShare } from "../../../src/services/http-client/FairShare.ts"
import { testSettings } from "../../support/Settings.ts"
import { plain, rawServer, targetOf } from "../http-client/RawServer.ts"
import { sockets } from "../http-client/Sockets.ts"

/** Counts who reads large bodies: `asked` and `held` have an element for each that asks and each that may. */
class Counted extends Context.Tag("quarry/test/Counted")<
  Counted,
  { readonly asked: Queue.Queue<string>; readonly held: Queue.Queue<string> }
>() {
  static readonly layer = Layer.effect(
    Counted,
    Effect.all({ asked: Queue.unbounded<string>(), held: Queue.unbounded<string>() })
  )
}

const counting = Layer.effectContext(
  Effect.gen(function* () {
    const { asked, held } = yield* Counted
    const make = yield* LargeBodies
    const counted = Effect.map(
      make,
      (share): FairShare =>
        (client) =>
        (effect) =>
          Effect.zipRight(asked.offer(client), share(client)(Effect.zipRight(held.offer(client), effect)))
    )
    return Context.make(LargeBodies, counted)
  })
)

const fetcher = Fetcher.layer.pipe(
  Layer.provide([counting, testSettings({ FETCH_ALLOWED_NETWORKS: "127.0.0.0/8" })]),
  Layer.provideMerge(Counted.layer)
)

const fetch = (url: string, client: string) =>
  Effect.flatMap(Fetcher, (service) => service.fetch(url)).pipe(Effect.provideService(ClientKey, client))

const textOf = ({ bytes }: { readonly bytes: Uint8Array }) => new TextDecoder().decode(bytes)

/** So much of a body that it is large, and the end that it waits for. */
const [most, end] = ["x".repeat(1.5 * 1024 * 1024), "."]

const largeHead = `HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: ${most.length + end.length}\r\n\r\n`

/** Hosts whose `/held` ends when they are told to; `asked` has an element for each request for it. */
const web = Effect.gen(function* () {
  const asked = yield* Queue.unbounded<string>()
  const held: Array<() => void> = []
  const state = { isOpen: false }
  const open = Effect.sync(() => {
    state.isOpen = true
    for (const release of held) release()
  })
  /** Its origin. */
  const hostAt = (address: string) =>
    Effect.map(
      rawServer(
        (socket, head) => {
          const [, path = "", size = ""] = targetOf(head).split("/")
          if (path === "held") asked.unsafeOffer(address)
          const [first, rest] = size === "large" ? [largeHead + most, end] : ["", plain("200 OK", [], "small")]
          socket.write(first)
          const release = () => void socket.end(rest)
          if (path !== "held" || state.isOpen) release()
          else held.push(release)
        },
        { at: { port: 0, address } }
      ),
      ({ port }) => `http://${address}:${port}`
    )
  return { hostAt, asked, open }
})

/** Enough turns for every fiber to come to where it waits: for its share, or for what a socket brings. */
const settle = Effect.repeatN(Effect.yieldNow(), 1_000)

layer(fetcher, { timeout: "60 seconds" })("of fetches at once", (it) => {
  it.scoped("a host gets sixteen, whoever asks", () =>
    Effect.gen(function* () {
      const { asked, hostAt, open } = yield* web
      const host = yield* hostAt("127.0.0.1")
      const made = yield* sockets
      const fetches = yield* Effect.forEach(Array.from({ length: 24 }), (_, index) =>
        Effect.fork(fetch(`${host}/held/small`, `client ${index}`))
      )
      yield* Queue.takeN(asked, 16)
      yield* settle
      assert.strictEqual(made.count, 16)
      yield* open
      assert.lengthOf(yield* Fiber.joinAll(fetches), 24)
    })
  )

  it.scoped("a client alone has eleven of a host, and half of all", () =>
    Effect.gen(function* () {
      const { asked, hostAt, open } = yield* web
      const hosts = yield* Effect.forEach(Array.from({ length: 26 }), (_, index) => hostAt(`127.0.0.${index + 1}`))
      const made = yield* sockets
      const start = (base: string | undefined, length: number) =>
        Effect.forEach(Array.from({ length }), () => Effect.fork(fetch(`${base}/held/small`, "greedy")))
      const first = yield* start(hosts[0], 12)
      yield* Queue.takeN(asked, 11)
      yield* settle
      assert.strictEqual(made.count, 11)
      const more = yield* Effect.forEach(hosts.slice(1), (base) => start(base, 10))
      // The twelfth, which waits for its host, is one of the 256.
      yield* Queue.takeN(asked, 244)
      yield* settle
      assert.strictEqual(made.count, 255)
      yield* open
      assert.lengthOf(yield* Fiber.joinAll([...first, ...more.flat()]), 262)
    })
  )

  it.scoped("twenty-four are of large bodies, and small ones wait for none of them", () =>
    Effect.gen(function* () {
      const { hostAt, open } = yield* web
      const counted = yield* Counted
      const hosts = [yield* hostAt("127.0.0.1"), yield* hostAt("127.0.0.2")]
      const other = yield* hostAt("127.0.0.3")
      const holding = yield* Effect.forEach(Array.from({ length: 24 }), (_, index) =>
        Effect.fork(fetch(`${hosts[index % 2]}/held/large`, `client ${index}`))
      )
      yield* Queue.takeN(counted.held, 24)
      const waiting = yield* Effect.fork(fetch(`${other}/now/large`, "one more"))
      yield* Queue.takeN(counted.asked, 25)
      yield* settle
      assert.strictEqual(yield* Queue.size(counted.held), 0)
      assert.strictEqual(textOf(yield* fetch(`${other}/now/small`, "small")), "small")
      yield* open
      const bodies = yield* Fiber.joinAll([...holding, waiting])
      assert.isTrue(bodies.every(({ bytes }) => bytes.length === most.length + end.length))
    })
  )
})
