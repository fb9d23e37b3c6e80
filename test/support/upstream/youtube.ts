import { itemsOf, type Site, types } from "./Site.ts"

const pageSize = 20

const members = (text: string): { readonly query: string; readonly from: number } => {
  const { continuation, query = "" }: { readonly continuation?: string; readonly query?: string } = JSON.parse(text)
  const [from = "0", ...rest] = continuation?.split(" ") ?? []
  return continuation === undefined ? { query, from: 0 } : { query: rest.join(" "), from: Number(from) }
}

/** Twenty videos, and a token that leads to the next twenty; the page of results has the first of them in a script. */
export const youtube: Site = {
  hosts: ["www.youtube.com"],
  blockStatus: 429,
  services: [
    {
      kind: "videos",
      paths: ["/youtubei/v1/search", "/results"],
      type: types.json,
      generate: ({ body, method, url }, catalogue) => {
        const isPage = method === "GET"
        const { from, query } = isPage ? { from: 0, query: url.searchParams.get("search_query") ?? "" } : members(body)
        const videos = itemsOf(query, catalogue, from, from + pageSize).map(({ number, text, title }) => ({
          videoRenderer: {
            videoId: String(number).padStart(11, "v"),
            title: { runs: [{ text: title }] },
            ownerText: { runs: [{ text: "A channel" }] },
            publishedTimeText: { simpleText: `${number % 20} hours ago` },
            lengthText: { simpleText: "4:46" },
            detailedMetadataSnippets: [{ snippetText: { runs: [{ text }] } }]
          }
        }))
        const token = `${from + pageSize} ${query}`
        const next = { continuationItemRenderer: { continuationEndpoint: { continuationCommand: { token } } } }
        const items = [
          { itemSectionRenderer: { contents: videos } },
          ...(from + pageSize < catalogue.total ? [next] : [])
        ]
        const list = { sectionListRenderer: { contents: items } }
        const data = JSON.stringify(
          from > 0
            ? { onResponseReceivedCommands: [{ appendContinuationItemsAction: { continuationItems: items } }] }
            : { contents: { twoColumnSearchResultsRenderer: { primaryContents: list } } }
        )
        if (!isPage) return data
        const page = `<!DOCTYPE html><html><body><script>var ytInitialData = ${data};</script></body></html>`
        return { status: 200, type: types.html, body: page }
      }
    }
  ]
}
