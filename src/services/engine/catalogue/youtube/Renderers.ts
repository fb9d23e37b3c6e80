import { isRecord } from "effect/Predicate"
import { rawVideo } from "../../../../domain/RawResult.ts"
import { type RawResult } from "../../../../domain/ResultItem.ts"
import { countOf, secondsOf } from "../../toolkit/Figures.ts"
import { listAt, memberAt, numberAt, textAt } from "../../toolkit/Literal.ts"
import { isoOfTimeAgo } from "./TimeAgo.ts"

/**
 * Names of the objects that show a video. YouTube's pages, old and new, are trees of objects with one member each. The
 * member's name gives the object's type. Shelves, advertisements, channels, playlists and Shorts are skipped.
 */
const videoNames = ["videoRenderer", "compactVideoRenderer", "gridVideoRenderer", "videoWithContextRenderer"] as const

/** Returns text in any of YouTube's forms, or null. */
const said = (value: unknown): string | null => {
  const runs = listAt(value, "runs")
  if (runs !== null) return runs.map((run) => textAt(run, "text") ?? "").join("") || null
  return textAt(value, "simpleText") ?? textAt(value, "content") ?? (typeof value === "string" ? value : null)
}

const saidAt = (value: unknown, ...names: ReadonlyArray<string>): string | null =>
  names.map((name) => said(memberAt(value, name))).find((text) => text !== null) ?? null

/** Parses `4:46` and `1:02:03`. Some languages use dots. Returns null for "LIVE" and "SHORTS". */
const lengthOf = (text: string | null): number | null => secondsOf(text?.replaceAll(".", ":"))

