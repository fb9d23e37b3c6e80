import { Schema } from "effect"
import { isoOfText } from "../../../domain/Dates.ts"
import { rawImage, rawNews, rawText, rawVideo } from "../../../domain/RawResult.ts"
import { ask, lacks, listed, paging } from "./braveapi/Api.ts"
import { type Cursor, type Engine, type EngineAnswer, type EngineQuery, type Parsed, results } from "../Engine.ts"
import { secondsOf } from "../toolkit/Figures.ts"
import { fileNameOf } from "../toolkit/FileName.ts"
import * as Json from "../toolkit/JsonValue.ts"
import { textOfHtml } from "../toolkit/HtmlPage.ts"

/**
 * Brave Search API. Requires a key. https://api-dashboard.search.brave.com/documentation
 *
 * - Queries are cut at 400 characters and 50 words. Web pages have 20 results, video and news pages 50, with ten pages
 *   each. Images have one page of 200. A page can have fewer results than requested and can repeat earlier results.
 * - The API supports 36 countries. Other regions send `ALL` and the language. Greek is not supported.
 * - The interface language stays English, so that ages ("2 hours ago") can be parsed.
 * - Images support only `strict` and `off`, and no time limit.
 * - Free plans allow 1 request a second. A higher rate returns 429, an exhausted plan 402 or 429, and an invalid key
 *   422.
 */
const textSize = 20
const videosSize = 50
const newsSize = 50
const imagesSize = 200

const inner = Schema.optionalWith(Schema.Unknown, { default: () => null })

const Item = Schema.Struct({
  title: Json.text,
  url: Json.text,
  description: Json.text,
  age: Json.text,
  page_age: Json.text,
  /** For images, the host of the page. For news, the publisher. */
  source: inner,
  thumbnail: inner,
  properties: inner,
  video: inner,
  meta_url: inner
})

const itemOf = Json.decodeItem(Item)
const thumbnailOf = Json.decodeItem(Schema.Struct({ src: Json.text, original: Json.text }))
const fileOf = Json.decodeItem(Schema.Struct({ url: Json.text, width: Json.number, height: Json.number }))
const clipOf = Json.decodeItem(
  Schema.Struct({ duration: Json.text, views: Json.number, creator: Json.text, publisher: Json.text, author: inner })
)
const namedOf = Json.decodeItem(Schema.Struct({ name: Json.text }))
const addressOf = Json.decodeItem(Schema.Struct({ hostname: Json.text }))

const hostOf = (item: typeof Item.Type): string | null => addressOf(item.meta_url)?.hostname ?? null

const sourceOf = (item: typeof Item.Type): string | null =>
  typeof item.source === "string" ? item.source : (namedOf(item.source)?.name ?? hostOf(item))

const readText = (answer: EngineAnswer, _query: EngineQuery<"text">, cursor: Cursor): Parsed<"text"> => {
  const list = listed(answer, "search", cursor, textSize)
  if ("_tag" in list) return list
  const items = list.items
    .map(itemOf)
    .map(
      (item) => item && rawText({ title: textOfHtml(item.title), url: item.url, body: textOfHtml(item.description) })
    )
  return results(items, list.next)
}

const readImages = (answer: EngineAnswer, _query: EngineQuery<"images">, cursor: Cursor): Parsed<"images"> => {
  const list = listed(answer, "images", cursor, imagesSize)
  if ("_tag" in list) return list
  const items = list.items.map(itemOf).map((item) => {
    if (item === null) return null
    const file = fileOf(item.properties)
    return rawImage({
      title: textOfHtml(item.title)?.trim() || (file?.url && fileNameOf(file.url)),
      url: item.url,
      image: file?.url ?? null,
      thumbnail: thumbnailOf(item.thumbnail)?.src ?? null,
      width: file?.width ?? null,
      height: file?.height ?? null,
      source: sourceOf(item)
    })
  })
  return results(items, null)
}

const readVideos = (answer: EngineAnswer, query: EngineQuery<"videos">, cursor: Cursor): Parsed<"videos"> => {
  const list = listed(answer, "videos", cursor, videosSize)
  if ("_tag" in list) return list
  const items = list.items.map(itemOf).map((item) => {
    if (item === null) return null
    const clip = clipOf(item.video)
    const picture = thumbnailOf(item.thumbnail)
    const publisher = clip?.publisher ?? hostOf(item)
    return rawVideo({
      title: textOfHtml(item.title),
      url: item.url,
      description: textOfHtml(item.description),
      seconds: secondsOf(clip?.duration),
      images: { large: picture?.original ?? null, medium: picture?.src ?? null },
      provider: publisher,
      published: isoOfText(item.page_age, query.now) ?? isoOfText(item.age, query.now),
      publisher,
      uploader: clip?.creator ?? namedOf(clip?.author)?.name ?? null,
      views: clip?.views ?? null
    })
  })
  return results(items, list.next)
}

const readNews = (answer: EngineAnswer, query: EngineQuery<"news">, cursor: Cursor): Parsed<"news"> => {
  const list = listed(answer, "news", cursor, newsSize)
  if ("_tag" in list) return list
  const items = list.items.map(itemOf).map((item) => {
    if (item === null) return null
    const picture = thumbnailOf(item.thumbnail)
    return rawNews({
      title: textOfHtml(item.title),
      url: item.url,
      date: isoOfText(item.page_age, query.now) ?? isoOfText(item.age, query.now),
      body: textOfHtml(item.description),
      image: picture?.original ?? picture?.src ?? null,
      source: sourceOf(item)
    })
  })
  return results(items, list.next)
}

export const braveapi = {
  name: "braveapi",
  website: "https://brave.com/search/api/",
  documentation: "https://api-dashboard.search.brave.com/documentation",
  access: "api",
  pace: { perMinute: 60, burst: 5 },
  keys: { variables: ["BRAVE_API_KEY"], required: true },
  sources: {
    text: {
      weight: 1,
      index: "brave",
      honours: ["region", "safesearch", "timelimit"],
      lacks,
      request: (query, cursor) =>
        ask("web", query, { ...paging(query, cursor, textSize), text_decorations: "false", result_filter: "web" }),
      parse: readText
    },
    images: {
      weight: 1,
      index: "brave",
      honours: ["region", "safesearch"],
      lacks,
      request: (query) =>
        ask("images", query, { count: imagesSize, safesearch: query.safesearch === "off" ? "off" : "strict" }),
      parse: readImages
    },
    videos: {
      weight: 1,
      index: "brave",
      honours: ["region", "safesearch", "timelimit"],
      lacks,
      request: (query, cursor) => ask("videos", query, paging(query, cursor, videosSize)),
      parse: readVideos
    },
    news: {
      weight: 1,
      index: "brave",
      honours: ["region", "safesearch", "timelimit"],
      lacks,
      request: (query, cursor) => ask("news", query, paging(query, cursor, newsSize)),
      parse: readNews
    }
  }
} as const satisfies Engine
