import { Schema } from "effect"
import { rawImage, rawText } from "../../../domain/RawResult.ts"
import { type SearchKind } from "../../../domain/SearchKind.ts"
import {
  type Cursor,
  type Empty,
  empty,
  type Engine,
  type EngineAnswer,
  type EngineQuery,
  type EngineRequest,
  type Fault,
  fault,
  pageAfter,
  type Parsed,
  results
} from "../Engine.ts"
import { fileNameOf } from "../toolkit/FileName.ts"
import { interfaceLanguage, resultLanguage, searcherCountry } from "../toolkit/GoogleLocale.ts"
import * as Json from "../toolkit/JsonValue.ts"
import { params } from "../toolkit/Request.ts"

/**
 * Google's Custom Search JSON API. Requires a key and the id of a search engine that searches the whole web.
 * https://developers.google.com/custom-search/v1/reference/rest/v1/cse/list
 *
 * - Closed to new customers. Google has announced the end of the API for 1 January 2027.
 * - 100 free queries a day, 10 results a page, 100 results a query. An exhausted quota returns 429, or 403 with the
 *   reason `dailyLimitExceeded`. An invalid key returns 400.
 * - Safe search is on or off; `moderate` sends on. There is no filter for the aspect ratio. Transparent images are a
 *   colour type.
 */
const pageSize = 10
const lastPage = 10

const Answer = Schema.Struct({
  kind: Json.text,
  searchInformation: Json.member(Schema.Struct({ totalResults: Schema.Unknown })),
  queries: Json.member(Schema.Struct({ nextPage: Schema.Unknown })),
  items: Schema.optional(Json.items)
})

const inner = Schema.optionalWith(Schema.Unknown, { default: () => null })

const Item = Schema.Struct({
  title: Json.text,
  link: Json.text,
  snippet: Json.text,
  displayLink: Json.text,
  image: inner
})
const Image = Schema.Struct({
  contextLink: Json.text,
  thumbnailLink: Json.text,
  width: Json.number,
  height: Json.number
})

const within = { d: "d1", w: "w1", m: "m1", y: "y1" } as const
const sizes = { Small: "SMALL", Medium: "MEDIUM", Large: "LARGE", Wallpaper: "HUGE" } as const
const types = { photo: "photo", clipart: "clipart", gif: "animated", line: "lineart", transparent: null } as const

/** Returns the values of `imgColorType` and `imgDominantColor`. */
const colours = ({ color, type_image }: Pick<EngineQuery<"images">, "color" | "type_image">) => {
  const kind = color === "color" ? "color" : color === "Monochrome" ? "gray" : null
  return {
    imgColorType: type_image === "transparent" ? "trans" : kind,
    imgDominantColor: kind === null && color !== null ? color.toLowerCase() : null
  }
}

const ask = <K extends SearchKind>(
  query: EngineQuery<K>,
  cursor: Cursor,
  own: Parameters<typeof params>[0] = {}
): EngineRequest => ({
  method: "GET",
  url: "https://customsearch.googleapis.com/customsearch/v1",
  params: params({
    q: query.text,
    num: pageSize,
    start: (cursor.page - 1) * pageSize + 1,
    safe: query.safesearch === "off" ? "off" : "active",
    hl: interfaceLanguage(query.region),
    gl: searcherCountry(query.region),
    lr: resultLanguage(query.region),
    dateRestrict: query.timelimit && within[query.timelimit],
    ...own
  }),
  secrets: [
    { as: "param", name: "key", variable: "GOOGLE_API_KEY" },
    { as: "param", name: "cx", variable: "GOOGLE_CSE_ID" }
  ],
  persona: "program",
  follow: false
})

const decode = Json.decodeBody(Answer)
const itemOf = Json.decodeItem(Item)
const imageOf = Json.decodeItem(Image)

/** Returns true for an exhausted daily quota or an exceeded rate limit. Some of these errors have status 403. */
const isUsedUp = ({ body, status }: EngineAnswer): boolean =>
  status >= 400 &&
  /"(?:dailyLimit|rateLimit|userRateLimit|quota)Exceeded|RESOURCE_EXHAUSTED"/.test(body.slice(0, 4_000))

const listed = (
  answer: EngineAnswer,
  cursor: Cursor
): { readonly items: ReadonlyArray<typeof Item.Type | null>; readonly next: Cursor | null } | Empty | Fault => {
  if (isUsedUp(answer)) return fault("rate_limited")
  const body = decode(answer)
  const items = body?.items ?? []
  if (body === null || (body.kind !== "customsearch#search" && items.length === 0)) return fault("layout_changed")
  if (items.length === 0)
    return String(body.searchInformation?.totalResults) === "0" || cursor.page > 1 ? empty : fault("layout_changed")
  const more = body.queries !== null && cursor.page < lastPage
  return { items: items.map(itemOf), next: more ? pageAfter(cursor) : null }
}

const readText = (answer: EngineAnswer, _query: EngineQuery<"text">, cursor: Cursor): Parsed<"text"> => {
  const list = listed(answer, cursor)
  if ("_tag" in list) return list
  const items = list.items.map((item) => item && rawText({ title: item.title, url: item.link, body: item.snippet }))
  return results(items, list.next)
}

const readImages = (answer: EngineAnswer, _query: EngineQuery<"images">, cursor: Cursor): Parsed<"images"> => {
  const list = listed(answer, cursor)
  if ("_tag" in list) return list
  const items = list.items.map((item) => {
    if (item === null || item.link === null) return null
    const image = imageOf(item.image)
    return rawImage({
      title: item.title?.trim() || fileNameOf(item.link),
      url: image?.contextLink ?? item.link,
      image: item.link,
      thumbnail: image?.thumbnailLink ?? null,
      width: image?.width ?? null,
      height: image?.height ?? null,
      source: item.displayLink
    })
  })
  return results(items, list.next)
}

export const googlecse = {
  name: "googlecse",
  website: "https://programmablesearchengine.google.com",
  documentation: "https://developers.google.com/custom-search/v1/reference/rest/v1/cse/list",
  access: "api",
  pace: { perMinute: 60, burst: 10 },
  keys: { variables: ["GOOGLE_API_KEY", "GOOGLE_CSE_ID"], required: true },
  sources: {
    text: {
      weight: 1,
      index: "google",
      honours: ["region", "safesearch", "timelimit"],
      request: (query, cursor) => ask(query, cursor),
      parse: readText
    },
    images: {
      weight: 1,
      index: "google",
      honours: ["region", "safesearch", "timelimit", "size", "color", "type_image"],
      lacks: ({ color, type_image }) =>
        type_image === "transparent" && (color === "color" || color === "Monochrome") ? ["color"] : [],
      request: (query, cursor) =>
        ask(query, cursor, {
          searchType: "image",
          imgSize: query.size && sizes[query.size],
          imgType: query.type_image && types[query.type_image],
          ...colours(query)
        }),
      parse: readImages
    }
  }
} as const satisfies Engine
