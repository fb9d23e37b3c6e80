import { type EngineFault } from "../../domain/Outcome.ts"
import { type QueryOf, type SafeSearch, type TimeLimit } from "../../domain/Query.ts"
import { type Region } from "../../domain/Region.ts"
import { type RawResult } from "../../domain/ResultItem.ts"
import { type SearchKind } from "../../domain/SearchKind.ts"

/**
 * An engine is data and pure functions: `request` says what to ask, `parse` reads the answer. The runtime
 * (`services/Engines.ts`) owns the network, the time, the common block signs and the spans.
 */
export interface Engine {
  /** Lower case, as `backend` and `engines` spell it. */
  readonly name: string
  readonly website: string
  /** Where its API, or else its parameters, are described. */
  readonly documentation: string
  /** `api` welcomes programs; `page` is made for people, and is asked after those. */
  readonly access: "api" | "page"
  /** How often it may be asked, below what it tolerates; unlimited where it is one's own. */
  readonly pace?: Pace
  /** The keys it takes. */
  readonly keys?: Keys
  readonly sources: { readonly [K in SearchKind]?: Source<K> }
}

/** A token bucket: `burst` requests at once, refilled at `perMinute`. */
export interface Pace {
  readonly perMinute: number
  readonly burst: number
  /** Asks under way at the same time, where the engine minds; another one is `paced` under `auto`. */
  readonly atOnce?: number
}

/** Environment variables that hold an engine's keys. Where they are `required`, it does not exist without all of them. */
export interface Keys {
  readonly variables: ReadonlyArray<string>
  readonly required: boolean
}

/** A parameter that narrows a search. */
export type Filter = "region" | "safesearch" | "timelimit" | keyof Filters["images"] | keyof Filters["videos"]

/** One kind of search at one engine. */
export interface Source<K extends SearchKind> {
  /**
   * Its say in rank fusion: 1 is a good general web search; 0.9 one of a smaller index or a worse order, whose lone finds
   * come from the 8th place on; up to 0.6 a site, a sort of thing or a small index, whose first means little: it
   * confirms what others found, and fills up behind them.
   */
  readonly weight: number
  /**
   * Whose index it searches, where that is not the engine's own: two sources with one index agree for nothing, and one
   * is not asked before another index was.
   */
  readonly index?: string
  /** One site or one sort of thing only (code, encyclopedia articles): no substitute for a general source. */
  readonly isSpecial?: true
  /** Known to answer programs it dislikes with unrelated results: under `auto` such an answer is `irrelevant`. */
  readonly poisons?: true
  /** The filters that reach the engine; `auto` prefers sources that honour all that were asked for. */
  readonly honours: ReadonlyArray<Filter>
  /** Of these, the ones it has no equivalent for with the value asked for. */
  readonly lacks?: (query: EngineQuery<K>) => ReadonlyArray<Filter>
  readonly request: (query: EngineQuery<K>, cursor: Cursor) => EngineRequest
  /** Where to begin instead when the first page could not be had or understood; never after a refusal. */
  readonly fallback?: Cursor
  /**
   * Never throws, whatever the answer is. Called by `readAnswer` for every status that is no certain sign of a refusal
   * (Answer.ts has the order); reads results out of 2xx answers only. `layout_changed` says that it could make nothing
   * of the answer. `Empty` after the first page is the end of the results.
   */
  readonly parse: (answer: EngineAnswer, query: EngineQuery<K>, cursor: Cursor) => Reading<K>
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

/**
 * Who asks: `browser` where pages are served to people, `script` where such a page fetches more, `program` (name and
 * contact) where an API is.
 */
export type Persona = "browser" | "script" | "program"

export interface EngineRequest {
  readonly method: "GET" | "POST"
  /** Absolute https URL without a query string. */
  readonly url: string
  readonly params?: ReadonlyArray<readonly [name: string, value: string]>
  /** Sent as application/x-www-form-urlencoded. */
  readonly form?: ReadonlyArray<readonly [name: string, value: string]>
  /** Sent as application/json. */
  readonly json?: unknown
  /** Put in by the runtime, so that no key is seen by engines, traces or logs; one that is not configured is left out. */
  readonly secrets?: ReadonlyArray<Secret>
  /** Besides those of the persona; these win. Names in the letter case they are to be sent in. */
  readonly headers?: Readonly<Record<string, string>>
  readonly cookies?: Readonly<Record<string, string>>
  /**
   * Whether cookies that the site sets, on the way of its redirects too, are sent to it with this request and those
   * after it, for a day at most. `cookies` win over them.
   */
  readonly session?: boolean
  readonly persona: Persona
  /** Whether a redirect is followed (at most 3, on https, never off the engine's own registrable host). */
  readonly follow: boolean
}

/** A key of the engine's `Keys`, as a header or a parameter of the URL. */
export interface Secret {
  readonly as: "header" | "param"
  readonly name: string
  readonly variable: string
  /** In front of the key: `Bearer `. */
  readonly prefix?: string
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
  | { readonly _tag: "Results"; readonly items: ReadonlyArray<RawResult<K>>; readonly next: Cursor | null }
  | Empty
  | Fault

/** A step on the way (a page that carries a token, a redirect with a cookie): ask again with this cursor. */
export interface Step {
  readonly _tag: "Step"
  readonly cursor: Cursor
}

/** What `parse` makes of one answer. */
export type Reading<K extends SearchKind> = Parsed<K> | Step

export const step = (page: number, form: NonNullable<Cursor["form"]>): Step => ({
  _tag: "Step",
  cursor: { page, form }
})

export const empty: Empty = { _tag: "Empty" }

export const fault = (reason: EngineFault): Fault => ({ _tag: "Fault", fault: reason })

/** Results, or `layout_changed` when none could be read where some were due. */
export const results = <K extends SearchKind>(
  items: ReadonlyArray<RawResult<K> | null>,
  next: Cursor | null
): Parsed<K> => {
  const whole = items.filter((item) => item !== null)
  return whole.length === 0 ? fault("layout_changed") : { _tag: "Results", items: whole, next }
}
