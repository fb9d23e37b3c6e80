import { Clock, Context, Duration, Effect, Layer } from "effect"
import { type RawResult } from "../../../domain/ResultItem.ts"
import { type SearchKind } from "../../../domain/SearchKind.ts"
import { type Cursor, type Empty, type EngineQuery } from "../Engine.ts"

/** Identifies one page of an engine. */
export interface PageKey<K extends SearchKind> {
  readonly engine: string
  readonly kind: K
  readonly query: EngineQuery<K>
  readonly cursor: Cursor
}

/** A parsed page. Plain data, so that it survives JSON serialisation. */
export type EnginePage<K extends SearchKind> =
  { readonly _tag: "Results"; readonly items: ReadonlyArray<RawResult<K>>; readonly next: Cursor | null } | Empty

/** Lifetime of a cached page in milliseconds. The minimum is five minutes (contract, section 2). */
const life = Duration.toMillis("10 minutes")

/** Limits for all cached pages together. The character limit bounds hostile pages, whose items can have any length. */
export interface Capacity {
  readonly pages: number
  readonly items: number
  /** Length of the pages as JSON. */
  readonly characters: number
}

const usual: Capacity = { pages: 4_000, items: 20_000, characters: 40_000_000 }

interface Kept<K extends SearchKind> {
  readonly page: EnginePage<K>
  /** Milliseconds since 1970. */
  readonly at: number
}

type KeptByKind = { readonly [K in SearchKind]: Map<string, Kept<K>> }

interface Size {
  readonly kind: SearchKind
  readonly items: number
  readonly characters: number
}

/** Cache key of a page. Does not depend on the time of the query (`now`). */
export const cacheKey = <K extends SearchKind>({ cursor, engine, kind, query }: PageKey<K>): string => {
  const asked = Object.entries(query)
    .filter(([name]) => name !== "now")
    .sort(([one], [other]) => (one < other ? -1 : 1))
  return JSON.stringify([engine, kind, cursor.page, cursor.form, asked])
}

/** Cache of parsed pages, so that no page is fetched twice within minutes. */
export class EnginePages extends Context.Tag("quarry/EnginePages")<
  EnginePages,
  {
    /** Returns the page, or null when there is none or it was stored before `oldest` (milliseconds since 1970). */
    readonly get: <K extends SearchKind>(key: PageKey<K>, oldest: number) => Effect.Effect<EnginePage<K> | null>
    readonly put: <K extends SearchKind>(key: PageKey<K>, page: EnginePage<K>) => Effect.Effect<void>
  }
>() {
  /** In-memory cache. Evicts the least recently used pages. */
  static readonly layerMemory = (capacity: Capacity = usual) =>
    Layer.sync(EnginePages, () => {
      const kept: KeptByKind = {
        text: new Map(),
        images: new Map(),
        videos: new Map(),
        news: new Map(),
        books: new Map()
      }
      // Ordered by last use, most recent last.
      const sizes = new Map<string, Size>()
      const total = { items: 0, characters: 0 }

      const drop = (spelt: string) => {
        const size = sizes.get(spelt)
        if (size === undefined) return
        sizes.delete(spelt)
        kept[size.kind].delete(spelt)
        total.items -= size.items
        total.characters -= size.characters
      }

      const isFull = () =>
        sizes.size > capacity.pages || total.items > capacity.items || total.characters > capacity.characters

      return {
        get: (key, oldest) =>
          Effect.map(Clock.currentTimeMillis, (now) => {
            const spelt = cacheKey(key)
            const found = kept[key.kind].get(spelt)
            const size = sizes.get(spelt)
            if (found === undefined || size === undefined) return null
            if (now - found.at >= life) {
              drop(spelt)
              return null
            }
            if (found.at < oldest) return null
            sizes.delete(spelt)
            sizes.set(spelt, size)
            return found.page
          }),
        put: (key, page) =>
          Effect.map(Clock.currentTimeMillis, (now) => {
            const spelt = cacheKey(key)
            drop(spelt)
            const items = page._tag === "Results" ? page.items.length : 0
            const { length: characters } = JSON.stringify(page)
            kept[key.kind].set(spelt, { page, at: now })
            sizes.set(spelt, { kind: key.kind, items, characters })
            total.items += items
            total.characters += characters
            for (const oldest of sizes.keys()) {
              if (!isFull()) return
              drop(oldest)
            }
          })
      }
    })
}
