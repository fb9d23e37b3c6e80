import { membersOf } from "./JsonBody.ts"
import { hoursAgo, itemsOf, numberOf, type Site, types } from "./Site.ts"

const service = (kind: "text" | "news", category: string | null): Site["services"][number] => ({
  kind,
  paths: ["/search"],
  when: ({ body }) => membersOf(body).get("category") === category,
  type: types.json,
  generate: ({ body }, catalogue) => {
    const asked = membersOf(body)
    const items = itemsOf(asked.get("query") ?? "", catalogue, 0, Math.min(numberOf(asked, "numResults", 10), 100))
    const results = items.map(({ number, text, title, url }) => ({
      id: url,
      title,
      url,
      publishedDate: hoursAgo(number).toISOString(),
      highlights: [text]
    }))
    return JSON.stringify({ requestId: "00000000", results })
  }
})

/** One page of `numResults` (100 at most). */
export const exa: Site = {
  hosts: ["api.exa.ai"],
  blockStatus: 403,
  needsKey: true,
  services: [service("text", null), service("news", "news")]
}
