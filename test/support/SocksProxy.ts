import { Context, Effect, Layer, type Scope } from "effect"
import { once } from "node:events"
import { connect, createServer, type Socket } from "node:net"
import { listen, type Listening } from "./Listening.ts"
import { bytesOf, type Bytes } from "./SocksProxy/Bytes.ts"

/** How the proxy treats the next connections. */
export type Manner = "honest" | "refuse-auth" | "host-unreachable" | "close" | "hang" | "garbage"

/** One CONNECT, as it was asked for. */
export interface Connect {
  readonly host: string
  readonly port: number
  /** A `name` came unresolved; anything else means that the client looked it up itself. */
  readonly type: "name" | "ipv4" | "ipv6"
  readonly user: string | null
}

export interface Target {
  readonly host: string
  readonly port: number
}

export interface Options {
  /** Where a target really is; null for a host that does not exist. */
  readonly route: (host: string, port: number) => Target | null
  readonly credentials?: { readonly user: string; readonly password: string }
}

export interface SocksProxyShape extends Listening {
  /** For `SEARCH_PROXY`, with user and password where there are some. */
  readonly url: string
  readonly behave: (manner: Manner) => Effect.Effect<void>
  readonly connects: Effect.Effect<ReadonlyArray<Connect>>
  readonly forget: Effect.Effect<void>
  /** Ends every tunnel and waits until the clients have noticed: what they ask next is asked over new connections. */
  readonly hangUp: Effect.Effect<void>
}

const version = 5
const methods = { none: 0, password: 2, unacceptable: 0xff } as const
const replies = { granted: 0, hostUnreachable: 4, refused: 5, commandNotSupported: 7 } as const

const answer = (reply: number): Buffer => Buffer.from([version, reply, 0, 1, 0, 0, 0, 0, 0, 0])

/** The address of a request (RFC 1928, section 5). */
const readAddress = async (bytes: Bytes): Promise<{ readonly type: Connect["type"]; readonly host: string }> => {
  const type = await bytes.byte()
  if (type === 1) return { type: "ipv4", host: Array.from(await bytes.take(4)).join(".") }
  if (type === 4) {
    const halves = (await bytes.take(16)).toString("hex").match(/.{4}/g) ?? []
    return { type: "ipv6", host: halves.join(":") }
  }
  return { type: "name", host: (await bytes.take(await bytes.byte())).toString("latin1") }
}

/** User and password (RFC 1929). */
const readCredentials = async (bytes: Bytes) => {
  await bytes.byte()
  const user = (await bytes.take(await bytes.byte())).toString("utf8")
  const password = (await bytes.take(await bytes.byte())).toString("utf8")
  return { user, password }
}

const tunnel = (client: Socket, target: Target): Socket => {
  const upstream = connect(target.port, target.host)
  const refuse = () => client.end(answer(replies.refused))
  upstream.once("error", refuse)
  upstream.once("connect", () => {
    upstream.off("error", refuse)
    upstream.on("error", () => client.destroy())
    // What a client still sends is read and dropped, so that its own end is seen.
    upstream.on("close", () => {
      client.unpipe(upstream)
      client.end().resume()
    })
    client.write(answer(replies.granted))
    upstream.pipe(client)
    client.pipe(upstream)
  })
  client.on("close", () => upstream.destroy())
  return upstream
}

/** A SOCKS5 server (RFC 1928, 1929) on 127.0.0.1 that goes where `route` says and writes down what it was asked. */
export const make = (options: Options): Effect.Effect<SocksProxyShape, never, Scope.Scope> =>
  Effect.gen(function* () {
    const state: { manner: Manner; connects: Array<Connect> } = { manner: "honest", connects: [] }
    const tunnels = new Map<Socket, Socket>()
    const { credentials } = options

    /** The user that was let in, null for nobody in particular; false for one turned away. */
    const admit = async (client: Socket, bytes: Bytes, manner: Manner): Promise<string | null | false> => {
      const offered = Array.from(await bytes.take(await bytes.byte()))
      const method = credentials === undefined ? methods.none : methods.password
      if (!offered.includes(method)) {
        client.end(Buffer.from([version, methods.unacceptable]))
        return false
      }
      client.write(Buffer.from([version, method]))
      if (credentials === undefined) return null
      const given = await readCredentials(bytes)
      const right =
        manner !== "refuse-auth" && given.user === credentials.user && given.password === credentials.password
      client.write(Buffer.from([1, right ? 0 : 1]))
      if (!right) client.end()
      return right ? given.user : false
    }

    const serve = async (client: Socket): Promise<void> => {
      const { manner } = state
      if (manner === "close") return void client.destroy()
      if (manner === "hang") return void client.resume()
      if (manner === "garbage") return void client.end("HTTP/1.1 400 Bad Request\r\n\r\nthis is no SOCKS server\r\n")
      const bytes = bytesOf(client)
      if ((await bytes.byte()) !== version) return void client.destroy()
      const user = await admit(client, bytes, manner)
      if (user === false) return
      await bytes.byte()
      const command = await bytes.byte()
      await bytes.byte()
      const { host, type } = await readAddress(bytes)
      const port = (await bytes.take(2)).readUInt16BE()
      state.connects.push({ host, port, type, user })
      if (command !== 1) return void client.end(answer(replies.commandNotSupported))
      const target = options.route(host, port)
      if (manner === "host-unreachable" || target === null) return void client.end(answer(replies.hostUnreachable))
      bytes.release()
      tunnels.set(client, tunnel(client, target))
      client.once("close", () => tunnels.delete(client))
    }

    const hangUp = async (): Promise<void> => {
      await Promise.all(
        Array.from(tunnels, async ([client, upstream]) => {
          upstream.destroy()
          await once(client, "close")
        })
      )
    }

    const listening = yield* listen(
      createServer((client) => {
        serve(client).catch(() => client.destroy())
      })
    )
    const login = credentials && `${encodeURIComponent(credentials.user)}:${encodeURIComponent(credentials.password)}@`
    return {
      ...listening,
      url: `socks5h://${login ?? ""}127.0.0.1:${listening.port}`,
      behave: (manner) => Effect.sync(() => void (state.manner = manner)),
      connects: Effect.sync(() => [...state.connects]),
      forget: Effect.sync(() => void (state.connects = [])),
      hangUp: Effect.promise(hangUp)
    }
  })

export class SocksProxy extends Context.Tag("quarry/test/SocksProxy")<SocksProxy, SocksProxyShape>() {
  static readonly layer = (options: Options) => Layer.scoped(SocksProxy, make(options))
}
