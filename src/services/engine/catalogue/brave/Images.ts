import { rawImage } from "../../../../domain/RawResult.ts"
import { type Source } from "../../Engine.ts"
import { fileNameOf } from "../../toolkit/FileName.ts"
import { numberAt, textAt } from "../../toolkit/Literal.ts"
import { textOfHtml } from "../../toolkit/HtmlPage.ts"
import { dataReader } from "./Data.ts"
import { lacksRegion, request } from "./Site.ts"

const sizeOf = (item: unknown) => ({
  width: numberAt(item, "properties", "width"),
  height: numberAt(item, "properties", "height")
})

/**
 * A single page of about 200 pictures. The time filter has no effect. The page has filters for size, colour, type and
 * layout, but their parameters are not known.
 */
export const images = {
  weight: 1,
  honours: ["region", "safesearch"],
  lacks: lacksRegion,
  request: (query, cursor) => request("images", query, cursor, null),
  parse: dataReader<"images">({
    lists: [["results"], ["images", "results"]],
    isPaged: false,
    found: (item) => {
      const image = textAt(item, "properties", "url") ?? textAt(item, "thumbnail", "original")
      return rawImage({
        title: textOfHtml(textAt(item, "title"))?.trim() || fileNameOf(image ?? "") || textAt(item, "source"),
        url: textAt(item, "url"),
        image,
        thumbnail: textAt(item, "thumbnail", "src"),
        ...sizeOf(item),
        source: textAt(item, "source") ?? textAt(item, "meta_url", "hostname")
      })
    }
  })
} as const satisfies Source<"images">
