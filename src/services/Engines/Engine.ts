import { type EngineFault } from "../../domain/Outcome.ts"
import { type QueryOf, type SafeSearch, type TimeLimit } from "../../domain/Query.ts"
import { type Region } from "../../domain/Region.ts"
import { type Found } from "../../domain/ResultItem.ts"
import { type SearchKind } from "../../domain/SearchKind.ts"

/**
 * An engine is data and pure functions: `request` says what to ask, `parse` reads the answer. The runtime
 * (`services/Engines.ts`) owns the network, the time, the common block signs and the spans.
 */
export interface Engine {
  /** Lower case, as `backend` and `engines` spell it. */
  readonly name: string
  readonly website: string
  /** Its say in rank fusion; 1 is usual. */
  readonly weight: number
  readonly sources: { readonly [K in SearchKind]?: Source<K> }
}

/** A parameter that narrows a search. */
export type Filter = "region" | "safesearch" | "timelimit" | keyof Filters["images"] | keyof Filters["videos"]

/** One kind of search at one engine. */
export interface Source<K extends SearchKind> {
  /** The filters that reach the engine; `auto` prefers sources that honour all that were asked for. */
  readonly honours: ReadonlyArray<Filter>
  /** Of these, the ones it has no equivalent for with the value asked for. */
  readonly lacks?: (query: EngineQuery<K>) => ReadonlyArray<Filter>
  readonly request: (query: EngineQuery<K>, cursor: Cursor) => EngineRequest
  /**
   * Never throws, whatever the answer is. Called by `readAnswer` for every status that is no certain sign of a refusal
   * (Answer.ts has the order); reads results out of 2xx answers only. `layout_changed` says that it could make nothing
   * of the answer. `Empty` after the first page is the end of the results.
   */
  readonly parse: (answer: EngineAnswer, query: EngineQuery<K>, cursor: Cursor) => Parsed<K>
}

/** What is asked, the same for every engine of a kind. */
export type EngineQuery<K extends SearchKind> = Filters[K] & {
  /** Trimmed, 1 to 1,000 code points. */
  readonly text: string
  readonly region: Region
  readonly safesearch: SafeSearch
  readonly timelimit: TimeLimit | null
  /** The Clock's time, in milliseconds since 1970: relative dates are resolved against it. */
  readonly now: number
}

type Chosen<K extends SearchKind, Name extends keyof QueryOf[K]> = {
  readonly [N in Name]-?: Exclude<QueryOf[K][N], undefined> | null
}

interface Filters {
  readonly text: unknown
  readonly images: Chosen<"images", "size" | "color" | "type_image" | "layout">
  readonly videos: Chosen<"videos", "resolution" | "duration" | "license_videos">
  readonly news: unknown
  readonly books: unknown
}

/** Which of the engine's own pages is wanted. A parse hands out the one that follows. */
export interface Cursor {
  /** From 1. */
  readonly page: number
  /** What the engine's last page said to send for this one (hidden form fields, a token); null for none. */
  readonly form: ReadonlyArray<readonly [name: string, value: string]> | null
}

export const firstPage: Cursor = { page: 1, form: null }

/** The page that follows, for engines that count. */
export const pageAfter = (cursor: Cursor): Cursor => ({ page: cursor.page + 1, form: null })

/** Who asks: `browser` where pages are served to people, `program` (name and contact) where an API is. */
export type Persona = "browser" | "program"

export interface EngineRequest {
  readonly method: "GET" | "POST"
  /** Absolute https URL without a query string. */
  readonly url: string
  readonly params?: ReadonlyArray<readonly [name: string, value: string]>
  /** Sent as application/x-www-form-urlencoded. */
  readonly form?: ReadonlyArray<readonly [name: string, value: string]>
  /** Besides those of the persona; these win. Names in the letter case they are to be sent in. */
  readonly headers?: Readonly<Record<string, string>>
  readonly cookies?: Readonly<Record<string, string>>
  readonly persona: Persona
  /** Whether a redirect is followed (at most 3, on https, never off the engine's own registrable host). */
  readonly follow: boolean
}

export interface EngineAnswer {
  readonly status: number
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  /** Where the answer came from after redirects. */
  readonly url: string
  /** Decoded by its charset. */
  readonly body: string
}

/** Whether the status is a 2xx. */
export const succeeded = (answer: EngineAnswer): boolean => answer.status >= 200 && answer.status < 300

/** The engine itself says there is nothing: a positive sign, never the mere absence of results. */
export interface Empty {
  readonly _tag: "Empty"
}

export interface Fault {
  readonly _tag: "Fault"
  readonly fault: EngineFault
}

/** What an answer holds. `next` is null when the engine has no further page. */
export type Parsed<K extends SearchKind> =
  { readonly _tag: "Results"; readonly items: ReadonlyArray<Found<K>>; readonly next: Cursor | null } | Empty | Fault

export const empty: Empty = { _tag: "Empty" }

export const fault = (reason: EngineFault): Fault => ({ _tag: "Fault", fault: reason })

/** Results, or `layout_changed` when none could be read where some were due. */
export const results = <K extends SearchKind>(
  items: ReadonlyArray<Found<K> | null>,
  next: Cursor | null
): Parsed<K> => {
  const whole = items.filter((item) => item !== null)
  return whole.length === 0 ? fault("layout_changed") : { _tag: "Results", items: whole, next }
}
