import { describe, expect, it } from "@effect/vitest"
import { sample } from "../support/Cases.ts"
import { readdirSync } from "node:fs"
import { type SearchKind, searchKinds } from "../../src/domain/SearchKind.ts"
import { type EngineAnswer, type EngineQuery, type Source } from "../../src/services/engine/Engine.ts"
import { enginesFor } from "../../src/services/engine/catalogue/registry.ts"
import { begin, findFixture, fixture, fixtures, itemsOf, outcomeOf, query, read as readWith } from "./Asking.ts"

const walk = <K extends SearchKind>(kind: K) => {
  for (const { engine, source } of enginesFor(kind))
    describe(`${engine.name} ${kind}`, () => check(engine.name, kind, source))
}

const check = <K extends SearchKind>(name: string, kind: K, source: Source<K>) => {
  const page = findFixture(name, kind)
  const emptyPage = findFixture(name, kind, ".empty")
  const blockPage = findFixture(name, kind, ".block")

  it("has a page of results, an empty page and a block page", () => {
    expect({ page, emptyPage, blockPage }).not.toMatchObject({ page: null })
    expect(emptyPage).not.toBeNull()
    expect(blockPage).not.toBeNull()
  })

  const stepPage = findFixture(name, kind, ".step")
  const cursor = begin(name, kind, source)
  const read = (from: Source<K>, body: string, given: Partial<EngineAnswer> = {}, asked: EngineQuery<K> = query()) =>
    readWith(from, body, given, asked, cursor)

  if (stepPage !== null)
    it("tells a block, a refusal and nonsense on the way as well", () => {
      const block = fixture(blockPage ?? "")
      for (const status of [200, 202, 403, 429]) expect(outcomeOf(readWith(source, block, { status }))).toBe("blocked")
      expect(outcomeOf(readWith(source, "", { status: 429 }))).toBe("rate_limited")
      for (const body of ["", "{}", "<html></html>"]) {
        expect(["layout_changed", "blocked"]).toContain(outcomeOf(readWith(source, body)))
      }
    })

  const results = page === null ? "" : fixture(page)
  const nothing = emptyPage === null ? "" : fixture(emptyPage)
  const block = blockPage === null ? "" : fixture(blockPage)
  const isPage = results.startsWith("<") || results.startsWith("<!")

  it("reads its page, tells nothing found, tells a block whatever its status", () => {
    expect(outcomeOf(read(source, results))).toBe("ok")
    expect(outcomeOf(read(source, nothing))).toBe("empty")
    for (const status of [200, 202, 403, 429, 503]) expect(outcomeOf(read(source, block, { status }))).toBe("blocked")
  })

  it("tells refusals and errors by their status", () => {
    expect(outcomeOf(read(source, "", { status: 403 }))).toBe("blocked")
    expect(outcomeOf(read(source, "Payment required", { status: 402 }))).toBe("blocked")
    expect(outcomeOf(read(source, "slow down", { status: 429 }))).toBe("rate_limited")
    for (const status of sample([404, 503, 400, 410, 500, 502], 2)) {
      expect(outcomeOf(read(source, "<html><title>Error</title></html>", { status }))).toBe("http_status")
      expect(outcomeOf(read(source, results, { status }))).toBe("http_status")
      expect(outcomeOf(read(source, nothing, { status }))).toBe("http_status")
    }
  })

  it("calls what it does not know a changed layout, never empty", () => {
    const strange = [
      "",
      " ",
      "\u0000",
      "null",
      "[]",
      "{}",
      "0",
      '"text"',
      '{"error":"no"}',
      "<",
      "<html></html>",
      "<p>Hello</p>"
    ]
    // An engine whose answer is a bare list says with an empty one that there is nothing.
    const unknown = strange.filter((body) => body !== nothing.trim())
    const other = isPage
      ? '{"results":[{"title":"x","url":"https://example.org/"}]}'
      : "<!doctype html><title>Home</title><h1>Welcome</h1>"
    for (const body of [...unknown, other])
      expect([body, outcomeOf(read(source, body))]).toEqual([body, "layout_changed"])
  })

  it("never takes a cut page for an empty one", () => {
    for (const whole of [results, nothing]) {
      for (const tenths of sample([3, 7, 9, 1, 2, 4, 5, 6, 8], 3)) {
        const cut = whole.slice(0, Math.floor((whole.length * tenths) / 10))
        if (whole === results) expect(outcomeOf(read(source, cut))).not.toBe("empty")
        else expect(itemsOf(read(source, cut))).toEqual([])
      }
    }
  })

  it("leaves no markup, entities or private characters in its items", () => {
    for (const item of itemsOf(read(source, results))) {
      const { embed_html: _, ...plain } = { embed_html: null, ...item }
      for (const value of Object.values(plain)) {
        if (typeof value !== "string" || /^https?:/.test(value)) continue
        expect(value).not.toMatch(
          /<\/?(?:b|a|p|i|em|span|strong|font|br)\b|&(?:[a-z]{2,8}|#x?[0-9a-f]{1,6});|[\ue000-\uf8ff]|\s{2}/i
        )
        expect(value).toBe(value.trim())
        expect(value).not.toBe("")
      }
      expect(new URL(item.url).protocol).toMatch(/^https?:$/)
      expect(item.title).not.toBe("")
    }
  })

  it("is not misled by a query about captchas", () => {
    const asked = query({ text: "captcha" })
    const titled = results.replace(/<title>[^<]*/i, "<title>captcha - Search")
    expect(outcomeOf(read(source, titled, {}, asked))).toBe("ok")
  })
}

searchKinds.forEach(walk)

it("knows where every fixture comes from", () => {
  const folders = readdirSync(fixtures, { withFileTypes: true }).filter((entry) => entry.isDirectory())
  for (const { name } of folders) {
    const sources = fixture(`${name}/SOURCES.md`)
    const listed = Array.from(sources.matchAll(/^\| (\S+) \| (?:captured|made)/gm), ([, file]) => file)
    const files = readdirSync(new URL(`${name}/`, fixtures)).filter((file) => file !== "SOURCES.md")
    expect(listed.toSorted(), name).toEqual(files.toSorted())
  }
})
