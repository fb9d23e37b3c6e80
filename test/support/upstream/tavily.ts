import { membersOf } from "./JsonBody.ts"
import { hoursAgo, itemsOf, numberOf, type Site, types } from "./Site.ts"

const service = (kind: "text" | "news", topic: string): Site["services"][number] => ({
  kind,
  paths: ["/search"],
  when: ({ body }) => membersOf(body).get("topic") === topic,
  type: types.json,
  generate: ({ body }, catalogue) => {
    const asked = membersOf(body)
    const query = asked.get("query") ?? ""
    const items = itemsOf(query, catalogue, 0, Math.min(numberOf(asked, "max_results", 5), 20))
    const results = items.map(({ number, text, title, url }) => ({
      title,
      url,
      content: text,
      score: 1 / number,
      ...(kind === "news" ? { published_date: hoursAgo(number).toUTCString() } : {})
    }))
    return JSON.stringify({ query, results, response_time: 1 })
  }
})

/** One page of `max_results` (20 at most). */
export const tavily: Site = {
  hosts: ["api.tavily.com"],
  blockStatus: 403,
  needsKey: true,
  services: [service("text", "general"), service("news", "news")]
}
