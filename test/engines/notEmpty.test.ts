import { describe, expect, it } from "@effect/vitest"
import { type SearchKind } from "../../src/domain/SearchKind.ts"
import { dailymotion } from "../../src/services/engine/catalogue/dailymotion.ts"
import { duckduckgo } from "../../src/services/engine/catalogue/duckduckgo.ts"
import { type Source } from "../../src/services/engine/Engine.ts"
import { mojeek } from "../../src/services/engine/catalogue/mojeek.ts"
import { wikipedia } from "../../src/services/engine/catalogue/wikipedia.ts"
import { outcomeOf, read } from "./Asking.ts"

const outcome = <K extends SearchKind>(source: Source<K>, body: string, status = 200) =>
  outcomeOf(read(source, body, { status }))

const html = (body: string, title = "needle at DuckDuckGo") =>
  `<!doctype html><html><head><title>${title}</title></head><body>${body}</body></html>`

const duck = (body: string, status = 200, title?: string) => outcome(duckduckgo.sources.text, html(body, title), status)

describe("what is not an empty page", () => {
  it("a puzzle, whatever stands around it", () => {
    expect(duck(`<div id="links"></div><div class="g-recaptcha"></div>`, 202)).toBe("blocked")
    expect(duck(`<div id="links"></div>`, 202)).toBe("blocked")
    expect(duck(`<div id="links"></div><form action="/captcha">verify you are human</form>`)).toBe("blocked")
    expect(duck(`<div class="no-results">Your request was blocked. Unusual traffic</div>`, 200, "Access denied")).toBe(
      "blocked"
    )
    expect(
      duck(`<div id="links">No results found because of unusual traffic. Please complete the captcha.</div>`)
    ).toBe("blocked")
    expect(
      outcome(
        mojeek.sources.text,
        html(`<p>No pages found: automated queries are blocked</p><form id="captcha-form"></form>`, "Mojeek")
      )
    ).toBe("blocked")
  })

  it("results under another name", () => {
    const renamed = `<div class="web-hit"><a href="https://example.com/">A page</a></div>`
    expect(duck(`<div id="links">${renamed}</div>`)).toBe("layout_changed")
  })

  it("another site's empty page", () => {
    expect(duck(`<div class="no-results">Sorry, we found nothing</div>`)).toBe("layout_changed")
  })

  it("hits that are counted and not given", () => {
    const none = JSON.stringify({ query: { searchinfo: { totalhits: 55 }, search: [] } })
    expect(outcome(wikipedia.sources.text, none)).toBe("layout_changed")
    expect(outcome(dailymotion.sources.videos, `{"list":[],"total":44,"has_more":true}`)).toBe("layout_changed")
  })

  it("an honest empty page stays one", () => {
    expect(duck(`<div id="links"><div class="no-results">No results.</div></div>`)).toBe("empty")
    expect(duck(`<div id="links"></div>`)).toBe("empty")
    expect(outcome(mojeek.sources.text, html("<p>No\n      pages\n      found</p>", "Mojeek"))).toBe("empty")
    const none = JSON.stringify({ query: { searchinfo: { totalhits: 0 }, search: [] } })
    expect(outcome(wikipedia.sources.text, none)).toBe("empty")
  })
})
