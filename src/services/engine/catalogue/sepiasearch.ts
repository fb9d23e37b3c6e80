import { Schema } from "effect"
import { isoOfMillis, isoOfText, oldestWithin } from "../../../domain/Dates.ts"
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
import { textOfHtml } from "../toolkit/HtmlPage.ts"
import { params } from "../toolkit/Request.ts"

/**
 * Sepia Search: the videos of the PeerTube federation, by Framasoft.
 * https://docs.joinpeertube.org/api-rest-reference.html#tag/Search/operation/searchVideos
 *
 * - A small non-profit server: about one request a second. `start` is at most 10,000.
 * - The region's language is a preference (`boostLanguages`), not a filter, because most uploaders leave it unset.
 * - Servers of the federation, and old answers, have paths instead of URLs for pictures and players.
 * - Licences 1 to 7 are Creative Commons and public domain. There is no licence for `youtube`, so no filter is sent.
 */
const Answer = Schema.Struct({ total: Json.number, data: Json.items })

const Person = Schema.Struct({ displayName: Json.text, name: Json.text, host: Json.text })

const Video = Schema.Struct({
  name: Json.text,
  url: Json.text,
  description: Json.text,
  duration: Json.number,
  thumbnailUrl: Json.text,
  thumbnailPath: Json.text,
  previewUrl: Json.text,
  previewPath: Json.text,
  embedUrl: Json.text,
  embedPath: Json.text,
  nsfw: Json.member(Schema.Boolean),
  publishedAt: Json.text,
  views: Json.number,
  account: Schema.optionalWith(Schema.Unknown, { default: () => null }),
  channel: Schema.optionalWith(Schema.Unknown, { default: () => null })
})

const pageSize = 50
const deepestStart = 10_000

/** Limits in seconds. */
const lengths = {
  short: { durationMin: null, durationMax: 300 },
  medium: { durationMin: 300, durationMax: 1200 },
  long: { durationMin: 1200, durationMax: null }
} as const

const request = (query: EngineQuery<"videos">, cursor: Cursor) => ({
  method: "GET" as const,
  url: "https://sepiasearch.org/api/v1/search/videos",
  params: params({
    search: query.text,
    start: (cursor.page - 1) * pageSize,
    count: pageSize,
    sort: "-match",
    nsfw: query.safesearch === "off" ? "both" : "false",
    "boostLanguages[]": query.region.country && query.region.language,
    startDate: query.timelimit && isoOfMillis(oldestWithin(query.timelimit, query.now)),
    "licenceOneOf[]": query.license_videos === "creativeCommon" ? [1, 2, 3, 4, 5, 6, 7] : null,
    ...(query.duration && lengths[query.duration])
  }),
  persona: "program" as const,
  follow: true
})

const decode = Json.decodeBody(Answer)
const decodeVideo = Json.decodeItem(Video)
const decodePerson = Json.decodeItem(Person)

const parse = (answer: EngineAnswer, query: EngineQuery<"videos">, cursor: Cursor): Parsed<"videos"> => {
  const body = decode(answer)
  if (body === null) return fault("layout_changed")
  if (body.data.length === 0) return body.total === 0 || cursor.page > 1 ? empty : fault("layout_changed")
  const items = body.data.map(decodeVideo).map((video) => {
    if (video === null || (video.nsfw === true && query.safesearch !== "off")) return null
    const account = decodePerson(video.account)
    const channel = decodePerson(video.channel)
    const thumbnail = video.thumbnailUrl ?? video.thumbnailPath
    return rawVideo({
      ...(video.url !== null && { base: video.url }),
      title: video.name,
      url: video.url,
      description: textOfHtml(video.description),
      seconds: video.duration,
      embedUrl: video.embedUrl ?? video.embedPath,
      images: { large: video.previewUrl ?? video.previewPath, medium: thumbnail, small: thumbnail },
      provider: "PeerTube",
      published: isoOfText(video.publishedAt, query.now),
      publisher: account?.host ?? channel?.host ?? null,
      uploader: account?.displayName ?? account?.name ?? channel?.displayName ?? null,
      views: video.views
    })
  })
  const reached = cursor.page * pageSize
  const last = Math.min(body.total ?? 0, deepestStart)
  return results(items, reached < last ? pageAfter(cursor) : null)
}

export const sepiasearch = {
  name: "sepiasearch",
  website: "https://sepiasearch.org",
  documentation: "https://docs.joinpeertube.org/api-rest-reference.html",
  access: "api",
  pace: { perMinute: 60, burst: 30 },
  sources: {
    videos: {
      weight: 0.8,
      index: "peertube",
      honours: ["region", "safesearch", "timelimit", "duration", "license_videos"],
      lacks: ({ license_videos }) => (license_videos === "youtube" ? ["license_videos"] : []),
      request,
      parse
    }
  }
} as const satisfies Engine
