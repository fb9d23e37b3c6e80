import { Either, Redacted } from "effect"
import { canParseUrl } from "../../domain/WebUrl.ts"

/** A SOCKS5 proxy for upstream searches. The proxy resolves names. */
export interface Proxy {
  readonly host: string
  readonly port: number
  readonly credentials: { readonly user: string; readonly password: Redacted.Redacted } | null
}

/** Checks the credentials: user and password of 1 to 255 bytes each (RFC 1929), or neither. */
const isLogin = ({ password, user }: { readonly user: string; readonly password: string }): boolean =>
  user === "" ? password === "" : Buffer.byteLength(user) <= 255 && Buffer.byteLength(password) <= 255

/** Parses the URL of a SOCKS5 proxy. Returns null for anything else. */
export const proxyOf = (text: string): Proxy | null => {
  if (!/^socks5h?:\/\//i.test(text) || !canParseUrl(text)) return null
  const url = new URL(text)
  if (url.hostname === "" || url.search !== "" || url.hash !== "" || !/^\/?$/.test(url.pathname)) return null
  const decode = Either.try({
    try: () => ({ user: decodeURIComponent(url.username), password: decodeURIComponent(url.password) }),
    catch: () => null
  })
  return Either.isLeft(decode) || !isLogin(decode.right)
    ? null
    : {
        host: url.hostname.replace(/^\[|\]$/g, ""),
        port: url.port === "" ? 1080 : Number(url.port),
        credentials:
          decode.right.user === "" ? null : { user: decode.right.user, password: Redacted.make(decode.right.password) }
      }
}

/** Returns the address of a proxy, without its credentials. */
export const addressOf = ({ host, port }: Proxy): string => `${host.includes(":") ? `[${host}]` : host}:${port}`
