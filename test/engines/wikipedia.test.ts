import { describe, expect, it } from "@effect/vitest"
import { type Cursor } from "../../src/services/engine/Engine.ts"
import { wikimedia } from "../../src/services/engine/catalogue/wikimedia.ts"
import { wikipedia } from "../../src/services/engine/catalogue/wikipedia.ts"
import { itemsOf, nextOf, outcomeOf, query, read } from "./Asking.ts"

const source = wikipedia.sources.text

const answered = (body: unknown, status = 200) => read(source, JSON.stringify(body), { status })
const shown = (body: unknown) => itemsOf(answered(body)).map(({ body, title, url }) => ({ body, title, url }))

const wiki = "https://en.wikipedia.org/wiki"
const page2: Cursor = { page: 2, form: null }

describe("wikipedia", () => {
  it("decodes a snippet once", () => {
    const snippet = 'The <span class="searchmatch">tag</span> &lt;b&gt; is &quot;bold&quot; &amp;amp; old'
    expect(shown({ query: { search: [{ title: "B", snippet }] } })).toEqual([
      { title: "B", url: `${wiki}/B`, body: 'The tag <b> is "bold" &amp; old' }
    ])
  })

  it("reads hits one by one, whatever they lack", () => {
    const search = [null, 7, { title: null }, { title: " " }, { title: "A", snippet: 5 }, { title: "C++", ns: "0" }]
    expect(shown({ query: { search, searchinfo: { totalhits: "6" } } })).toEqual([
      { title: "A", url: `${wiki}/A`, body: null },
      { title: "C++", url: `${wiki}/C%2B%2B`, body: null }
    ])
  })

  it("reads the pages of a generator in their order, in both formats", () => {
    const first = { pageid: 9, ns: 0, title: "Red panda", index: 1, extract: "The red panda <i>is</i> small." }
    const second = { pageid: 2, ns: 0, title: "Panda", index: 2, fullurl: `${wiki}/Panda?x`, description: "Bear" }
    const gone = { ns: 0, title: "Gone", missing: "" }
    const expected = [
      { title: "Red panda", url: `${wiki}/Red_panda`, body: "The red panda is small." },
      { title: "Panda", url: `${wiki}/Panda?x`, body: "Bear" }
    ]
    expect(shown({ query: { pages: { "-1": gone, "2": second, "9": first } } })).toEqual(expected)
    expect(shown({ batchcomplete: true, query: { pages: [second, gone, first] } })).toEqual(expected)
    expect(nextOf(answered({ continue: { gsroffset: 20 }, query: { pages: [first] } }))).toEqual(page2)
    expect(nextOf(answered({ continue: { excontinue: 1 }, query: { pages: [first] } }))).toBeNull()
  })

  it("reads a page summary, the REST search and suggestions", () => {
    const summary = {
      type: "standard",
      title: "Red_panda",
      displaytitle: "<i>Red panda</i>",
      titles: { canonical: "Red_panda", normalized: "Red panda", display: "<i>Red panda</i>" },
      extract: "The red panda is small."
    }
    expect(shown(summary)).toEqual([{ title: "Red panda", url: `${wiki}/Red_panda`, body: "The red panda is small." }])
    const addressed = { ...summary, content_urls: { desktop: { page: "https://de.wikipedia.org/wiki/Katzenbär" } } }
    expect(shown(addressed)[0]?.url).toBe("https://de.wikipedia.org/wiki/Katzenb%C3%A4r")
    const pages = [
      { id: 1, key: "AC/DC", title: "AC/DC", excerpt: '<span class="searchmatch">AC</span>/DC', thumbnail: null },
      { id: 2, key: "B", title: "B", excerpt: "", description: "Letter" }
    ]
    expect(shown({ pages })).toEqual([
      { title: "AC/DC", url: `${wiki}/AC/DC`, body: "AC/DC" },
      { title: "B", url: `${wiki}/B`, body: "Letter" }
    ])
    expect(shown(["pan", ["Pan", "Panda"], ["", "Bear"], [`${wiki}/Pan`, `${wiki}/Panda`]])).toEqual([
      { title: "Pan", url: `${wiki}/Pan`, body: null },
      { title: "Panda", url: `${wiki}/Panda`, body: "Bear" }
    ])
  })

  it("tells nothing found from nothing understood", () => {
    for (const none of [
      { batchcomplete: "" },
      { batchcomplete: true, query: { searchinfo: { totalhits: 0 }, search: [] } },
      { query: { pages: { "-1": { title: "Gone", missing: "" } } } },
      { pages: [] },
      ["pan", [], [], []]
    ])
      expect(outcomeOf(answered(none))).toBe("empty")
    for (const odd of [
      {},
      [],
      [1, 2],
      "text",
      null,
      { query: {} },
      { query: { search: "" } },
      { batchcomplete: "", query: { found: [] } },
      { batchcomplete: true, continue: { sroffset: 20 } },
      { error: { code: "x" } }
    ])
      expect(outcomeOf(answered(odd))).toBe("layout_changed")
    expect(outcomeOf(answered({ type: "not_found", title: "Not found.", extract: "x" }, 404))).toBe("http_status")
  })

  it("knows the errors that mean later, as Commons does", () => {
    for (const code of ["ratelimited", "maxlag", "cirrussearch-too-busy-error"]) {
      const body = JSON.stringify({ error: { code, info: "Search is currently too busy." } })
      expect(outcomeOf(read(source, body))).toBe("rate_limited")
      expect(outcomeOf(read(wikimedia.sources.images, body))).toBe("rate_limited")
    }
  })

  it("cuts long queries between characters", () => {
    const asked = source.request(query({ text: "🐼".repeat(400) }), { page: 1, form: null })
    expect(Object.fromEntries(asked.params)["srsearch"]).toBe("🐼".repeat(300))
  })
})
