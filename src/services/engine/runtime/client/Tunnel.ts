import { Effect, Exit, Redacted } from "effect"
import { type Socket } from "node:net"
import { Writable } from "node:stream"
import { SocksProxyAgent } from "socks-proxy-agent"
import { type Open } from "../../../http-client/Connector.ts"
import { fault, type FaultReason } from "../../../http-client/Fault.ts"
import { addressOf, type Proxy } from "../../../settings/Proxy.ts"

/** The part of the agent in use. It only emits events on `request` and destroys it. */
interface Tunnels {
  connect(
    request: Writable,
    target: { readonly host: string; readonly port: number; readonly secureEndpoint: false }
  ): Promise<Socket>
}

/** Replies of a working proxy about the target (RFC 1928, section 6), in the wording of the `socks` package. */
const targetUnreachable = /rejected connection - (NetworkUnreachable|HostUnreachable|ConnectionRefused|TTLExpired)$/

const reasonOf = (error: unknown): FaultReason =>
  error instanceof Error && targetUnreachable.test(error.message) ? "connect_error" : "proxy_error"

const bytes = (text: string): number => Buffer.byteLength(text)

/**
 * RFC 1928 and RFC 1929 limit names to 255 bytes. For longer ones the package throws an error that cannot be caught.
 */
const fitsLengthByte = (text: string): boolean => bytes(text) <= 255

const urlOf = (proxy: Proxy): URL => {
  const { credentials } = proxy
  const url = new URL(`socks5h://${addressOf(proxy)}`)
  if (credentials !== null) {
    url.username = encodeURIComponent(credentials.user)
    url.password = encodeURIComponent(Redacted.value(credentials.password))
  }
  return url
}

/** Copies the message only. The package attaches its options, which include the password, to its errors. */
const withoutOptions = (error: unknown): Error => new Error(error instanceof Error ? error.message : String(error))

/** Opens every connection through the proxy, which also resolves the names. Never falls back to a direct connection. */
export const tunnelled = (proxy: Proxy): Open => {
  const agent: Tunnels = new SocksProxyAgent(urlOf(proxy))
  const { credentials } = proxy
  const canLogIn =
    credentials === null || (fitsLengthByte(credentials.user) && fitsLengthByte(Redacted.value(credentials.password)))

  return ({ host, port }) =>
    Effect.gen(function* () {
      if (!canLogIn) return yield* fault("proxy_error", new Error("The proxy's user or password is too long."))
      if (!fitsLengthByte(host)) return yield* fault("dns_error", new Error("The host name is too long."))
      // The promise cannot be cancelled. A socket that arrives after an interruption is destroyed.
      const pending = yield* Effect.acquireRelease(
        Effect.sync(() => ({
          socket: agent
            .connect(new Writable(), { host, port, secureEndpoint: false })
            // Without this listener, an error before TLS or HTTP attaches its own would end the process.
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
        catch: (error) => fault(reasonOf(error), withoutOptions(error))
      })
    })
}
