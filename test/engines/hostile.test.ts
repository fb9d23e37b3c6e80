import { describe, expect, it } from "@effect/vitest"
import * as FastCheck from "effect/FastCheck"
import { readdirSync } from "node:fs"
import { type SearchKind, searchKinds } from "../../src/domain/SearchKind.ts"
import {
  type Cursor,
  type EngineAnswer,
  firstPage,
  type Reading,
  type Source
} from "../../src/services/engine/Engine.ts"
import { enginesFor } from "../../src/services/engine/catalogue/registry.ts"
import { isSlow } from "../support/Cases.ts"
import { answer, fixture, fixtures, query } from "./Asking.ts"
import { readAnswer } from "../../src/services/engine/runtime/ParsedAnswer.ts"

const pages = readdirSync(fixtures, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .flatMap((folder) =>
    readdirSync(new URL(`${folder.name}/`, fixtures))
      .filter((file) => !file.endsWith(".md"))
      .map((file) => fixture(`${folder.name}/${file}`))
  )
  .map((page) => page.slice(0, 60_000))

const nasty = FastCheck.constantFrom(
  ...[
    "javascript:alert(1)",
    "//",
    "/relative",
    "https://",
    "http://[::1",
    "data:text/html,x",
    "ftp://a.example/",
    "https://ex ample/"
  ],
  ...["", " ", "\u0000", "\ud800", "\ue000", "&#0;", "&bogus;", "<", "</a>", "<!--", "]]>", "<script>", "\u202e", "🐼"],
  ...["x".repeat(100_000), "<b>".repeat(2_000), "\\", '"', "'", "{", "[", "null", "-1", "1e999"]
)

/** A real page cut, spliced with another, or with something nasty put in. */
const mutated = FastCheck.tuple(
  FastCheck.constantFrom(...pages),
  FastCheck.constantFrom(...pages),
  FastCheck.double({ min: 0, max: 1, noNaN: true }),
  FastCheck.double({ min: 0, max: 1, noNaN: true }),
  nasty
).map(([one, other, from, to, put]) => {
  const at = Math.floor(one.length * from)
  return one.slice(0, at) + put + other.slice(Math.floor(other.length * to))
})

/** The same with a value replaced everywhere: links and titles that are none. */
const poisoned = FastCheck.tuple(FastCheck.constantFrom(...pages), nasty).map(([page, put]) =>
  page.replace(/(?<=(?:href|value|title|"url"|"title"|"key"|"name"|murl&quot;)[=:]\s?")[^"<>]{0,300}(?=")/g, () => put)
)

const names = [
  "results",
  "list",
  "data",
  "hits",
  "docs",
  "query",
  "search",
  "title",
  "name",
  "url",
  "id",
  "key",
  "count",
  "next",
  "authors",
  "formats",
  "account"
]
const json = FastCheck.letrec((tie) => ({
  value: FastCheck.oneof(
    { maxDepth: 5, withCrossShrink: true },
    nasty,
    FastCheck.double(),
    FastCheck.constantFrom(null, true, false, 0, 1, -1, "https://example.org/", "A title"),
    FastCheck.array(tie("value"), { maxLength: 6 }),
    FastCheck.dictionary(FastCheck.constantFrom(...names), tie("value"), { maxKeys: 8 })
  )
})).value.map((value) => JSON.stringify(value) ?? "")

const bodies = FastCheck.oneof(FastCheck.string(), FastCheck.string({ unit: "binary" }), mutated, poisoned, json, nasty)
const statuses = FastCheck.oneof(
  FastCheck.constantFrom(200, 202, 204, 301, 303, 401, 403, 404, 418, 429, 500, 503),
  FastCheck.integer()
)
const cursors = FastCheck.constantFrom<Cursor>(firstPage, { page: 2, form: [["s", "10"]] }, { page: 1000, form: null })

const check = <K extends SearchKind>(parsed: Reading<K>) => {
  if (parsed._tag !== "Results") return
  expect(parsed.items.length).toBeGreaterThan(0)
  for (const item of parsed.items) {
    expect(item.title.trim()).not.toBe("")
    expect(Array.from(item.title).length).toBeLessThanOrEqual(500)
    expect(new URL(item.url).protocol).toMatch(/^https?:$/)
    for (const value of Object.values(item)) if (value !== null) expect(value).not.toBe("")
  }
}

const asked = { ...query(), text: "red panda" }

const ask = <K extends SearchKind>(source: Source<K>, given: EngineAnswer, cursor: Cursor) => {
  check(source.parse(given, asked, cursor))
  check(readAnswer(source, given, asked, cursor))
}

/** Every source of every kind on the same answer. */
const askAll = (given: EngineAnswer, cursor: Cursor = firstPage) => {
  const each = <K extends SearchKind>(kind: K) => {
    for (const { source } of enginesFor(kind)) ask(source, given, cursor)
  }
  searchKinds.forEach(each)
}

describe("whatever an engine answers", () => {
  it("no parser throws or returns half an item", () => {
    FastCheck.assert(
      FastCheck.property(bodies, statuses, cursors, (body, status, cursor) => askAll(answer(body, { status }), cursor)),
      { numRuns: isSlow ? 300 : 10 }
    )
  })

  it("broken headers and addresses are no trouble", () => {
    askAll(answer("<html></html>", { url: "not a url", status: 302, headers: { location: "http://[" } }))
    askAll(answer("", { url: "", status: 302, headers: { location: "" } }))
  })

  /** Characters: what takes longer than linear time shows in the slow project. */
  const huge = isSlow ? 1_000_000 : 10_000
  const floods: Readonly<Record<string, string>> = {
    "nested elements": "<div>".repeat(huge / 5),
    "nested results": '<div class="result"><a class="result__a iusc ob title" href="https://a.example/" m="{}">'.repeat(
      huge / 90
    ),
    "unclosed formatting": "<b id=1><i><p>".repeat(huge / 14),
    "closing tags": "</p></div>".repeat(huge / 10),
    attributes: `<a ${Array.from({ length: huge / 8 }, (_, index) => `a${index}`).join(" ")}>`,
    titles: "<title".repeat(huge / 6),
    entities: "&amp;#38;".repeat(huge / 9),
    "nested arrays": "[".repeat(huge),
    "many items": `{"results":[${"{},".repeat(huge / 3)}{}]}`,
    "a feed": `<rss><channel>${"<item><title>T</title><link>https://a.example/</link></item>".repeat(huge / 60)}</channel></rss>`,
    comments: "<!--".repeat(huge / 4),
    "white space": " ".repeat(huge),
    redirects: `<div id="links"><div class="result"><a class="result__a" href="${"//duckduckgo.com/l/?uddg=".repeat(huge / 25)}">T</a></div></div>`
  }

  for (const [name, body] of Object.entries(floods)) {
    it(`reads a flood of ${name}`, () => askAll(answer(body)))
  }
})
