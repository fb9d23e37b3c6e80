import { assert, it } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { addressOf } from "../../../src/domain/Network.ts"
import { Fetcher } from "../../../src/services/fetcher/Fetcher.ts"
import { Resolver } from "../../../src/services/fetcher/Resolver.ts"
import { nameServer } from "../../support/NameServer.ts"
import { testSettings } from "../../support/Settings.ts"
import { plain, rawServer, redirect, targetOf } from "../http-client/RawServer.ts"
import { sockets } from "../http-client/Sockets.ts"
import { forbidden } from "./forbidden.ts"

/** Stands for the public internet: the one address that is opened. */
const open = "127.9.9.9"

/** What the names of the table resolve to: public, and forbidden for its port only. */
const somewhere = "93.184.216.34"

const fetcherOver = (resolver: Layer.Layer<Resolver>) =>
  Layer.provide(Fetcher.layerWithoutResolver, [testSettings({ FETCH_ALLOWED_NETWORKS: open }), resolver]).pipe(
    Layer.build,
    Effect.map(Context.get(Fetcher))
  )

const alwaysSomewhere = Layer.succeed(Resolver, { resolve: () => Effect.succeed([somewhere]) })

/** A server where public ones are, and what counts visits on the same port of this machine's private addresses. */
const bothSides = (answer: (path: string) => string) =>
  Effect.gen(function* () {
    const outer = yield* rawServer((socket, head) => socket.end(answer(targetOf(head))), {
      at: { port: 0, address: open }
    })
    const inner = yield* Effect.forEach(["127.0.0.1", "::1"], (address) =>
      rawServer((socket) => socket.end(plain("200 OK", [], "secret")), { at: { port: outer.port, address } })
    )
    const visitsInside = Effect.map(Effect.all(inner.map(({ connections }) => connections)), (counts) =>
      counts.reduce((sum, count) => sum + count, 0)
    )
    return { outer, port: outer.port, visitsInside }
  })

/** The reason that a fetch fails for. */
const refusal = (fetch: Fetcher["Type"]["fetch"], url: string) =>
  fetch(url).pipe(Effect.match({ onFailure: ({ reason }) => reason, onSuccess: () => "it was fetched" }))

// The clock of the test stands still: whatever waited for a time would wait for ever.
it.scoped("at least eighty forbidden URLs are refused without a wait, and without a socket being made", () =>
  Effect.gen(function* () {
    const { fetch } = yield* fetcherOver(alwaysSomewhere)
    const made = yield* sockets
    for (const [url, reason] of forbidden) {
      assert.strictEqual(yield* refusal(fetch, url), reason, url)
    }
    assert.strictEqual(made.count, 0)
    assert.isAtLeast(forbidden.length, 80)
  })
)

/** As a `Location` these mean a place beside the page that has them, or none at all. */
const isRelative = (url: string): boolean => ["", "http://", "//example.com/", "http:127.0.0.1/"].includes(url)

it.scoped("and behind a redirect, with no socket but the one that was redirected", () =>
  Effect.gen(function* () {
    const { port, visitsInside } = yield* bothSides((path) => redirect(forbidden[Number(path.slice(1))]?.[0] ?? ""))
    const { fetch } = yield* fetcherOver(alwaysSomewhere)
    const made = yield* sockets
    const absolute = [...forbidden.entries()].filter(([, [url]]) => !isRelative(url) && !/[\n\t]|^\s/.test(url))
    for (const [index, [url, reason]] of absolute) {
      const before = made.count
      assert.strictEqual(yield* refusal(fetch, `http://${open}:${port}/${index}`), reason, url)
      assert.strictEqual(made.count - before, 1, url)
    }
    assert.isAtLeast(absolute.length, 80)
    assert.strictEqual(yield* visitsInside, 0)
  })
)

/** The addresses that the table names, as a resolver would give them. */
const addresses = Array.from(
  new Set(
    forbidden.flatMap(([url]) => {
      const host = URL.canParse(url) ? new URL(url).hostname.replace(/^\[|\]$/g, "") : ""
      const address = addressOf(host)
      return address === null || address.toString() === somewhere ? [] : [address.toString()]
    })
  )
)

it.scopedLive("and by a name that moves there between two requests", () =>
  Effect.gen(function* () {
    const { port, visitsInside } = yield* bothSides((path) =>
      path === "/go" ? redirect(`/after`) : plain("200 OK", [], "public")
    )
    const made = yield* sockets
    for (const address of addresses) {
      const moving = { asked: 0 }
      const { fetch } = yield* fetcherOver(
        Layer.succeed(Resolver, { resolve: () => Effect.sync(() => [moving.asked++ === 0 ? open : address]) })
      )
      const before = made.count
      const error = yield* Effect.flip(fetch(`http://rebind.test:${port}/go`))
      assert.oneOf(error.reason, ["private_address", "metadata_host", "port"], address)
      assert.strictEqual(made.count - before, 1, address)
    }
    assert.isAtLeast(addresses.length, 50)
    assert.strictEqual(yield* visitsInside, 0)
  })
)

it.scopedLive("and over a real name server that answers a public address first and private ones next", () =>
  Effect.gen(function* () {
    const { port, visitsInside } = yield* bothSides((path) =>
      path === "/go" ? redirect(`/after`) : plain("200 OK", [], "public")
    )
    const server = yield* nameServer((name, type, times) => {
      if (name === "both.test") return type === "A" ? ["127.0.0.1", "10.0.0.1"] : ["::1", "::ffff:127.0.0.1"]
      if (times === 0) return type === "A" ? [open] : []
      return type === "A" ? ["127.0.0.1"] : ["::1"]
    })
    const { fetch } = yield* fetcherOver(Resolver.layerOf({ servers: [server.address], hostsFile: "/dev/null" }))
    const reasonOf = (path: string) => Effect.flip(fetch(`http://${path}`)).pipe(Effect.map(({ reason }) => reason))
    assert.strictEqual((yield* fetch(`http://first.test:${port}/`)).status, 200)
    assert.strictEqual(yield* reasonOf(`first.test:${port}/`), "private_address")
    assert.strictEqual(yield* reasonOf(`second.test:${port}/go`), "private_address")
    assert.strictEqual(yield* reasonOf(`both.test:${port}/`), "private_address")
    assert.strictEqual(yield* visitsInside, 0)
    assert.include(yield* server.asked, "second.test A")
  })
)
