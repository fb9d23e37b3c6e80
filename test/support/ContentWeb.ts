import { Context, Effect, Layer, type Scope } from "effect"
import { EventEmitter, once } from "node:events"
import { createServer, type IncomingMessage, type RequestListener } from "node:http"
import { createServer as createTlsServer } from "node:https"
import { issue } from "./Certificates.ts"
import { familyOf, routes } from "./content/routes.ts"
import { listen, type Listening } from "./Listening.ts"

export interface Visit {
  readonly path: string
  readonly headers: IncomingMessage["headers"]
  readonly rawHeaders: ReadonlyArray<string>
  /** Waits until it was answered or given up. */
  readonly over: Effect.Effect<void>
}

export interface ContentWebShape extends Listening {
  /** Of a path (`content/routes.ts`), over plain HTTP. */
  readonly url: (path: string) => string
  /** The same pages over TLS with a certificate that the test authority signed. */
  readonly tlsUrl: (path: string) => string
  /** The same with a certificate to be refused. */
  readonly flawedUrl: (flaw: "expired" | "self-signed" | "wrong-name", path: string) => string
  readonly visits: (path?: string) => Effect.Effect<ReadonlyArray<Visit>>
  /** Waits until a path was asked for so many times since the last `forget`. */
  readonly arrived: (path: string, count: number) => Effect.Effect<void>
  readonly forget: Effect.Effect<void>
}

/** Servers on 127.0.0.1 with the pages that content fetches are tried on. */
export const make: Effect.Effect<ContentWebShape, never, Scope.Scope> = Effect.gen(function* () {
  const state: { visits: Array<Visit> } = { visits: [] }
  const arrivals = new EventEmitter().setMaxListeners(0)
  const answer: RequestListener = (request, response) => {
    const url = new URL(request.url ?? "/", "http://127.0.0.1")
    const closed = once(response, "close")
    const over = Effect.asVoid(Effect.promise(() => closed))
    state.visits.push({ path: url.pathname, headers: request.headers, rawHeaders: request.rawHeaders, over })
    arrivals.emit("visit")
    const handler = routes[url.pathname] ?? familyOf(url.pathname)
    if (handler === null) return void response.writeHead(404, { "Content-Type": "text/html" }).end("<h1>404</h1>")
    handler(request, response, url)
  }
  const visitsOf = (path?: string) => state.visits.filter((visit) => path === undefined || visit.path === path)
  const arrived = async (path: string, count: number): Promise<void> => {
    while (visitsOf(path).length < count) await once(arrivals, "visit")
  }

  const plain = yield* listen(createServer(answer))
  const tls = yield* listen(createTlsServer(issue(["127.0.0.1"]), answer))
  const flawed = yield* Effect.all({
    expired: listen(createTlsServer(issue(["127.0.0.1"], "expired"), answer)),
    "self-signed": listen(createTlsServer(issue(["127.0.0.1"], "self-signed"), answer)),
    "wrong-name": listen(createTlsServer(issue(["elsewhere.test"]), answer))
  })
  return {
    ...plain,
    url: (path) => `http://127.0.0.1:${plain.port}${path}`,
    tlsUrl: (path) => `https://127.0.0.1:${tls.port}${path}`,
    flawedUrl: (flaw, path) => `https://127.0.0.1:${flawed[flaw].port}${path}`,
    visits: (path) => Effect.sync(() => visitsOf(path)),
    arrived: (path, count) => Effect.promise(() => arrived(path, count)),
    forget: Effect.sync(() => void (state.visits = []))
  }
})

export class ContentWeb extends Context.Tag("quarry/test/ContentWeb")<ContentWeb, ContentWebShape>() {
  static readonly layer = Layer.scoped(ContentWeb, make)
}
