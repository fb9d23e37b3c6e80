import { Either, Redacted } from "effect"
import { canParseUrl } from "../../domain/WebUrl.ts"

/** A SOCKS5 proxy for upstream searches; names are resolved there. */
export interface Proxy {
  readonly host: string
  readonly port: number
  readonly credentials: { readonly user: string; readonly password: Redacted.Redacted } | null
}

/** RFC 1929: user and password of 1 to 255 bytes each; or neither. */
const isLogin = ({ password, user }: { readonly user: string; readonly password: string }): boolean =>
  user === "" ? password === "" : Buffer.byteLength(user) <= 255 && Buffer.byteLength(password) <= 255

/** Null for what is no URL of a SOCKS5 proxy. */
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

/** Where a proxy is, without its credentials. */
export const addressOf = ({ host, port }: Proxy): string => `${host.includes(":") ? `[${host}]` : host}:${port}`
