import { Clock, Context, Effect, Layer } from "effect"

/** A fixed window of one key. */
export interface Window {
  /** Hits so far, including the current one for `hit`. */
  readonly count: number
  /** Milliseconds since 1970. */
  readonly closesAt: number
}

/** Counts hits in fixed windows. A store shared by several processes can implement the same interface. */
export class RateLimiterStore extends Context.Tag("quarry/RateLimiterStore")<
  RateLimiterStore,
  {
    /** Counts one hit. The first hit opens a window of `span` milliseconds. */
    readonly hit: (key: string, span: number) => Effect.Effect<Window>
    /** Returns the window without counting. For a closed window, returns one that would open now. */
    readonly peek: (key: string, span: number) => Effect.Effect<Window>
  }
>() {
  /**
   * Keeps the windows in this process. Beyond `capacity`, evicts the window closest to its end. The evicted client
   * gains a few seconds, and each eviction costs an attacker a new address.
   */
  static readonly layerMemory = (capacity = 100_000) =>
    Layer.sync(RateLimiterStore, () => {
      // All spans are equal, so insertion order is also the order in which windows close.
      const windows = new Map<string, Window>()

      const evict = (now: number) => {
        for (const [key, window] of windows) {
          if (window.closesAt > now && windows.size < capacity) return
          windows.delete(key)
        }
      }

      const open = (key: string, now: number) => {
        const window = windows.get(key)
        return window !== undefined && window.closesAt > now ? window : undefined
      }

      return {
        hit: (key, span) =>
          Effect.map(Clock.currentTimeMillis, (now) => {
            const current = open(key, now)
            if (current === undefined) {
              windows.delete(key)
              evict(now)
            }
            const window = { count: (current?.count ?? 0) + 1, closesAt: current?.closesAt ?? now + span }
            windows.set(key, window)
            return window
          }),
        peek: (key, span) =>
          Effect.map(Clock.currentTimeMillis, (now) => open(key, now) ?? { count: 0, closesAt: now + span })
      }
    })
}
