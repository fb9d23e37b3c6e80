import { Effect, Exit, Redacted } from "effect"
import { type Socket } from "node:net"
import { Writable } from "node:stream"
import { SocksProxyAgent } from "socks-proxy-agent"
import { type Open } from "../../../http-client/Connector.ts"
import { fault, type FaultReason } from "../../../http-client/Fault.ts"
import { addressOf, type Proxy } from "../../../settings/Proxy.ts"

/** What is used of the agent: of the request it only wants something to emit events on and to destroy. */
interface Tunnels {
  connect(
    request: Writable,
    target: { readonly host: string; readonly port: number; readonly secureEndpoint: false }
  ): Promise<Socket>
}

/** Replies of a working proxy about the target (RFC 1928, section 6), as the `socks` package words them. */
const targetUnreachable = /rejected connection - (NetworkUnreachable|HostUnreachable|ConnectionRefused|TTLExpired)$/

const reasonOf = (error: unknown): FaultReason =>
  error instanceof Error && targetUnreachable.test(error.message) ? "connect_error" : "proxy_error"

const bytes = (text: string): number => Buffer.byteLength(text)

/** RFC 1929 and RFC 1928 give names one byte of length; the package throws where nobody catches it when they need more. */
const fits = (text: string): boolean => bytes(text) <= 255

const urlOf = (proxy: Proxy): URL => {
  const { credentials } = proxy
  const url = new URL(`socks5h://${addressOf(proxy)}`)
  if (credentials !== null) {
    url.username = encodeURIComponent(credentials.user)
    url.password = encodeURIComponent(Redacted.value(credentials.password))
  }
  return url
}

/** An error without the options that the package puts into it: no password gets into a log. */
const bare = (error: unknown): Error => new Error(error instanceof Error ? error.message : String(error))

/** Every connection goes through the proxy, names unresolved, whatever becomes of the proxy. */
export const tunnelled = (proxy: Proxy): Open => {
  const agent: Tunnels = new SocksProxyAgent(urlOf(proxy))
  const { credentials } = proxy
  const canLogIn = credentials === null || (fits(credentials.user) && fits(Redacted.value(credentials.password)))

  return ({ host, port }) =>
    Effect.gen(function* () {
      if (!canLogIn) return yield* fault("proxy_error", new Error("The proxy's user or password is too long."))
      if (!fits(host)) return yield* fault("dns_error", new Error("The host name is too long."))
      // The promise cannot be cancelled: what it brings too late is destroyed when it comes.
      const pending = yield* Effect.acquireRelease(
        Effect.sync(() => ({
          socket: agent
            .connect(new Writable(), { host, port, secureEndpoint: false })
            // Between the package's listeners and those of TLS or HTTP, an error would end the process.
            .then((socket) => socket.setNoDelay(true).on("error", () => undefined))
        })),
        (late, exit) =>
          Exit.isSuccess(exit)
            ? Effect.void
            : Effect.sync(
                () =>
                  void late.socket.then(
                    (socket) => socket.destroy(),
                    () => undefined
                  )
              )
      )
      return yield* Effect.tryPromise({
        try: () => pending.socket,
        catch: (error) => fault(reasonOf(error), bare(error))
      })
    })
}
