import { Clock, Effect, Exit, Fiber, type Scope } from "effect"
import { type Answer } from "../http-client/HttpExchange.ts"
import { isRedirect, targetOf } from "../http-client/Redirect.ts"
import { allows, type Rules, rulesFor } from "./RobotsRules.ts"

/** The product token that robots.txt files call us by: the first word of our User-Agent. */
const token = "Quarry"

/** Characters of a file that are read (RFC 9309, 2.5, asks for 500 KiB at least). */
const mostRead = 512_000

const maxRedirects = 5

/** Of one file with its redirects; whoever waits for it may have less time. */
const patience = "10 seconds"

/** Milliseconds. A file is kept for less than the day that RFC 9309, 2.4, allows; a host that fails gets another chance. */
const kept = { found: 3_600_000, failed: 60_000 } as const

/** Files at once in memory; the rules of one are no larger than the file. */
const capacity = 500

const everything: Rules = { rules: [] }
const nothing: Rules = rulesFor(token, "User-agent: *\nDisallow: /")

interface Loaded {
  readonly rules: Rules
  readonly keptMs: number
}

interface Entry<E> {
  readonly fiber: Fiber.Fiber<Loaded, E>
  /** Milliseconds since 1970; null while it is being loaded. */
  until: number | null
}

/** Asks for a URL; its faults are `E`. */
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
        // "Unavailable" is no rule at all, "unreachable" forbids everything (RFC 9309, 2.3.1.3 and 2.3.1.4).
        const isUnavailable = status < 500
        return isUnavailable ? { rules: everything, keptMs: kept.found } : { rules: nothing, keptMs: kept.failed }
      }
      next = location
    }
    return { rules: everything, keptMs: kept.found }
  })

/**
 * Whether robots.txt of a URL's origin lets us ask for it. A file is loaded once for all who wait for it, and kept. A
 * host that could not be asked for it is not asked for anything else: the fault is the answer, for a minute.
 */
export const make = <E>(ask: Ask<E>): Effect.Effect<(url: URL) => Effect.Effect<boolean, E>, never, Scope.Scope> =>
  Effect.gen(function* () {
    const scope = yield* Effect.scope
    const entries = new Map<string, Entry<E>>()

    const start = (origin: string) =>
      Effect.gen(function* () {
        // Its own fiber: one who goes away must not take it from the others.
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
