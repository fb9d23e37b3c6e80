import { Effect, Layer } from "effect"
import { Authority } from "./Certificates.ts"
import { ContentWeb } from "./ContentWeb.ts"
import { type Environment, main, Server, start } from "./Server.ts"
import { SocksProxy } from "./SocksProxy.ts"
import { TestWeb } from "./TestWeb.ts"
import { type Upstream, upstreams } from "./upstream/sites.ts"

/** Characters that a URL has to escape, on purpose. */
export const credentials = { user: "quarry", password: "p@ss:w/rd" }

const proxy = Layer.unwrapEffect(
  Effect.map(TestWeb, (web) => SocksProxy.layer({ route: (host) => web.route(host), credentials }))
)

/** The upstream web behind its proxy, and the authority that vouches for it. */
export const upstreamWeb = Layer.merge(Authority.layer, Layer.provideMerge(proxy, TestWeb.layer))

/** What makes a service search the test web through the proxy, and believe what the tests say of their address. */
export const wiring = Effect.gen(function* () {
  const { file } = yield* Authority
  const { url } = yield* SocksProxy
  return {
    APP_ENV: "development",
    SEARCH_PROXY: url,
    NODE_EXTRA_CA_CERTS: file,
    FETCH_ALLOWED_NETWORKS: "127.0.0.0/8",
    TRUST_PROXY: "1"
  }
})

/** A server whose only engines are these, so that a test knows who is asked. */
export const only = (...names: ReadonlyArray<Upstream>) => ({
  ENGINES_DISABLED: upstreams.filter((name) => !names.includes(name)).join()
})

/** The service, wired to a test web behind a SOCKS5 proxy that are there already. Engines that rest, rest in one server. */
export const serve = (environment: Environment = {}, node = process.execPath) =>
  Layer.scoped(
    Server,
    Effect.flatMap(wiring, (wired) => start({ ...wired, ...environment }, main, node))
  )

/** The service with a test web, its proxy and the content pages. */
export const quarry = (environment: Environment = {}) =>
  Layer.provideMerge(serve(environment), Layer.merge(ContentWeb.layer, upstreamWeb))
