import { Duration, Effect, MutableRef } from "effect"
import { type QueryOf } from "../../domain/Query.ts"
import { type SearchKind } from "../../domain/SearchKind.ts"
import { type Window } from "./Window.ts"

/** Lifetime of a window in milliseconds. The minimum is five minutes (contract, section 2). */
const windowLife = Duration.toMillis("15 minutes")

/** Maximum windows per kind, and maximum results in all of them together. A result takes one to two kilobytes. */
const capacity = { windows: 256, results: 10_000 } as const

/** A window that several requests share. The holder of the lock reads further pages. */
export interface Held<K extends SearchKind> {
  /** Milliseconds since 1970. */
  readonly openedAt: number
  readonly state: MutableRef.MutableRef<Window<K>>
  readonly lock: Effect.Semaphore
  /** Number of requests that read the window or wait for the lock. */
  readonly readers: MutableRef.MutableRef<number>
}

export interface WindowStore<K extends SearchKind> {
  /** Returns the window of a query, for any page. Opens one when there is none. */
  readonly find: (query: QueryOf[K], now: number) => Effect.Effect<Held<K>>
  /** Opens a new window, which replaces an existing one. */
  readonly renew: (query: QueryOf[K], now: number) => Effect.Effect<Held<K>>
  /** Evicts the least recently used windows until the limits are met. */
  readonly evict: Effect.Effect<void>
}

/** Cache key of a query, without its page. */
const keyOf = (query: QueryOf[SearchKind]): string =>
  JSON.stringify(
    Object.entries(query)
      .filter(([name]) => name !== "page" && name !== "max_results")
      .sort(([one], [other]) => (one < other ? -1 : 1))
  )

/** In-memory windows of this process, ordered by last use, most recent last. */
export const makeWindowStore = <K extends SearchKind>(open: (query: QueryOf[K]) => Window<K>): WindowStore<K> => {
  const windows = new Map<string, Held<K>>()

  const renew: WindowStore<K>["renew"] = (query, now) =>
    Effect.map(Effect.makeSemaphore(1), (lock) => {
      const held: Held<K> = { openedAt: now, state: MutableRef.make(open(query)), lock, readers: MutableRef.make(0) }
      const key = keyOf(query)
      windows.delete(key)
      windows.set(key, held)
      return held
    })

  return {
    renew,
    find: (query, now) =>
      Effect.suspend(() => {
        const key = keyOf(query)
        const held = windows.get(key)
        if (held === undefined || now - held.openedAt >= windowLife) return renew(query, now)
        windows.delete(key)
        windows.set(key, held)
        return Effect.succeed(held)
      }),
    evict: Effect.sync(() => {
      let results = 0
      for (const { state } of windows.values()) results += MutableRef.get(state).fused.length
      for (const [key, { state }] of windows) {
        if (windows.size <= 1 || (windows.size <= capacity.windows && results <= capacity.results)) return
        results -= MutableRef.get(state).fused.length
        windows.delete(key)
      }
    })
  }
}
