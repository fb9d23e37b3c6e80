import { Context, type Effect } from "effect"
import { type FetchFailed, type UrlNotAllowed } from "../domain/Failure.ts"

/** What a fetch target answered: a 2xx, whole and decompressed. */
export interface Fetched {
  /** After redirects. */
  readonly finalUrl: string
  readonly status: number
  /** The `Content-Type` header as it came; null for none. */
  readonly contentType: string | null
  /** At most 10 MiB. */
  readonly bytes: Uint8Array
}

/**
 * The way out for content fetches: never through the search proxy, never to an address that policy forbids. The
 * caller bounds the time; interruption closes the sockets.
 */
export class Fetcher extends Context.Tag("quarry/Fetcher")<
  Fetcher,
  { readonly fetch: (url: string) => Effect.Effect<Fetched, UrlNotAllowed | FetchFailed> }
>() {}
