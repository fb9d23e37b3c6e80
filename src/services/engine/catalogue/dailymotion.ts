import { Schema } from "effect"
import { isoOfSeconds, oldestWithin } from "../../../domain/Dates.ts"
import { rawVideo } from "../../../domain/RawResult.ts"
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
import * as Json from "../toolkit/JsonValue.ts"
import { decodeEntities, textOfHtml } from "../toolkit/HtmlPage.ts"
import { params } from "../toolkit/Request.ts"

/**
 * Dailymotion's public API. https://developers.dailymotion.com/v0/reference/video-filters
 *
 * - At most 1,000 results a query. There is no published rate limit for reading. A few requests a second are accepted.
 * - `hd` is 720 lines or more. There is no filter for lower resolutions or for licences. Lengths are in minutes.
 * - The region is sent as `localization`, which affects order and translation. The filters `languages` and `country`
 *   would exclude videos that their uploaders did not label.
 */
const Answer = Schema.Struct({ has_more: Json.member(Schema.Boolean), total: Json.number, list: Json.items })

const Video = Schema.Struct({
  id: Json.text,
  title: Json.text,
  url: Json.text,
  description: Json.text,
  duration: Json.number,
  created_time: Json.number,
  thumbnail_120_url: Json.text,
  thumbnail_360_url: Json.text,
  thumbnail_720_url: Json.text,
  embed_url: Json.text,
  views_total: Json.number,
  "owner.screenname": Json.text
})

const pageSize = 50
const lastPage = 20

const lengths = {
  short: { longer_than: null, shorter_than: 5 },
  medium: { longer_than: 5, shorter_than: 20 },
  long: { longer_than: 20, shorter_than: null }
} as const

const request = (query: EngineQuery<"videos">, cursor: Cursor) => ({
  method: "GET" as const,
  url: "https://api.dailymotion.com/videos",
  params: params({
    search: query.text,
    sort: "relevance",
    page: cursor.page,
    limit: pageSize,
    fields: Object.keys(Video.fields).join(","),
    family_filter: String(query.safesearch !== "off"),
    private: "false",
    password_protected: "false",
    localization: query.region.country && `${query.region.language}_${query.region.country}`,
    created_after: query.timelimit && Math.floor(oldestWithin(query.timelimit, query.now) / 1000),
    hd: query.resolution === "high" ? 1 : null,
    ...(query.duration && lengths[query.duration])
  }),
  persona: "program" as const,
  follow: true
})

const decode = Json.decodeBody(Answer)
const decodeVideo = Json.decodeItem(Video)

const parse = (answer: EngineAnswer, _query: EngineQuery<"videos">, cursor: Cursor): Parsed<"videos"> => {
  const body = decode(answer)
  if (body === null) return fault("layout_changed")
  if (body.list.length === 0) return cursor.page === 1 && (body.total ?? 0) > 0 ? fault("layout_changed") : empty
  const items = body.list.map(decodeVideo).map((video) =>
    video === null
      ? null
      : rawVideo({
          title: decodeEntities(video.title ?? ""),
          url:
            video.url ??
            (video.id && `https://www.dailymotion.com/video/${encodeURIComponent(video.id.toWellFormed())}`),
          description: textOfHtml(video.description),
          seconds: video.duration,
          embedUrl: video.embed_url,
          images: { large: video.thumbnail_720_url, medium: video.thumbnail_360_url, small: video.thumbnail_120_url },
          provider: "Dailymotion",
          published: isoOfSeconds(video.created_time),
          publisher: "Dailymotion",
          uploader: video["owner.screenname"],
          views: video.views_total
        })
  )
  return results(items, body.has_more === true && cursor.page < lastPage ? pageAfter(cursor) : null)
}

export const dailymotion = {
  name: "dailymotion",
  website: "https://www.dailymotion.com",
  documentation: "https://developers.dailymotion.com/api/",
  access: "api",
  pace: { perMinute: 60, burst: 30 },
  sources: {
    videos: {
      weight: 0.8,
      honours: ["region", "safesearch", "timelimit", "resolution", "duration"],
      lacks: ({ resolution }) => (resolution === "standard" ? ["resolution"] : []),
      request,
      parse
    }
  }
} as const satisfies Engine
