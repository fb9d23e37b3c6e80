import { type EngineFault } from "../../domain/Outcome.ts"
import { type QueryOf, type SafeSearch, type TimeLimit } from "../../domain/Query.ts"
import { type Region } from "../../domain/Region.ts"
import { type RawResult } from "../../domain/ResultItem.ts"
import { type SearchKind } from "../../domain/SearchKind.ts"

/**
 * A search engine, as data and pure functions: `request` builds a request and `parse` reads its answer. The runtime
 * (`services/engine/Engines.ts`) handles the network, the timing, the common block signs and the spans.
 */
export interface Engine {
  /** Lower case, as spelled in `backend` and `engines`. */
  readonly name: string
  readonly website: string
  /** Documentation of its API or, without an API, of its URL parameters. */
  readonly documentation: string
  /** `api` is intended for programs. `page` is an HTML page intended for people; `auto` prefers `api`. */
  readonly access: "api" | "page"
  /** Rate limit, set below what the engine tolerates; absent for no limit (a self-hosted engine). */
  readonly pace?: Pace
  /** The API keys that the engine accepts. */
  readonly keys?: Keys
  readonly sources: { readonly [K in SearchKind]?: Source<K> }
}

/** A token bucket: holds at most `burst` tokens and refills at `perMinute` tokens per minute. */
export interface Pace {
  readonly perMinute: number
  readonly burst: number
  /** Maximum concurrent attempts, for engines that limit them. Under `auto` a further attempt is `paced`. */
  readonly maxConcurrent?: number
}

/** Environment variables that hold an engine's keys. With `required`, the engine is unavailable unless all are set. */
export interface Keys {
  readonly variables: ReadonlyArray<string>
  readonly required: boolean
}

/** A parameter that restricts a search. */
export type Filter = "region" | "safesearch" | "timelimit" | keyof Filters["images"] | keyof Filters["videos"]

/** One kind of search at one engine. */
export interface Source<K extends SearchKind> {
  /**
   * Weight in rank fusion. 1: a good general web search. 0.9: a smaller index or a weaker ranking; a result that only
   * this source found ranks 8th or lower. Up to 0.6: a single site, a single content type or a small index. Its first
   * result means little: it confirms results of other engines, and otherwise ranks below them.
   */
  readonly weight: number
  /**
   * Name of the index, when it is not the engine's own. Sources that share an index count once in fusion. `auto`
   * queries an index a second time only after every other index.
   */
  readonly index?: string
  /** Covers one site or one content type only (code, encyclopedia articles). Does not replace a general source. */
  readonly isSpecial?: true
  /** Known to return unrelated results to programs it detects. Under `auto` such an answer is `irrelevant`. */
  readonly returnsUnrelatedResults?: true
  /** The filters that the engine applies. `auto` prefers sources that apply every filter of the query. */
  readonly honours: ReadonlyArray<Filter>
  /** Returns the filters of `honours` that the engine cannot apply with the values of this query. */
  readonly lacks?: (query: EngineQuery<K>) => ReadonlyArray<Filter>
  readonly request: (query: EngineQuery<K>, cursor: Cursor) => EngineRequest
  /** Cursor to retry with when the first page is unavailable or unreadable. Never used after a refusal. */
  readonly fallback?: Cursor
  /**
   * Reads one answer. Never throws. `readAnswer` calls it for every status; see ParsedAnswer.ts for the precedence of
   * block signs. Reads results from 2xx answers only. Returns `layout_changed` when it does not recognise the answer.
   * `Empty` after the first page is the end of the results.
   */
  readonly parse: (answer: EngineAnswer, query: EngineQuery<K>, cursor: Cursor) => Reading<K>
}

/** A query in the form that all engines of a kind receive. */
export type EngineQuery<K extends SearchKind> = Filters[K] & {
  /** Trimmed, 1 to 1,000 code points. */
  readonly text: string
  readonly region: Region
  readonly safesearch: SafeSearch
  readonly timelimit: TimeLimit | null
  /** Clock time in milliseconds since 1970. Relative dates are resolved against it. */
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

/** Identifies one page of an engine. `parse` returns the cursor of the next page. */
export interface Cursor {
  /** Starts at 1. */
  readonly page: number
  /** Fields that the previous page requires for this one (hidden form fields, a token); null for none. */
  readonly form: ReadonlyArray<readonly [name: string, value: string]> | null
}

export const firstPage: Cursor = { page: 1, form: null }

/** The cursor of the next page, for engines that number their pages. */
export const pageAfter = (cursor: Cursor): Cursor => ({ page: cursor.page + 1, form: null })

/**
 * Header set of a request: `browser` for HTML pages, `script` for requests that a script of such a page makes,
 * `program` (name and contact address) for APIs.
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
  /** Keys that the runtime adds, so that engines, traces and logs never see them. Unconfigured keys are omitted. */
  readonly secrets?: ReadonlyArray<Secret>
  /** Added to the headers of the persona, and take precedence over them. Names keep their letter case. */
  readonly headers?: Readonly<Record<string, string>>
  readonly cookies?: Readonly<Record<string, string>>
  /**
   * Whether cookies that the site sets, including on redirects, are sent with this request and later ones, for one day
   * at most. `cookies` take precedence over them.
   */
  readonly session?: boolean
  readonly persona: Persona
  /** Whether redirects are followed: at most 3, only over https and within the engine's own registrable domain. */
  readonly follow: boolean
}

/** A key from the engine's `Keys`, sent as a header or as a URL parameter. */
export interface Secret {
  readonly as: "header" | "param"
  readonly name: string
  readonly variable: string
  /** Text before the key, such as `Bearer `. */
  readonly prefix?: string
}

export interface EngineAnswer {
  readonly status: number
  /** Names are in lower case. */
  readonly headers: Readonly<Record<string, string>>
  /** The final URL, after redirects. */
  readonly url: string
  /** Text decoded from the charset of the answer. */
  readonly body: string
}

export const succeeded = (answer: EngineAnswer): boolean => answer.status >= 200 && answer.status < 300

/** The engine states that there are no results. The mere absence of results does not count. */
export interface Empty {
  readonly _tag: "Empty"
}

export interface Fault {
  readonly _tag: "Fault"
  readonly fault: EngineFault
}

/** The content of an answer. `next` is null when there is no further page. */
export type Parsed<K extends SearchKind> =
  | { readonly _tag: "Results"; readonly items: ReadonlyArray<RawResult<K>>; readonly next: Cursor | null }
  | Empty
  | Fault

/**
 * An intermediate answer (a page that carries a token, a redirect that sets a cookie). The next request uses `cursor`.
 */
export interface Step {
  readonly _tag: "Step"
  readonly cursor: Cursor
}

/** The result of parsing one answer. */
export type Reading<K extends SearchKind> = Parsed<K> | Step

export const step = (page: number, form: NonNullable<Cursor["form"]>): Step => ({
  _tag: "Step",
  cursor: { page, form }
})

export const empty: Empty = { _tag: "Empty" }

export const fault = (reason: EngineFault): Fault => ({ _tag: "Fault", fault: reason })

/** Returns the non-null items, or the fault `layout_changed` when there are none. */
export const results = <K extends SearchKind>(
  items: ReadonlyArray<RawResult<K> | null>,
  next: Cursor | null
): Parsed<K> => {
  const whole = items.filter((item) => item !== null)
  return whole.length === 0 ? fault("layout_changed") : { _tag: "Results", items: whole, next }
}
