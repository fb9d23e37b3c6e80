import { Schema } from "effect"
import { isoOfMillis, isoOfSeconds, isoOfText, oldestWithin } from "../../../../domain/Dates.ts"
import { rawNews } from "../../../../domain/RawResult.ts"
import { webUrl } from "../../../../domain/WebUrl.ts"
import { type EngineQuery, type Source } from "../../Engine.ts"
import * as Json from "../../toolkit/JsonValue.ts"
import { textOfHtml } from "../../toolkit/HtmlPage.ts"
import { base, plain, scriptSource } from "./Script.ts"
import { strictness } from "./Site.ts"

const Story = Schema.Struct({
  title: Json.text,
  url: Json.text,
  date: Json.number,
  relative_time: Json.text,
  excerpt: Json.text,
  image: Json.text,
  source: Json.text
})
const decodeStory = Json.decodeItem(Story)

const dayOf = (millis: number): string => (isoOfMillis(millis) ?? "").slice(0, 10)

/** Returns a letter for a day, a week or a month, and a date range for a year. */
const spanOf = ({ now, timelimit }: EngineQuery<"news">): Readonly<Record<string, string>> => {
  if (timelimit === null) return {}
  return { df: timelimit === "y" ? `${dayOf(oldestWithin(timelimit, now))}..${dayOf(now)}` : timelimit }
}

export const news = {
  weight: 1,
  index: "bing",
  honours: ["region", "safesearch", "timelimit"],
  ...scriptSource<"news">({
    path: "/news.js",
    tab: "news",
    pageSize: 30,
    filters: (query) => ({ noamp: "1", ...spanOf(query), p: strictness[query.safesearch] }),
    found: (item, { now }) => {
      const story = decodeStory(item)
      return (
        story &&
        rawNews({
          title: plain(story.title),
          url: story.url,
          date: isoOfSeconds(story.date) ?? isoOfText(story.relative_time, now),
          body: textOfHtml(story.excerpt),
          image: webUrl(story.image, base),
          source: plain(story.source)
        })
      )
    }
  })
} as const satisfies Source<"news">
