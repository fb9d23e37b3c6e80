import { expect, it } from "@effect/vitest"
import { mwmbl } from "../../src/services/engine/catalogue/mwmbl.ts"
import { fixture, itemsOf, nextOf, outcomeOf, query, read, sent } from "./Asking.ts"

const source = mwmbl.sources.text

it("mwmbl is asked for the query alone", () => {
  const request = source.request(query())
  expect(request).toMatchObject({ url: "https://api.mwmbl.org/api/v1/search/", persona: "program" })
  expect(sent(request)).toEqual({ s: "red panda" })
})

it("mwmbl's pieces are put together; there is one page", () => {
  const reading = read(source, fixture("mwmbl/text.json"))
  expect(itemsOf(reading)).toMatchObject([
    {
      title: "Red panda - Wikipedia",
      url: "https://en.wikipedia.org/wiki/Red_panda",
      body: "The red panda is a small mammal native to the eastern Himalayas"
    },
    { title: "Firefox & friends", url: "https://example.org/firefox", body: null },
    { title: "Day of the Red Panda", url: "https://example.net/day", body: null }
  ])
  expect(nextOf(reading)).toBeNull()
})

it("mwmbl's results may come wrapped, and as plain text", () => {
  const results = [{ title: "T", url: "https://a.example/", extract: "E" }, { title: 7, url: "https://b.example/" }, 3]
  expect(itemsOf(read(source, JSON.stringify({ results })))).toMatchObject([{ title: "T", body: "E" }])
  expect(outcomeOf(read(source, '{"results":[]}'))).toBe("empty")
  const pieces = [{ value: "A ", is_bold: false }, null, { value: 5 }, { value: "B", is_bold: true }]
  expect(itemsOf(read(source, JSON.stringify([{ title: pieces, url: "https://c.example/" }])))).toMatchObject([
    { title: "A B", body: null }
  ])
})

it("mwmbl's list of nothing known is a changed layout", () => {
  expect(outcomeOf(read(source, '[{"name":"x"}]'))).toBe("layout_changed")
  expect(outcomeOf(read(source, '{"results":null}'))).toBe("layout_changed")
  expect(outcomeOf(read(source, "[]", { status: 500 }))).toBe("http_status")
})

it("takes an error with an empty list for no empty answer", () => {
  expect(outcomeOf(read(source, '{"error":"quota exceeded","results":[]}'))).toBe("layout_changed")
  expect(outcomeOf(read(source, '{"results":[]}'))).toBe("empty")
})
