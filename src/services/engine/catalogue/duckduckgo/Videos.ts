import { Schema } from "effect"
import { isoOfText } from "../../../../domain/Dates.ts"
import { rawVideo } from "../../../../domain/RawResult.ts"
import { webUrl } from "../../../../domain/WebUrl.ts"
import { type EngineQuery, type Source } from "../../Engine.ts"
import { secondsOf } from "../../toolkit/Figures.ts"
import * as Json from "../../toolkit/JsonValue.ts"
import { textOfHtml } from "../../toolkit/HtmlPage.ts"
import { base, plain, scriptSource } from "./Script.ts"
import { strictness } from "./Site.ts"

const nested = Schema.optionalWith(Schema.Unknown, { default: () => null })

const Video = Schema.Struct({
  content: Json.text,
  title: Json.text,
  description: Json.text,
  duration: Json.text,
  embed_url: Json.text,
  images: nested,
  provider: Json.text,
  published: Json.text,
  publisher: Json.text,
  statistics: nested,
  uploader: Json.text
})
const decodeVideo = Json.decodeItem(Video)
const decodeImages = Json.decodeItem(
  Schema.Struct({ large: Json.text, medium: Json.text, small: Json.text, motion: Json.text })
)
const decodeStatistics = Json.decodeItem(Schema.Struct({ viewCount: Json.number }))

/** Four comma-separated filters; an unused one is an empty string. There is no time limit of a year. */
const filtersOf = ({ duration, license_videos, resolution, timelimit }: EngineQuery<"videos">): string =>
  [
    timelimit && timelimit !== "y" && `publishedAfter:${timelimit}`,
    resolution && `videoDefinition:${resolution}`,
    duration && `videoDuration:${duration}`,
    license_videos && `videoLicense:${license_videos}`
  ]
    .map((filter) => filter || "")
    .join(",")

const picture = (link: string | null | undefined): string | null => webUrl(link, base)

export const videos = {
  weight: 1,
  index: "bing",
  honours: ["region", "safesearch", "timelimit", "resolution", "duration", "license_videos"],
  lacks: ({ timelimit }) => (timelimit === "y" ? ["timelimit"] : []),
  ...scriptSource<"videos">({
    path: "/v.js",
    tab: "videos",
    pageSize: 60,
    filters: (query) => ({ f: filtersOf(query), p: strictness[query.safesearch] }),
    found: (item, { now }) => {
      const video = decodeVideo(item)
      const pictures = decodeImages(video?.images)
      return (
        video &&
        rawVideo({
          title: plain(video.title),
          url: video.content,
          description: textOfHtml(video.description),
          seconds: secondsOf(video.duration),
          embedUrl: video.embed_url,
          images: {
            large: picture(pictures?.large),
            medium: picture(pictures?.medium),
            small: picture(pictures?.small),
            motion: picture(pictures?.motion)
          },
          provider: plain(video.provider),
          published: isoOfText(video.published, now),
          publisher: plain(video.publisher),
          uploader: plain(video.uploader),
          views: decodeStatistics(video.statistics)?.viewCount ?? null
        })
      )
    }
  })
} as const satisfies Source<"videos">
