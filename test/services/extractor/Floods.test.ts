import { assert, describe, it, vi } from "@effect/vitest"
import { Effect } from "effect"
import { type ContentFormat } from "../../../src/domain/Content.ts"
import { trimHtml } from "../../../src/domain/TrimHtml.ts"
import { Extractor } from "../../../src/services/extractor/Extractor.ts"

/** Small documents that once took seconds to minutes. How long they take is for `npm run bench:hostile`. */
const extract = (body: string, contentType: string | null, format: ContentFormat = "text") =>
  Effect.flatMap(Extractor, (extractor) =>
    extractor.extract({ url: "https://example.com/", contentType, bytes: Buffer.from(body) }, format)
  ).pipe(Effect.provide(Extractor.layerInThread))

const page = (head: string, body = "<p>One paragraph of text, long enough to be taken for one.</p>") =>
  `<!doctype html><html><head>${head}</head><body>${body}</body></html>`

vi.setConfig({ testTimeout: 240_000 })

describe("a flood", () => {
  it.effect("of comments before text", () =>
    Effect.gen(function* () {
      const plain = yield* extract(`${"<!---->".repeat(580)}x`, "text/plain")
      assert.strictEqual(plain.contentType, "text/plain")
      const html = yield* extract(`${"<!-- a -->".repeat(100)}${page("<title>T</title>")}`, null)
      assert.deepInclude(html, { contentType: "text/html", title: "T" })
    })
  )

  it.effect("of white space in JSON-LD, names and charsets", () =>
    Effect.gen(function* () {
      const space = " ".repeat(200_000)
      const data = `<script type="application/ld+json">{"@type":"Article","headline":"H"}${space};;${space}`
      const article = yield* extract(page(`${data}</script>`), "text/html")
      assert.strictEqual(article.title, "H")
      yield* extract(page(`${data}x</script>`), "text/html")
      yield* extract(page(`<meta name=author content="By  Ada${space}x">`), "text/html")
      yield* extract(page(""), `text/html; charset=${" ".repeat(25_000)};`)
    })
  )

  it.effect("of levels in JSON is given as it came", () =>
    Effect.gen(function* () {
      const deep = `${"[".repeat(1_000)}${"1,".repeat(240_000)}1${"]".repeat(1_000)}`
      assert.strictEqual((yield* extract(deep, "application/json")).content, deep)
      assert.strictEqual(
        (yield* extract('{"a":[1,2]}', "application/json")).content,
        JSON.stringify({ a: [1, 2] }, null, 2)
      )
    })
  )

  it.effect("of elements in XML is given as it came", () =>
    Effect.gen(function* () {
      const flat = `<r>${"<a>".repeat(400_000)}`
      assert.isAtMost((yield* extract(flat, "application/xml")).content.length, flat.length)
    })
  )

  it.effect("of formatting in a feed", () =>
    Effect.gen(function* () {
      const fonts = Array.from({ length: 150 }, (_, index) => `&lt;p&gt;&lt;font size=${index}&gt;`).join("")
      const item = `<item><title>A title</title><description>${fonts}Text&lt;/p&gt;&lt;p&gt;More</description></item>`
      const feed = yield* extract(
        `<rss><channel><title>F</title>${item.repeat(400)}</channel></rss>`,
        "application/rss+xml"
      )
      assert.include(feed.content, "Text More")
    })
  )
})

describe("dates", () => {
  it.effect("that no calendar has are none", () =>
    Effect.gen(function* () {
      const published = (date: string) =>
        Effect.map(
          extract(page(`<meta property="article:published_time" content="${date}">`), "text/html"),
          (extracted) => extracted.published
        )
      assert.isNull(yield* published("2021-02-30"))
      assert.isNull(yield* published("2021-02-31T25:61:61Z"))
      assert.strictEqual(yield* published("2021-02-28T25:61:61Z"), "2021-02-28")
      assert.strictEqual(yield* published("March 5, 2021 10:00 PM"), "2021-03-05")
    })
  )
})

describe("html from any offset", () => {
  it("keeps to its limit", () => {
    const whole = `<p>${"word ".repeat(40)}<a href="https://example.com/a/long/path?of=parameters">a link</a></p>\n`
      .repeat(8)
      .trim()
    for (let offset = 0; offset < whole.length; offset += 7) {
      const { content, returnedLength } = trimHtml(whole, offset, 150)
      assert.isAtMost(returnedLength, 150)
      assert.strictEqual(Array.from(content).length, returnedLength)
    }
  })
})
