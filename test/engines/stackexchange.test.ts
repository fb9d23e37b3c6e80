import { expect, it } from "@effect/vitest"
import { firstPage } from "../../src/services/engine/Engine.ts"
import { stackexchange } from "../../src/services/engine/catalogue/stackexchange.ts"
import { fixture, itemsOf, nextOf, now, outcomeOf, query, read, sent } from "./Asking.ts"

const source = stackexchange.sources.text

it("stackexchange is asked for questions by relevance", () => {
  expect(sent(source.request(query({ timelimit: "w" }), { page: 2, form: null }))).toEqual({
    q: "red panda",
    site: "stackoverflow",
    sort: "relevance",
    order: "desc",
    page: "2",
    pagesize: "100",
    filter: "withbody",
    fromdate: String(now / 1000 - 7 * 86_400)
  })
  expect(sent(source.request(query(), firstPage))).not.toHaveProperty("fromdate")
})

it("stackexchange's questions are read", () => {
  expect(itemsOf(read(source, fixture("stackexchange/text.json")))).toMatchObject([
    {
      title: 'Why is my "red panda" DataFrame empty & how do I fill it?',
      url: "https://stackoverflow.com/questions/71000001/why-is-my-red-panda-dataframe-empty",
      body: "I read a file with pd.read_csv('red.csv'). df = pd.read_csv('red.csv') It is empty."
    },
    { title: "Drawing a red panda in CSS", url: "https://stackoverflow.com/questions/71000003", body: "css, svg" }
  ])
})

it("stackexchange's bodies are cut to a snippet", () => {
  const items = [{ title: "T", link: "https://a.example/", body: `<p>${"word ".repeat(5_000)}</p>` }]
  const [item] = itemsOf(read(source, JSON.stringify({ items, has_more: false })))
  expect(Array.from(item?.body ?? "").length).toBeLessThanOrEqual(301)
  expect(item?.body).toMatch(/^word word .*word…$/)
})

it("stackexchange is paged while it has more, up to what it gives without a token", () => {
  const body = fixture("stackexchange/text.json")
  expect(nextOf(read(source, body))).toEqual({ page: 2, form: null })
  expect(nextOf(read(source, body, {}, query(), { page: 25, form: null }))).toBeNull()
  expect(nextOf(read(source, body.replace('"has_more": true', '"has_more": false')))).toBeNull()
})

it("stackexchange's throttle is told from other errors", () => {
  const refusal = (error_id: number, error_name: string) =>
    JSON.stringify({ error_id, error_name, error_message: "no" })
  const throttled = refusal(502, "throttle_violation")
  for (const status of [200, 400, 502, 503]) expect(outcomeOf(read(source, throttled, { status }))).toBe("rate_limited")
  expect(outcomeOf(read(source, refusal(400, "bad_parameter"), { status: 400 }))).toBe("http_status")
  expect(outcomeOf(read(source, '{"items":[]}'))).toBe("layout_changed")
})
