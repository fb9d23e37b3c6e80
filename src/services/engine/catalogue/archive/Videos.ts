import { isoOfMillis, isoOfText, oldestWithin } from "../../../../domain/Dates.ts"
import { rawVideo } from "../../../../domain/RawResult.ts"
import { type Cursor, type EngineAnswer, type EngineQuery, type Source } from "../../Engine.ts"
import { secondsOf } from "../../toolkit/Figures.ts"
import { descriptionOf, type Item, pageOf, parse, pictureOf, request, site } from "./Items.ts"

const day = (millis: number): string => (isoOfMillis(millis) ?? "").slice(0, 10)

const clausesOf = ({ license_videos, now, timelimit }: EngineQuery<"videos">): ReadonlyArray<string> => [
  "mediatype:(movies)",
  ...(timelimit === null ? [] : [`publicdate:[${day(oldestWithin(timelimit, now))} TO ${day(now)}]`]),
  ...(license_videos === "creativeCommon" ? ["licenseurl:*creativecommons*"] : [])
]

const found = (item: Item, now: number) =>
  rawVideo({
    title: item.title[0],
    url: pageOf(item),
    description: descriptionOf(item),
    seconds: secondsOf(item.runtime[0]?.replace(/\.\d{1,9}$/, "")),
    embedUrl: `${site}/embed/${item.identifier}`,
    images: { medium: pictureOf(item) },
    provider: "Internet Archive",
    published: isoOfText(item.publicdate[0] ?? item.date[0], now),
    publisher: item.publisher[0] ?? "Internet Archive",
    uploader: item.creator.join(", "),
    views: Number(item.downloads[0] ?? NaN)
  })

export const videos = {
  weight: 0.5,
  honours: ["timelimit", "license_videos"],
  lacks: ({ license_videos }: EngineQuery<"videos">) =>
    license_videos === "youtube" ? (["license_videos"] as const) : [],
  request: (query: EngineQuery<"videos">, cursor: Cursor) => request(query.text, clausesOf(query), cursor),
  parse: (answer: EngineAnswer, query: EngineQuery<"videos">, cursor: Cursor) =>
    parse<"videos">(answer, cursor, (item) => found(item, query.now))
} as const satisfies Source<"videos">
