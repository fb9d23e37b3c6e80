import { Schema } from "effect"
import { rawImage } from "../../../domain/RawResult.ts"
import {
  type Cursor,
  empty,
  type Engine,
  type EngineAnswer,
  type EngineQuery,
  fault,
  pageAfter,
  type Parsed,
  results
} from "../Engine.ts"
import { fileNameOf } from "../toolkit/FileName.ts"
import * as Json from "../toolkit/JsonValue.ts"
import { decodeEntities } from "../toolkit/HtmlPage.ts"
import { firstPoints, params } from "../toolkit/Request.ts"

/**
 * Openverse: openly licensed pictures from Flickr, Wikimedia and museums. https://api.openverse.org/v1/
 *
 * - Without a key: 20 results a page, 240 results a query, 20 requests a minute and 200 a day. Exceeding these limits
 *   returns 401 or 429.
 * - Queries are cut at 200 characters. Many pictures have an empty title, which is replaced by the file name.
 * - Any value of `mature`, even "false", includes adult pictures (`media_serializers.py`).
 * - The largest size is "large", which is also used for `Wallpaper`. Both types of drawing are sent as `illustration`.
 *   `gif` and `transparent` select file formats that support animation or transparency.
 */
const Answer = Schema.Struct({
  result_count: Json.number,
  page_count: Json.number,
  results: Json.items
})

const Picture = Schema.Struct({
  title: Json.text,
  url: Json.text,
  foreign_landing_url: Json.text,
  thumbnail: Json.text,
  width: Json.number,
  height: Json.number,
  source: Json.text,
  provider: Json.text,
  mature: Json.member(Schema.Boolean)
})

const pageSize = 20
const lastPage = 12
const longestQuery = 200

const kinds = {
  photo: { category: "photograph", extension: null },
  clipart: { category: "illustration", extension: null },
  line: { category: "illustration", extension: null },
  gif: { category: null, extension: "gif" },
  transparent: { category: null, extension: "png,svg" }
} as const

const sizes = { Small: "small", Medium: "medium", Large: "large", Wallpaper: "large" } as const
const layouts = { Square: "square", Tall: "tall", Wide: "wide" } as const

const request = (query: EngineQuery<"images">, cursor: Cursor) => ({
  method: "GET" as const,
  url: "https://api.openverse.org/v1/images/",
  params: params({
    q: firstPoints(query.text, longestQuery),
    page: cursor.page,
    page_size: pageSize,
    mature: query.safesearch === "off" ? "true" : null,
    size: query.size && sizes[query.size],
    aspect_ratio: query.layout && layouts[query.layout],
    category: query.type_image && kinds[query.type_image].category,
    extension: query.type_image && kinds[query.type_image].extension
  }),
  persona: "program" as const,
  follow: true
})

const decode = Json.decodeBody(Answer)
const decodePicture = Json.decodeItem(Picture)

const parse = (answer: EngineAnswer, query: EngineQuery<"images">, cursor: Cursor): Parsed<"images"> => {
  if (answer.status === 401) return fault("rate_limited")
  const body = decode(answer)
  if (body === null) return fault("layout_changed")
  if (body.results.length === 0) return body.result_count === 0 || cursor.page > 1 ? empty : fault("layout_changed")
  const items = body.results.map(decodePicture).map((picture) =>
    picture === null || picture.url === null || (picture.mature === true && query.safesearch !== "off")
      ? null
      : rawImage({
          title: decodeEntities(picture.title?.trim() ?? "") || fileNameOf(picture.url),
          url: picture.foreign_landing_url?.trim() || picture.url,
          image: picture.url,
          thumbnail: picture.thumbnail,
          width: picture.width,
          height: picture.height,
          source: picture.source ?? picture.provider
        })
  )
  const more = cursor.page < Math.min(body.page_count ?? 0, lastPage)
  return results(items, more ? pageAfter(cursor) : null)
}

export const openverse = {
  name: "openverse",
  website: "https://openverse.org",
  documentation: "https://api.openverse.org/v1/",
  access: "api",
  pace: { perMinute: 20, burst: 20 },
  sources: {
    images: {
      weight: 1,
      honours: ["safesearch", "size", "type_image", "layout"],
      request,
      parse
    }
  }
} as const satisfies Engine
