import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { Fetcher } from "../../../src/services/fetcher/Fetcher.ts"
import { Resolver } from "../../../src/services/fetcher/Resolver.ts"
import { issue } from "../../support/Certificates.ts"
import { plain, rawServer } from "../http-client/RawServer.ts"
import { testSettings } from "../../support/Settings.ts"
import { trustAuthority } from "../http-client/TrustAuthority.ts"

const everythingIsHere = Layer.succeed(Resolver, { resolve: () => Effect.succeed(["127.0.0.1"]) })

const fetcher = Fetcher.layerWithoutResolver.pipe(
  Layer.provide([testSettings({ FETCH_ALLOWED_NETWORKS: "127.0.0.0/8" }), everythingIsHere]),
  Layer.merge(trustAuthority)
)

const fetch = (url: string) => Effect.flatMap(Fetcher, (service) => service.fetch(url))

layer(fetcher)("a certificate of a trusted authority", (it) => {
  it.scoped("is taken for its own name and address", () =>
    Effect.gen(function* () {
      const server = yield* rawServer((socket) => socket.end(plain("200 OK", [], "ok")), {
        tls: issue(["shop.test", "127.0.0.1"])
      })
      for (const host of ["shop.test", "127.0.0.1"]) {
        assert.strictEqual((yield* fetch(`https://${host}:${server.port}/`)).status, 200)
      }
    })
  )

  it.scoped("is refused for another name, once expired, or signed by itself", () =>
    Effect.gen(function* () {
      const cases = [issue(["elsewhere.test"]), issue(["shop.test"], "expired"), issue(["shop.test"], "self-signed")]
      for (const tls of cases) {
        let answered = 0
        const server = yield* rawServer(() => answered++, { tls })
        const error = yield* Effect.flip(fetch(`https://shop.test:${server.port}/`))
        assert.strictEqual(error.reason, "tls_error")
        assert.strictEqual(answered, 0)
      }
    })
  )

  it.scoped("is refused for a name it does not hold after one it does", () =>
    Effect.gen(function* () {
      const server = yield* rawServer((socket) => socket.end(plain("200 OK", [])), { tls: issue(["shop.test"]) })
      assert.strictEqual((yield* fetch(`https://shop.test:${server.port}/`)).status, 200)
      const error = yield* Effect.flip(fetch(`https://bank.test:${server.port}/`))
      assert.strictEqual(error.reason, "tls_error")
    })
  )
})
