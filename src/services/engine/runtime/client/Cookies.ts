import { Clock, Effect } from "effect"
import { Cookie, CookieJar, MemoryCookieStore } from "tough-cookie"
import { type Request } from "../../../http-client/Response.ts"

/** Maximum lifetime of a cookie in milliseconds, whatever its site sets. */
const longest = 24 * 60 * 60 * 1_000
/** Maximum cookies of all sites together. The oldest are evicted. */
const most = 200
/** Maximum cookies per answer, and maximum characters per cookie: the limits of browsers. */
const mostAtOnce = 50
const largest = 4_096
/** Maximum characters of the `Cookie` header. Servers reject longer headers. */
const longestHeader = 8_192

/** In-memory session cookies, by the rules of RFC 6265. */
export interface Cookies {
  /** Adds the cookies that match the URL. Cookies already in the request take precedence. */
  readonly onto: (request: Request) => Effect.Effect<Request>
  /** Stores the cookies of an answer from `url`. `lines` holds one `Set-Cookie` header each. */
  readonly keep: (url: URL, lines: ReadonlyArray<string>) => Effect.Effect<void>
}

const isCookieHeader = ([name]: readonly [name: string, value: string]): boolean => name.toLowerCase() === "cookie"

const nameOf = (pair: string): string => pair.split("=", 1).join("").trim()

const withCookies = (request: Request, kept: ReadonlyArray<Cookie>): Request => {
  const own = request.headers
    .filter(isCookieHeader)
    .flatMap(([, value]) => value.split("; "))
    .filter((pair) => pair !== "")
  const names = new Set(own.map(nameOf))
  const added = kept.filter(({ key }) => !names.has(key)).map((cookie) => cookie.cookieString())
  const pairs = added.reduce(
    (all, pair) => (all.length + pair.length + 2 <= longestHeader ? `${all}; ${pair}` : all),
    own.join("; ")
  )
  if (added.length === 0) return request
  const header = ["Cookie", pairs.replace(/^; /, "")] as const
  const at = request.headers.findIndex(isCookieHeader)
  return {
    ...request,
    headers: at < 0 ? [...request.headers, header] : request.headers.map((one, index) => (index === at ? header : one))
  }
}

/** The expiry time of a cookie in milliseconds since 1970. */
const endOf = (cookie: Cookie, now: number): number => cookie.expiryTime(new Date(now)) ?? Infinity

/**
 * Parses a `Set-Cookie` header; null when it is invalid or too long. The expiry becomes a date, which the Clock's time
 * can be compared with.
 */
const read = (line: string, now: number): Cookie | null => {
  const cookie = line.length > largest ? undefined : Cookie.parse(line)
  if (cookie === undefined) return null
  cookie.setExpires(new Date(Math.max(0, Math.min(endOf(cookie, now), now + longest))))
  cookie.maxAge = null
  return cookie
}

export const make: Effect.Effect<Cookies> = Effect.sync(() => {
  const store = new MemoryCookieStore()
  const jar = new CookieJar(store)

  const drop = (cookies: ReadonlyArray<Cookie>) =>
    Effect.forEach(
      cookies,
      ({ domain, key, path }) => Effect.promise(() => store.removeCookie(domain ?? "", path ?? "", key)),
      { discard: true }
    )

  const tidy = Effect.fnUntraced(function* (now: number) {
    const all = yield* Effect.promise(() => store.getAllCookies())
    const alive = all.filter((cookie) => endOf(cookie, now) > now)
    yield* drop([
      ...all.filter((cookie) => !alive.includes(cookie)),
      ...alive.slice(0, Math.max(0, alive.length - most))
    ])
  })

  const onto = Effect.fnUntraced(function* (request: Request) {
    const now = yield* Clock.currentTimeMillis
    // The package compares expiry dates with the system clock only, so they are checked here.
    const due = jar.getCookiesSync(request.url, { expire: false, sort: true })
    return withCookies(
      request,
      due.filter((cookie) => endOf(cookie, now) > now)
    )
  })

  const keep = Effect.fnUntraced(function* (url: URL, lines: ReadonlyArray<string>) {
    if (lines.length === 0) return
    const now = yield* Clock.currentTimeMillis
    for (const line of lines.slice(0, mostAtOnce)) {
      const cookie = read(line, now)
      // A cookie for another site is an error, which `ignoreError` suppresses.
      if (cookie !== null) jar.setCookieSync(cookie, url, { ignoreError: true })
    }
    yield* tidy(now)
  })

  return { onto, keep }
})