/** Parses "1,862 views" and "1.862 Aufrufe". Rounded counts ("46.9K views") are parsed only in English. */
const viewsOf = (text: string | null, language: string): number | null => {
  if (language === "en") return countOf(text)
  const count = /\d{1,3}(?:[.,\s'’]?\d{2,3}){0,5}(?!\d)/.exec(text ?? "")?.[0]
  return count === undefined ? null : Number(count.replace(/\D/g, ""))
}

interface Picture {
  readonly url: string | null
  readonly width: number
}

const widest = (pictures: ReadonlyArray<unknown> | null): string | null =>
  (pictures ?? [])
    .map((picture): Picture => ({ url: textAt(picture, "url"), width: numberAt(picture, "width") ?? 0 }))
    .reduce<Picture>((best, picture) => (picture.width > best.width ? picture : best), { url: null, width: 0 }).url

/**
 * Builds a video from its identifier, which gives the URLs of the watch page, the player and the pictures. Every video
 * has pictures with these names.
 */
const videoOf = (
  id: string | null,
  members: Omit<Parameters<typeof rawVideo>[0], "url" | "embedUrl" | "images" | "provider" | "publisher">,
  pictures: { readonly large: string | null; readonly motion: string | null }
): RawResult<"videos"> | null => {
  if (id === null || !/^[\w-]{11}$/.test(id)) return null
  const picture = (name: string) => `https://i.ytimg.com/vi/${id}/${name}.jpg`
  return rawVideo({
    ...members,
    base: "https://www.youtube.com/",
    url: `https://www.youtube.com/watch?v=${id}`,
    embedUrl: `https://www.youtube-nocookie.com/embed/${id}`,
    images: {
      large: pictures.large ?? picture("hqdefault"),
      medium: picture("mqdefault"),
      small: picture("default"),
      motion: pictures.motion
    },
    provider: "YouTube",
    publisher: "YouTube"
  })
}

const overlaid = (video: unknown): string | null =>
  (listAt(video, "thumbnailOverlays") ?? [])
    .map((overlay) => said(memberAt(overlay, "thumbnailOverlayTimeStatusRenderer", "text")))
    .find((text) => text !== null) ?? null

const snippet = (video: unknown): string | null =>
  (listAt(video, "detailedMetadataSnippets") ?? [])
    .map((piece) => said(memberAt(piece, "snippetText")))
    .find((text) => text !== null) ?? saidAt(video, "descriptionSnippet")

const ofRenderer = (video: unknown, language: string, now: number): RawResult<"videos"> | null =>
  videoOf(
    textAt(video, "videoId"),
    {
      title: saidAt(video, "title", "headline"),
      description: snippet(video),
      seconds: lengthOf(saidAt(video, "lengthText") ?? overlaid(video)),
      published: isoOfTimeAgo(saidAt(video, "publishedTimeText"), language, now),
      uploader: saidAt(video, "ownerText", "longBylineText", "shortBylineText"),
      // For live videos, this member consists of runs and counts current viewers. It is ignored.
      views: viewsOf(textAt(video, "viewCountText", "simpleText"), language)
    },
    {
      large: widest(listAt(video, "thumbnail", "thumbnails")),
      motion: widest(listAt(video, "richThumbnail", "movingThumbnailRenderer", "movingThumbnailDetails", "thumbnails"))
    }
  )

const badges = (lockup: unknown): ReadonlyArray<string> =>
  (listAt(lockup, "contentImage", "thumbnailViewModel", "overlays") ?? [])
    .flatMap((overlay) => [
      ...(listAt(overlay, "thumbnailBottomOverlayViewModel", "badges") ?? []),
      ...(listAt(overlay, "thumbnailOverlayBadgeViewModel", "thumbnailBadges") ?? [])
    ])
    .map((badge) => said(memberAt(badge, "thumbnailBadgeViewModel", "text")) ?? "")

/**
 * Reads the newer layout, in which uploader, views and date are rows of unlabelled text. View counts are rounded and
 * parsed only in English.
 */
const ofLockup = (lockup: unknown, language: string, now: number): RawResult<"videos"> | null => {
  if (textAt(lockup, "contentType") !== "LOCKUP_CONTENT_TYPE_VIDEO") return null
  const metadata = memberAt(lockup, "metadata", "lockupMetadataViewModel")
  const rows = listAt(metadata, "metadata", "contentMetadataViewModel", "metadataRows") ?? []
  const texts = rows
    .flatMap((row) => listAt(row, "metadataParts") ?? [])
    .map((part) => said(memberAt(part, "text")))
    .filter((text) => text !== null)
  const seen = texts.find((text) => / views?$/i.test(text)) ?? null
  const when = texts.find((text) => isoOfTimeAgo(text, language, now) !== null) ?? null
  return videoOf(
    textAt(lockup, "contentId"),
    {
      title: saidAt(metadata, "title"),
      seconds: lengthOf(badges(lockup).find((badge) => lengthOf(badge) !== null) ?? null),
      published: isoOfTimeAgo(when, language, now),
      uploader: texts.find((text) => text !== seen && text !== when) ?? null,
      views: countOf(seen)
    },
    { large: widest(listAt(lockup, "contentImage", "thumbnailViewModel", "image", "sources")), motion: null }
  )
}

/** Returns a video, or null for any other entry of a results page. */
const videoIn = (entry: unknown, language: string, now: number): RawResult<"videos"> | null => {
  const lockup = memberAt(entry, "lockupViewModel")
  if (lockup !== null) return ofLockup(lockup, language, now)
  const video = videoNames.map((name) => memberAt(entry, name)).find((value) => value !== null) ?? null
  return video === null ? null : ofRenderer(video, language, now)
}

/** Paths to the result lists of current first pages, phone pages, pages from 2020, and their continuations. */
const placesOfResults: ReadonlyArray<ReadonlyArray<string>> = [
  ["contents", "twoColumnSearchResultsRenderer", "primaryContents", "sectionListRenderer"],
  ["contents", "twoColumnSearchResultsRenderer", "primaryContents", "richGridRenderer"],
  ["contents", "sectionListRenderer"],
  ["continuationContents", "itemSectionContinuation"],
  ["continuationContents", "sectionListContinuation"],
  ["continuationContents", "gridContinuation"]
]

const commands = ["onResponseReceivedCommands", "onResponseReceivedActions", "onResponseReceivedEndpoints"] as const

const sectionsOf = (data: unknown): ReadonlyArray<unknown> | null => {
  const appended = commands
    .flatMap((name) => listAt(data, name) ?? [])
    .flatMap((command) => {
      const items =
        listAt(command, "appendContinuationItemsAction", "continuationItems") ??
        listAt(command, "reloadContinuationItemsCommand", "continuationItems")
      return items === null ? [] : [items]
    })
  if (appended.length > 0) return appended.flat()
  const place = placesOfResults.map((path) => memberAt(data, ...path)).find((found) => isRecord(found))
  if (place === undefined) return null
  // Older lists have the continuation next to their contents.
  return [...(listAt(place, "contents") ?? listAt(place, "items") ?? []), { list: place }]
}

const tokenIn = (section: unknown): string | null => {
  const item = memberAt(section, "continuationItemRenderer")
  const older = (listAt(section, "itemSectionRenderer", "continuations") ??
    listAt(section, "list", "continuations"))?.[0]
  return (
    textAt(item, "continuationEndpoint", "continuationCommand", "token") ??
    textAt(item, "button", "buttonRenderer", "command", "continuationCommand", "token") ??
    textAt(
      memberAt(section, "continuationItemViewModel", "continuationCommand"),
      "innertubeCommand",
      "continuationCommand",
      "token"
    ) ??
    textAt(older, "nextContinuationData", "continuation")
  )
}

export interface ResultsPage {
  readonly items: ReadonlyArray<RawResult<"videos">>
  /** Token that requests the next page, or null. */
  readonly token: string | null
  /** True when the page reports no results. */
  readonly saysNothing: boolean
}

/**
 * Parses an answer. `language` is the requested interface language. Returns null if the answer is not a page of search
 * results.
 */
export const resultsPage = (data: unknown, language: string, now: number): ResultsPage | null => {
  const sections = sectionsOf(data)
  if (sections === null) return null
  const entries = sections.flatMap((section) => {
    const contents = listAt(section, "itemSectionRenderer", "contents")
    return contents ?? [memberAt(section, "richItemRenderer", "content") ?? section]
  })
  const estimate = textAt(data, "estimatedResults")
  return {
    items: entries.map((entry) => videoIn(entry, language, now)).filter((item) => item !== null),
    token: sections.map(tokenIn).find((token) => token !== null) ?? null,
    saysNothing:
      estimate === "0" ||
      (estimate === null && entries.every((entry) => memberAt(entry, "list") !== null)) ||
      entries.some(
        (entry) => memberAt(entry, "backgroundPromoRenderer") !== null || memberAt(entry, "messageRenderer") !== null
      )
  }
}
