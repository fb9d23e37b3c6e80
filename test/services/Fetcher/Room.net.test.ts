import { assert, layer } from "@effect/vitest"
import { Effect, Fiber, Layer, Queue } from "effect"
import { ClientKey } from "../../../src/services/ClientKey.ts"
import { Fetcher } from "../../../src/services/Fetcher.ts"
import { testSettings } from "../../support/Settings.ts"
import { plain, rawServer, targetOf } from "../Outgoing/RawServer.ts"

const fetcher = Layer.provide(Fetcher.layer, testSettings({ FETCH_ALLOWED_NETWORKS: "127.0.0.0/8" }))

const fetch = (url: string, client: string) =>
  Effect.flatMap(Fetcher, (service) => service.fetch(url)).pipe(Effect.provideService(ClientKey, client))

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

/** So much else happens that what had to happen would have. */
const meanwhile = (base: string) => Effect.replicateEffect(fetch(`${base}/now/small`, "busy"), 20, { discard: true })

const isDone = <A, E>(fiber: Fiber.RuntimeFiber<A, E>) => Effect.map(Fiber.poll(fiber), ({ _tag }) => _tag === "Some")

layer(fetcher, { timeout: "60 seconds" })("of fetches at once", (it) => {
  it.scoped("a host gets sixteen, whoever asks", () =>
    Effect.gen(function* () {
      const { asked, hostAt, open } = yield* web
      const host = yield* hostAt("127.0.0.1")
      const other = yield* hostAt("127.0.0.2")
      const fetches = yield* Effect.forEach(Array.from({ length: 24 }), (_, index) =>
        Effect.fork(fetch(`${host}/held/small`, `client ${index}`))
      )
      yield* Queue.takeN(asked, 16)
      yield* meanwhile(other)
      assert.strictEqual(yield* Queue.size(asked), 0)
      yield* open
      assert.lengthOf(yield* Fiber.joinAll(fetches), 24)
    })
  )

  it.scoped("a client alone has eleven of a host, and half of all", () =>
    Effect.gen(function* () {
      const { asked, hostAt, open } = yield* web
      const hosts = yield* Effect.forEach(Array.from({ length: 26 }), (_, index) => hostAt(`127.0.0.${index + 1}`))
      const other = yield* hostAt("127.0.1.1")
      const start = (base: string | undefined, length: number) =>
        Effect.forEach(Array.from({ length }), () => Effect.fork(fetch(`${base}/held/small`, "greedy")))
      const first = yield* start(hosts[0], 12)
      yield* Queue.takeN(asked, 11)
      yield* meanwhile(other)
      assert.strictEqual(yield* Queue.size(asked), 0)
      const more = yield* Effect.forEach(hosts.slice(1), (base) => start(base, 10))
      // The twelfth, which waits for its host, is one of the 256.
      yield* Queue.takeN(asked, 244)
      yield* meanwhile(other)
      assert.strictEqual(yield* Queue.size(asked), 0)
      yield* open
      assert.lengthOf(yield* Fiber.joinAll([...first, ...more.flat()]), 262)
    })
  )

  it.scoped("twenty-four are of large bodies, and small ones wait for none of them", () =>
    Effect.gen(function* () {
      const { asked, hostAt, open } = yield* web
      const hosts = [yield* hostAt("127.0.0.1"), yield* hostAt("127.0.0.2")]
      const other = yield* hostAt("127.0.0.3")
      const hold = (index: number) => Effect.fork(fetch(`${hosts[index % 2]}/held/large`, `client ${index}`))
      const one = Effect.fork(fetch(`${other}/now/large`, "one more"))
      const holding = yield* Effect.forEach(Array.from({ length: 23 }), (_, index) => hold(index))
      yield* Queue.takeN(asked, 23)
      yield* Effect.replicateEffect(Effect.flatMap(one, Fiber.join), 5)
      const last = yield* hold(23)
      // The last ones may not have come so far yet.
      const waiting = yield* Effect.gen(function* () {
        const fiber = yield* one
        yield* meanwhile(other)
        return { fiber, isDone: yield* isDone(fiber) }
      }).pipe(Effect.repeat({ until: ({ isDone }) => !isDone, times: 50 }))
      assert.isFalse(waiting.isDone)
      yield* open
      const bodies = yield* Fiber.joinAll([...holding, last, waiting.fiber])
      assert.isTrue(bodies.every(({ bytes }) => bytes.length === most.length + end.length))
    })
  )
})
