import { Clock, Effect, Exit, Fiber, type Scope } from "effect"
import { type Answer } from "../http-client/HttpExchange.ts"
import { isRedirect, targetOf } from "../http-client/Redirect.ts"
import { allows, type Rules, rulesFor } from "./RobotsRules.ts"

/** The product token in robots.txt files: the first word of the User-Agent. */
const token = "Quarry"

/** Maximum size of a file that is read, in bytes (RFC 9309, 2.5, requires at least 500 KiB). */
const mostRead = 512_000

const maxRedirects = 5

/** Timeout of one file with its redirects. A waiting caller may have less time. */
const patience = "10 seconds"

/**
 * Cache lifetime in milliseconds. RFC 9309, 2.4, allows a day for a file. After a failure, the next attempt is sooner.
 */
const kept = { found: 3_600_000, failed: 60_000 } as const

/** Maximum number of cached files. The rules of a file are no larger than the file. */
const capacity = 500

const everything: Rules = { rules: [] }
const nothing: Rules = rulesFor(token, "User-agent: *\nDisallow: /")

interface Loaded {
  readonly rules: Rules
  readonly keptMs: number
}

interface Entry<E> {
  readonly fiber: Fiber.Fiber<Loaded, E>
  /** Expiry in milliseconds since 1970; null while loading. */
  until: number | null
}

/** Fetches a URL. `E` is the type of its faults. */
export type Ask<E> = (url: string) => Effect.Effect<{ readonly url: URL; readonly answer: Answer }, E>

const load = <E>(ask: Ask<E>, origin: string): Effect.Effect<Loaded, E> =>
  Effect.gen(function* () {
    let next = `${origin}/robots.txt`
    for (let hop = 0; hop <= maxRedirects; hop++) {
      const { answer, url } = yield* ask(next)
      const { bytes, headers, status } = answer
      if (status >= 200 && status < 300) {
        const text = new TextDecoder().decode(bytes.subarray(0, mostRead))
        return { rules: rulesFor(token, text), keptMs: kept.found }
      }
      const location = isRedirect(status) ? targetOf(headers["location"], url.href) : null
      if (location === null) {
        // "Unavailable" allows everything, "unreachable" forbids everything (RFC 9309, 2.3.1.3 and 2.3.1.4).
        const isUnavailable = status < 500
        return isUnavailable ? { rules: everything, keptMs: kept.found } : { rules: nothing, keptMs: kept.failed }
      }
      next = location
    }
    return { rules: everything, keptMs: kept.found }
  })

/**
 * Makes a check whether the robots.txt of a URL's origin allows the URL. Concurrent checks share one load, and the
 * result is cached. When a load fails, all checks of the origin fail with the same fault for a minute.
 */
export const make = <E>(ask: Ask<E>): Effect.Effect<(url: URL) => Effect.Effect<boolean, E>, never, Scope.Scope> =>
  Effect.gen(function* () {
    const scope = yield* Effect.scope
    const entries = new Map<string, Entry<E>>()

    const start = (origin: string) =>
      Effect.gen(function* () {
        // Runs in its own fiber: interruption of one waiting caller must not cancel the load for the others.
        const loading = load(ask, origin).pipe(
          Effect.timeoutTo({
            duration: patience,
            onSuccess: (loaded) => loaded,
            onTimeout: (): Loaded => ({ rules: nothing, keptMs: kept.failed })
          }),
          Effect.onExit((exit) =>
            Effect.map(Clock.currentTimeMillis, (now) => {
              entry.until = now + (Exit.isSuccess(exit) ? exit.value.keptMs : kept.failed)
            })
          )
        )
        const entry: Entry<E> = {
          fiber: yield* Effect.forkIn(Effect.yieldNow().pipe(Effect.zipRight(loading)), scope),
          until: null
        }
        entries.delete(origin)
        for (const [oldest] of entries) {
          if (entries.size < capacity) break
          entries.delete(oldest)
        }
        entries.set(origin, entry)
        return entry
      })

    return (url) =>
      Effect.gen(function* () {
        const known = entries.get(url.origin)
        const now = yield* Clock.currentTimeMillis
        const isFresh = known !== undefined && (known.until === null || now < known.until)
        const { fiber } = isFresh ? known : yield* start(url.origin)
        const { rules } = yield* Fiber.join(fiber)
        return allows(rules, url)
      })
  })
