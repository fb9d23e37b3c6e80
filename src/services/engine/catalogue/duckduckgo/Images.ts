import { Schema } from "effect"
import { rawImage } from "../../../../domain/RawResult.ts"
import { webUrl } from "../../../../domain/WebUrl.ts"
import { type EngineQuery, type Source } from "../../Engine.ts"
import { fileNameOf } from "../../toolkit/FileName.ts"
import * as Json from "../../toolkit/JsonValue.ts"
import { base, plain, scriptSource } from "./Script.ts"

const Picture = Schema.Struct({
  title: Json.text,
  url: Json.text,
  image: Json.text,
  thumbnail: Json.text,
  width: Json.number,
  height: Json.number,
  source: Json.text
})
const decodePicture = Json.decodeItem(Picture)

const ages = { d: "Day", w: "Week", m: "Month", y: "Year" } as const

/** Six comma-separated filters; an unused one is an empty string. The last is the licence. */
const filtersOf = ({ color, layout, size, timelimit, type_image }: EngineQuery<"images">): string =>
  [
    timelimit && `time:${ages[timelimit]}`,
    size && `size:${size}`,
    color && `color:${color}`,
    type_image && `type:${type_image}`,
    layout && `layout:${layout}`,
    null
  ].join(",")

export const images = {
  weight: 1,
  index: "bing",
  honours: ["region", "safesearch", "timelimit", "size", "color", "type_image", "layout"],
  ...scriptSource<"images">({
    path: "/i.js",
    tab: "images",
    pageSize: 100,
    // The site uses two values for this parameter. The strict level is set by a cookie.
    filters: (query) => ({ u: "bing", f: filtersOf(query), p: query.safesearch === "off" ? "-1" : "1" }),
    found: (item) => {
      const picture = decodePicture(item)
      const image = webUrl(picture?.image, base)
      return picture === null || image === null
        ? null
        : rawImage({
            title: plain(picture.title)?.trim() || fileNameOf(image),
            url: webUrl(picture.url) ?? image,
            image,
            thumbnail: webUrl(picture.thumbnail, base),
            width: picture.width,
            height: picture.height,
            source: plain(picture.source)
          })
    }
  })
} as const satisfies Source<"images">
