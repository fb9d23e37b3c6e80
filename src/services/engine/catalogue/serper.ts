import { Schema } from "effect"
import { isoOfText } from "../../../domain/Dates.ts"
import { rawImage, rawNews, rawText, rawVideo } from "../../../domain/RawResult.ts"
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
import { secondsOf } from "../toolkit/Figures.ts"
import { fileNameOf } from "../toolkit/FileName.ts"
import { interfaceLanguage, searcherCountry } from "../toolkit/GoogleLocale.ts"
import { hostNameOf } from "../toolkit/HostName.ts"
import * as Json from "../toolkit/JsonValue.ts"
import { given } from "../toolkit/Request.ts"

/**
 * Serper, which returns Google's results as JSON. Requires a key. https://serper.dev/playground
 *
 * - 10 results cost one credit and more cost two, so the page size is 10. There is no total. A page that is at most
 *   half full is the last.
 * - `tbs` is Google's own parameter for the time limit and for the image and video filters. Serper passes it on.
 * - Safe search is not documented, so the source does not declare it. Google has no image size above `large`, and no
 *   video filter for licences or low resolution.
 * - Dates are from Google's page, in its language. They can be parsed only in English.
 * - "Not enough credits" is a 400, an invalid key a 403, and a rate error a 429.
 */
const pageSize = 10
const lastPage = 10

const Answer = Schema.Struct({
  searchParameters: Json.member(Schema.Struct({ q: Schema.String })),
  organic: Schema.optional(Json.items),
  images: Schema.optional(Json.items),
  news: Schema.optional(Json.items),
  videos: Schema.optional(Json.items)
})

const Item = Schema.Struct({
  title: Json.text,
  link: Json.text,
  snippet: Json.text,
  date: Json.text,
  source: Json.text,
  domain: Json.text,
  imageUrl: Json.text,
  imageWidth: Json.number,
  imageHeight: Json.number,
  thumbnailUrl: Json.text,
  duration: Json.text,
  channel: Json.text
})

const sizes = { Small: "i", Medium: "m", Large: "l", Wallpaper: "l" } as const
const types = {
  photo: "itp:photo",
  clipart: "itp:clipart",
  gif: "itp:animated",
  line: "itp:lineart",
  transparent: "ic:trans"
} as const
const layouts = { Square: "s", Tall: "t", Wide: "w" } as const
const lengths = { short: "s", medium: "m", long: "l" } as const

type Choices = ReadonlyArray<string | null>

const colour = ({ color, type_image }: EngineQuery<"images">): string | null => {
  if (color === null || type_image === "transparent") return null
  if (color === "color") return "ic:color"
  return color === "Monochrome" ? "ic:gray" : `ic:specific,isc:${color.toLowerCase()}`
}

const imageChoices = (query: EngineQuery<"images">): Choices => [
  query.size && `isz:${sizes[query.size]}`,
  colour(query),
  query.type_image && types[query.type_image],
  query.layout && `iar:${layouts[query.layout]}`
]

const videoChoices = ({ duration, resolution }: EngineQuery<"videos">): Choices => [
  duration && `dur:${lengths[duration]}`,
  resolution === "high" ? "hq:h" : null
]

const ask = <K extends SearchKind>(
  path: string,
  { region, text, timelimit }: EngineQuery<K>,
  cursor: Cursor,
  choices: Choices = []
): EngineRequest => {
  const tbs = [timelimit && `qdr:${timelimit}`, ...choices].filter((choice) => choice !== null).join(",")
  return {
    method: "POST",
    url: `https://google.serper.dev/${path}`,
    json: given({
      q: text,
      gl: searcherCountry(region),
      hl: interfaceLanguage(region).toLowerCase(),
      num: pageSize,
      page: cursor.page,
      tbs: tbs || null
    }),
    secrets: [{ as: "header", name: "X-API-KEY", variable: "SERPER_API_KEY" }],
    persona: "program",
    follow: false
  }
}

const decode = Json.decodeBody(Answer)
const itemOf = Json.decodeItem(Item)

const isUsedUp = ({ body, status }: EngineAnswer): boolean =>
  status >= 400 && /not enough credits/i.test(body.slice(0, 4_000))

