import { Context, Effect, Layer, type Scope } from "effect"
import { constants } from "node:crypto"
import { EventEmitter, once } from "node:events"
import { type IncomingMessage, type ServerResponse } from "node:http"
import { createServer } from "node:https"
import { createSecureContext } from "node:tls"
import { issue } from "./Certificates.ts"
import { listen, type Listening } from "./Listening.ts"
import { type Target } from "./SocksProxy.ts"
import { type Behaviour, captured } from "./upstream/Behaviour.ts"
import { perform } from "./upstream/perform.ts"
import { type Asked, type Service } from "./upstream/Site.ts"
import { serviceAt, sites, type Upstream, upstreamAt, upstreams } from "./upstream/sites.ts"

/** A request as it reached an upstream. */
export interface Recorded extends Asked {
  /** Null where no engine of ours has anything. */
  readonly service: Service | null
  /** Null where no engine of ours is: wrong path or host. */
  readonly engine: Upstream | null
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: IncomingMessage["headers"]
  /** In the order and letter case in which they were sent: name, value, name, value. */
  readonly rawHeaders: ReadonlyArray<string>
  /** Milliseconds since 1970. */
  readonly at: number
  /** Waits until it was answered or given up. */
  readonly over: Effect.Effect<void>
  /** When that was, in milliseconds since 1970; null before. */
  readonly endedAt: () => number | null
}

export interface TestWebShape extends Listening {
  /** Where a host of the upstreams really is, for the proxy. */
  readonly route: (host: string) => Target | null
  readonly behave: (engine: Upstream, behaviour: Behaviour) => Effect.Effect<void>
  readonly behaveAll: (behaviour: Behaviour) => Effect.Effect<void>
  readonly requests: (engine?: Upstream) => Effect.Effect<ReadonlyArray<Recorded>>
  /** Waits until an upstream got so many requests since the last `forget`. */
  readonly arrived: (engine: Upstream, count: number) => Effect.Effect<void>
  readonly forget: Effect.Effect<void>
}

const bodyOf = async (request: IncomingMessage): Promise<string> => {
  const chunks: Array<Buffer> = []
  for await (const chunk of request) chunks.push(Buffer.from(chunk))
  return Buffer.concat(chunks).toString("utf8")
}

const read = async (request: IncomingMessage, closed: Promise<unknown>): Promise<Recorded> => {
  const at = Date.now()
  const ended: { at: number | null } = { at: null }
  void closed.then(() => (ended.at = Date.now()))
  const host = (request.headers.host ?? "").replace(/:\d+$/, "")
  const url = new URL(request.url ?? "/", `https://${host}`)
  const body = await bodyOf(request)
  const urlencoded = request.headers["content-type"]?.startsWith("application/x-www-form-urlencoded") === true
  const there = upstreamAt(host)
  const asked: Asked = {
    method: request.method ?? "",
    host,
    url,
    body,
    form: new URLSearchParams(urlencoded ? body : "")
  }
  const service = there === null ? null : serviceAt(there, asked)
  return {
    ...asked,
    service,
    engine: service === null ? null : there,
    path: url.pathname,
    query: url.searchParams,
    headers: request.headers,
    rawHeaders: request.rawHeaders,
    at,
    over: Effect.asVoid(Effect.promise(() => closed)),
    endedAt: () => ended.at
  }
}

/** Nothing listens there: the port needs rights that tests do not have. */
const closedPort = 1

/** A TLS server on 127.0.0.1 that plays every upstream engine over HTTP/1.1. */
export const make: Effect.Effect<TestWebShape, never, Scope.Scope> = Effect.gen(function* () {
  const state: { recorded: Array<Recorded>; behaviours: Map<Upstream, Behaviour> } = {
    recorded: [],
    behaviours: new Map()
  }
  const arrivals = new EventEmitter().setMaxListeners(0)
  const hosts = upstreams.flatMap((name) => sites[name].hosts)
  const trusted = createSecureContext(issue(hosts))
  const untrusted = createSecureContext(issue(hosts, "self-signed"))
  const behaviourOf = (engine: Upstream) => state.behaviours.get(engine) ?? captured

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const asked = await read(request, once(response, "close"))
    state.recorded.push(asked)
    arrivals.emit("request")
    if (asked.engine === null || asked.service === null)
      return void response.writeHead(404).end("There is nothing here.")
    perform(asked.engine, asked.service, asked, behaviourOf(asked.engine), response)
  }

  const listening = yield* listen(
    createServer(
      {
        // A session taken up again would not show the certificate.
        secureOptions: constants.SSL_OP_NO_TICKET,
        SNICallback: (name, done) => {
          const engine = upstreamAt(name)
          done(null, engine !== null && behaviourOf(engine)._tag === "TlsError" ? untrusted : trusted)
        }
      },
      (request, response) => {
        answer(request, response).catch(() => response.destroy())
      }
    )
  )
  const recordedOf = (engine?: Upstream) =>
    state.recorded.filter((request) => engine === undefined || request.engine === engine)
  const arrived = async (engine: Upstream, count: number): Promise<void> => {
    while (recordedOf(engine).length < count) await once(arrivals, "request")
  }
  const behave = (names: ReadonlyArray<Upstream>, behaviour: Behaviour) =>
    Effect.sync(() => {
      for (const name of names) state.behaviours.set(name, behaviour)
    })

  return {
    ...listening,
    route: (host) => {
      const engine = upstreamAt(host)
      if (engine === null || behaviourOf(engine)._tag === "NoSuchHost") return null
      return { host: "127.0.0.1", port: behaviourOf(engine)._tag === "Refused" ? closedPort : listening.port }
    },
    behave: (engine, behaviour) => behave([engine], behaviour),
    behaveAll: (behaviour) => behave(upstreams, behaviour),
    requests: (engine) => Effect.sync(() => recordedOf(engine)),
    arrived: (engine, count) => Effect.promise(() => arrived(engine, count)),
    forget: Effect.sync(() => void (state.recorded = []))
  }
})

export class TestWeb extends Context.Tag("quarry/test/TestWeb")<TestWeb, TestWebShape>() {
  static readonly layer = Layer.scoped(TestWeb, make)
}
