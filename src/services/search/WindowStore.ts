import { Duration, Effect, MutableRef } from "effect"
import { type QueryOf } from "../../domain/Query.ts"
import { type SearchKind } from "../../domain/SearchKind.ts"
import { type Window } from "./Window.ts"

/** How long a window is kept for its next page; at least five minutes (contract, section 2). */
const windowLife = Duration.toMillis("15 minutes")

/** Windows of a kind that are kept, and results in them all together: an item takes one to two kilobytes. */
const capacity = { windows: 256, results: 10_000 } as const

/** A window that several requests share; whoever holds the lock reads on. */
export interface Held<K extends SearchKind> {
  /** Milliseconds since 1970. */
  readonly openedAt: number
  readonly state: MutableRef.MutableRef<Window<K>>
  readonly lock: Effect.Semaphore
  /** Requests that read it or wait to. */
  readonly readers: MutableRef.MutableRef<number>
}

export interface WindowStore<K extends SearchKind> {
  /** The window of a query, whatever its page; opened when there is none. */
  readonly find: (query: QueryOf[K], now: number) => Effect.Effect<Held<K>>
  /** A window in place of the one there may be. */
  readonly renew: (query: QueryOf[K], now: number) => Effect.Effect<Held<K>>
  /** Lets go of the windows that were used longest ago until the rest is within its bounds. */
  readonly settle: Effect.Effect<void>
}

/** A query whatever its page. */
const keyOf = (query: QueryOf[SearchKind]): string =>
  JSON.stringify(
    Object.entries(query)
      .filter(([name]) => name !== "page" && name !== "max_results")
      .sort(([one], [other]) => (one < other ? -1 : 1))
  )

/** Windows in this process, those used last at the end. */
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
    settle: Effect.sync(() => {
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
