import { isoOfText } from "../../../../domain/Dates.ts"
import { rawVideo } from "../../../../domain/RawResult.ts"
import { type Source } from "../../Engine.ts"
import { countOf, secondsOf } from "../../toolkit/Figures.ts"
import { numberAt, textAt } from "../../toolkit/Literal.ts"
import { textOfHtml } from "../../toolkit/HtmlPage.ts"
import { dataReader } from "./Data.ts"
import { lacksRegion, request } from "./Site.ts"

/** Removes the site name from a title such as "A film - YouTube". `publisher` has it. */
const titleOf = (item: unknown): string | null => {
  const title = textOfHtml(textAt(item, "title"))?.trimEnd() ?? null
  const ending = ` - ${textAt(item, "video", "publisher") ?? "YouTube"}`
  return title?.endsWith(ending) === true ? title.slice(0, -ending.length) : title
}

/** The page has filters for length and resolution, but their parameters are not known. */
export const videos = {
  weight: 1,
  honours: ["region", "safesearch", "timelimit"],
  lacks: lacksRegion,
  request: (query, cursor) => request("videos", query, cursor, query.timelimit),
  parse: dataReader<"videos">({
    lists: [["results"], ["videos", "results"]],
    isPaged: true,
    found: (item, { now }) =>
      rawVideo({
        title: titleOf(item),
        url: textAt(item, "url"),
        description: textOfHtml(textAt(item, "description")),
        seconds: secondsOf(textAt(item, "video", "duration")),
        images: { large: textAt(item, "thumbnail", "original"), small: textAt(item, "thumbnail", "src") },
        provider: "Brave",
        published: isoOfText(textAt(item, "page_age"), now) ?? isoOfText(textAt(item, "age"), now),
        publisher: textAt(item, "video", "publisher"),
        uploader: textAt(item, "video", "author", "name") ?? textAt(item, "video", "creator"),
        views: numberAt(item, "video", "views") ?? countOf(textAt(item, "video", "views"))
      })
  })
} as const satisfies Source<"videos">
