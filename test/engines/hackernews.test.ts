import { expect, it } from "@effect/vitest"
import { firstPage } from "../../src/services/engine/Engine.ts"
import { hackernews } from "../../src/services/engine/catalogue/hackernews.ts"
import { fixture, itemsOf, nextOf, now, outcomeOf, query, read, sent } from "./Asking.ts"

const source = hackernews.sources.text

it("hackernews is asked for stories and polls by relevance, as text", () => {
  const request = source.request(query({ timelimit: "d" }), { page: 2, form: null })
  expect(request.url).toBe("https://hn.algolia.com/api/v1/search")
  expect(sent(request)).toEqual({
    query: "red panda",
    tags: "(story,poll)",
    page: "1",
    hitsPerPage: "50",
    numericFilters: `created_at_i>${now / 1000 - 86_400}`
  })
  expect(sent(hackernews.sources.news.request(query(), firstPage))["tags"]).toBe("story")
})

it("hackernews gives text without a link its discussion", () => {
  const reading = read(source, fixture("hackernews/text.json"))
  const ask = "https://news.ycombinator.com/item?id=40100200"
  const poll = "https://news.ycombinator.com/item?id=40100300"
  const story = "https://www.example.org/red-panda?utm_source=hn"
  expect(itemsOf(reading)).toEqual([
    { title: "Red pandas are not bears", url: story, href: story, body: null },
    {
      title: "Ask HN: What runs on your red panda cam?",
      url: ask,
      href: ask,
      body: "We're filming two of them. Which codec do you use?"
    },
    { title: "Poll: Red panda or raccoon?", url: poll, href: poll, body: null }
  ])
  expect(nextOf(reading)).toEqual({ page: 2, form: null })
  expect(nextOf(read(source, fixture("hackernews/text.json"), {}, query(), { page: 5, form: null }))).toBeNull()
})

it("hackernews's hits are read alone, with quoted numbers, and for a link that is empty", () => {
  const hit = { objectID: 40100200, title: "Ask HN: A &amp; B?", url: "", created_at_i: "1700000000", story_text: null }
  const expected = {
    url: "https://news.ycombinator.com/item?id=40100200",
    date: "2023-11-14T22:13:20.000Z",
    source: "Hacker News"
  }
  const { news } = hackernews.sources
  for (const body of [hit, { hits: [hit] }, { hits: [{ ...hit, url: "no address" }] }])
    expect(itemsOf(read(news, JSON.stringify(body)))).toMatchObject([expected])
  expect(outcomeOf(read(news, '{"hits":[],"nbHits":0}'))).toBe("empty")
  for (const body of ["{}", '{"hits":{}}', '{"hits":[]}', '{"objectID":null,"title":"T"}'])
    expect(outcomeOf(read(news, body))).toBe("layout_changed")
})