const listed = (
  answer: EngineAnswer,
  name: "organic" | "images" | "news" | "videos",
  cursor: Cursor
): { readonly items: ReadonlyArray<typeof Item.Type | null>; readonly next: Cursor | null } | Empty | Fault => {
  if (isUsedUp(answer)) return fault("rate_limited")
  const body = decode(answer)
  const items = body?.[name]
  if (items === undefined) return fault("layout_changed")
  if (items.length === 0) return body?.searchParameters == null ? fault("layout_changed") : empty
  // Google's own page is sometimes short by one or two results. At most half a page is the last page.
  const more = items.length * 2 > pageSize && cursor.page < lastPage
  return { items: items.map(itemOf), next: more ? pageAfter(cursor) : null }
}

const readText = (answer: EngineAnswer, _query: EngineQuery<"text">, cursor: Cursor): Parsed<"text"> => {
  const list = listed(answer, "organic", cursor)
  if ("_tag" in list) return list
  const items = list.items.map((item) => item && rawText({ title: item.title, url: item.link, body: item.snippet }))
  return results(items, list.next)
}

const readImages = (answer: EngineAnswer, _query: EngineQuery<"images">, cursor: Cursor): Parsed<"images"> => {
  const list = listed(answer, "images", cursor)
  if ("_tag" in list) return list
  const items = list.items.map((item) => {
    if (item === null || item.imageUrl === null) return null
    return rawImage({
      title: item.title?.trim() || fileNameOf(item.imageUrl),
      url: item.link ?? item.imageUrl,
      image: item.imageUrl,
      thumbnail: item.thumbnailUrl,
      width: item.imageWidth,
      height: item.imageHeight,
      source: item.source ?? item.domain
    })
  })
  return results(items, list.next)
}

const readNews = (answer: EngineAnswer, query: EngineQuery<"news">, cursor: Cursor): Parsed<"news"> => {
  const list = listed(answer, "news", cursor)
  if ("_tag" in list) return list
  const items = list.items.map(
    (item) =>
      item &&
      rawNews({
        title: item.title,
        url: item.link,
        date: isoOfText(item.date, query.now),
        body: item.snippet,
        image: item.imageUrl,
        source: item.source ?? hostNameOf(item.link)
      })
  )
  return results(items, list.next)
}

const readVideos = (answer: EngineAnswer, query: EngineQuery<"videos">, cursor: Cursor): Parsed<"videos"> => {
  const list = listed(answer, "videos", cursor)
  if ("_tag" in list) return list
  const items = list.items.map(
    (item) =>
      item &&
      rawVideo({
        title: item.title,
        url: item.link,
        description: item.snippet,
        seconds: secondsOf(item.duration),
        images: { medium: item.imageUrl },
        provider: item.source,
        published: isoOfText(item.date, query.now),
        publisher: item.source,
        uploader: item.channel
      })
  )
  return results(items, list.next)
}

export const serper = {
  name: "serper",
  website: "https://serper.dev",
  documentation: "https://serper.dev/playground",
  access: "api",
  pace: { perMinute: 120, burst: 20 },
  keys: { variables: ["SERPER_API_KEY"], required: true },
  sources: {
    text: {
      weight: 1,
      index: "google",
      honours: ["region", "timelimit"],
      request: (query, cursor) => ask("search", query, cursor),
      parse: readText
    },
    images: {
      weight: 1,
      index: "google",
      honours: ["region", "timelimit", "size", "color", "type_image", "layout"],
      lacks: ({ color, size, type_image }) => [
        ...(size === "Wallpaper" ? (["size"] as const) : []),
        ...(type_image === "transparent" && color !== null ? (["color"] as const) : [])
      ],
      request: (query, cursor) => ask("images", query, cursor, imageChoices(query)),
      parse: readImages
    },
    news: {
      weight: 1,
      index: "google",
      honours: ["region", "timelimit"],
      request: (query, cursor) => ask("news", query, cursor),
      parse: readNews
    },
    videos: {
      weight: 1,
      index: "google",
      honours: ["region", "timelimit", "resolution", "duration"],
      lacks: ({ resolution }) => (resolution === "standard" ? ["resolution"] : []),
      request: (query, cursor) => ask("videos", query, cursor, videoChoices(query)),
      parse: readVideos
    }
  }
} as const satisfies Engine
