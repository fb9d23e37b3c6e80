import { type QueryOf } from "../../domain/Query.ts"
import { regionOf, worldwide } from "../../domain/Region.ts"
import { type SearchKind } from "../../domain/SearchKind.ts"
import { type EngineQuery, type Filter } from "../engine/Engine.ts"

type ToEngineQuery = { readonly [K in SearchKind]: (query: QueryOf[K], now: number) => EngineQuery<K> }

/** Converts a user's query to an engine query. `now` is in milliseconds since 1970. */
export const engineQueries: ToEngineQuery = {
  text: (query, now) => ({
    text: query.q,
    region: regionOf(query.region),
    safesearch: query.safesearch,
    timelimit: query.timelimit ?? null,
    now
  }),
  images: (query, now) => ({
    text: query.q,
    region: regionOf(query.region),
    safesearch: query.safesearch,
    timelimit: query.timelimit ?? null,
    now,
    size: query.size ?? null,
    color: query.color ?? null,
    type_image: query.type_image ?? null,
    layout: query.layout ?? null
  }),
  videos: (query, now) => ({
    text: query.q,
    region: regionOf(query.region),
    safesearch: query.safesearch,
    timelimit: query.timelimit ?? null,
    now,
    resolution: query.resolution ?? null,
    duration: query.duration ?? null,
    license_videos: query.license_videos ?? null
  }),
  news: (query, now) => ({
    text: query.q,
    region: regionOf(query.region),
    safesearch: query.safesearch,
    timelimit: query.timelimit ?? null,
    now
  }),
  books: (query, now) => ({ text: query.q, region: worldwide, safesearch: "off", timelimit: null, now })
}

const always = new Set(["q", "region", "max_results", "page", "backend"])

/** The filters of a query. A region only affects ranking, and `safesearch` is a filter only when it is `on`. */
export const filtersAsked = <K extends SearchKind>(query: QueryOf[K]): ReadonlyArray<Filter> =>
  Object.entries(query)
    .filter(([name, value]) => value !== undefined && !always.has(name) && (name !== "safesearch" || value === "on"))
    .map(([name]) => name)
    .filter(isFilter)

const names: ReadonlyArray<Filter> = [
  "safesearch",
  "timelimit",
  "size",
  "color",
  "type_image",
  "layout",
  "resolution",
  "duration",
  "license_videos"
]
const isFilter = (name: string): name is Filter => names.some((known) => known === name)
