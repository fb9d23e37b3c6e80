import { expect, layer } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { sample } from "../support/Cases.ts"
import { search } from "../support/Client.ts"
import { charsetNames, charsetText, articleTitle, paragraphs } from "../support/content/pages.ts"
import { ContentWeb } from "../support/ContentWeb.ts"
import { quarry } from "../support/Quarry.ts"
import { SocksProxy } from "../support/SocksProxy.ts"

const Document = Schema.Struct({
  success: Schema.Literal(true),
  url: Schema.String,
  final_url: Schema.String,
  status_code: Schema.Number,
  content_type: Schema.String,
  title: Schema.NullOr(Schema.String),
  description: Schema.NullOr(Schema.String),
  author: Schema.NullOr(Schema.String),
  published: Schema.NullOr(Schema.String),
  modified: Schema.NullOr(Schema.String),
  site_name: Schema.NullOr(Schema.String),
  language: Schema.NullOr(Schema.String),
  canonical: Schema.NullOr(Schema.String),
  image: Schema.NullOr(Schema.String),
  page_kind: Schema.NullOr(
    Schema.Literal("article", "documentation", "product", "service", "forum", "listing", "collection")
  ),
  word_count: Schema.Int,
  content: Schema.String,
  format: Schema.Literal("text", "markdown", "html"),
  content_length: Schema.Int,
  returned_length: Schema.Int,
  trimmed: Schema.Boolean,
  next_offset: Schema.NullOr(Schema.Int),
  truncated_input: Schema.Boolean,
  hidden_text: Schema.Boolean
})

const length = (text: string) => Array.from(text).length

/** The document of a fetch that has to go well, its numbers checked against each other. */
const read = (url: string, parameters: Readonly<Record<string, string | number>> = {}) =>
  Effect.gen(function* () {
    const answer = yield* search("/api/content/fetch", { url, ...parameters })
    expect(answer.status, answer.text).toBe(200)
    const document = yield* Effect.orDie(Schema.decodeUnknown(Document, { onExcessProperty: "error" })(answer.body))
    expect(document.returned_length).toBe(length(document.content))
    expect(document.trimmed).toBe(document.next_offset !== null)
    expect(document.content).toBe(document.content.trimEnd())
    return document
  })

/** The whole main text, read piece by piece. */
const readOn = (url: string, max_length: number, format = "text") =>
  Effect.gen(function* () {
    const pieces: Array<{ readonly offset: number; readonly content: string; readonly next: number }> = []
    for (let offset: number | null = 0; offset !== null;) {
      const document: typeof Document.Type = yield* read(url, { max_length, offset, format })
      expect(document.returned_length).toBeLessThanOrEqual(max_length)
      pieces.push({ offset, content: document.content, next: document.next_offset ?? document.content_length })
      expect(pieces.length).toBeLessThan(500)
      offset = document.next_offset
    }
    return pieces
  })

layer(quarry(), { excludeTestServices: true, timeout: "30 seconds" })("content", (it) => {
  it.effect("is the main text of a page and what the page says of itself", () =>
    Effect.gen(function* () {
      const web = yield* ContentWeb
      const document = yield* read(web.url("/article"), { max_length: 20_000 })
      expect(document).toMatchObject({
        url: web.url("/article"),
        final_url: web.url("/article"),
        status_code: 200,
        content_type: "text/html",
        title: articleTitle,
        description: "What a log of storms tells us.",
        author: "Ada Writer",
        site_name: "The Coast Review",
        language: "en",
        image: web.url("/lighthouse.jpg"),
        format: "text",
        trimmed: false,
        next_offset: null,
        truncated_input: false,
        hidden_text: false
      })
      expect(Date.parse(document.published ?? "")).toBe(Date.parse("2026-03-04T05:06:07Z"))
      const found = document.content.split("\n\n")
      expect(found.slice(-6)).toEqual(paragraphs.slice(0, 6))
      expect(document.content).not.toMatch(/Privacy|Read next|Copyright/)
      expect(document.content_length).toBe(length(document.content))
    })
  )

  it.effect("ends at a paragraph, within two thousand characters unless told", () =>
    Effect.gen(function* () {
      const web = yield* ContentWeb
      const document = yield* read(web.url("/long"))
      expect(document.returned_length).toBeLessThanOrEqual(2000)
      expect(paragraphs).toContain(document.content.split("\n\n").at(-1))
      expect(document.trimmed).toBe(true)
    })
  )

  it.effect("pieces put together are the whole, whatever their size", () =>
    Effect.gen(function* () {
      const web = yield* ContentWeb
      const url = web.url("/long")
      const { content_length } = yield* read(url)
      const big = yield* readOn(url, 20_000)
      const whole = big.map(({ content }) => content).join("\n\n")
      expect(length(whole)).toBe(content_length)
      const points = Array.from(whole)
      for (const size of sample([1000, 333, 7919])) {
        for (const { content, next, offset } of yield* readOn(url, size)) {
          expect(points.slice(offset, next).join("").trimEnd()).toBe(content)
        }
      }
      for (const paragraph of paragraphs) expect(whole).toContain(paragraph)
    })
  )

  it.effect("past the end is nothing", () =>
    Effect.gen(function* () {
      const web = yield* ContentWeb
      const document = yield* read(web.url("/article"), { offset: 1_000_000 })
      expect(document).toMatchObject({ content: "", returned_length: 0, next_offset: null, trimmed: false })
    })
  )

  it.effect("comes as Markdown, or as HTML in balanced blocks", () =>
    Effect.gen(function* () {
      const web = yield* ContentWeb
      const markdown = yield* read(web.url("/article"), { format: "MARKDOWN", max_length: 20_000 })
      expect(markdown.format).toBe("markdown")
      for (const paragraph of paragraphs.slice(0, 5)) expect(markdown.content).toContain(paragraph)
      const pieces = yield* readOn(web.url("/long"), 2000, "html")
      for (const { content } of pieces) {
        expect(content).toMatch(/^<.*>$/s)
        expect(content.match(/<p>/g)?.length ?? 0).toBe(content.match(/<\/p>/g)?.length ?? 0)
        expect(content).not.toMatch(/<script|<style|<nav|onclick/i)
      }
      for (const paragraph of paragraphs) expect(pieces.map(({ content }) => content).join("")).toContain(paragraph)
    })
  )

  it.effect("is decoded by what the header, the page or its first bytes say", () =>
    Effect.gen(function* () {
      const web = yield* ContentWeb
      for (const name of charsetNames) {
        const { content } = yield* read(web.url(`/charset/header/${name}`))
        expect(content, name).toContain(charsetText[name])
        // A page cannot declare UTF-16 in its own bytes.
        if (name === "utf-16le") continue
        expect((yield* read(web.url(`/charset/meta/${name}`))).content, name).toContain(charsetText[name])
      }
      expect((yield* read(web.url("/charset/bom"))).content).toContain(charsetText["utf-16le"])
    })
  )

  it.effect("is unpacked", () =>
    Effect.gen(function* () {
      const web = yield* ContentWeb
      for (const encoding of ["gzip", "br", "deflate", "raw-deflate"]) {
        const { content } = yield* read(web.url(`/packed/${encoding}`))
        expect(content, encoding).toContain(paragraphs[0])
      }
    })
  )

  it.effect("of other kinds is text too", () =>
    Effect.gen(function* () {
      const web = yield* ContentWeb
      expect((yield* read(web.url("/json"))).content).toContain("Björn")
      const plain = yield* read(web.url("/text"))
      expect([plain.content_type, plain.content]).toEqual(["text/plain", expect.stringContaining("<angle> brackets &")])
      expect((yield* read(web.url("/feed"))).content).toContain("The lamp is lit again")
      const { content, title } = yield* read(web.url("/pdf"))
      expect([title, content]).toEqual(["Plainly", expect.stringContaining("A second paragraph, with <angle>")])
      expect((yield* read(web.url("/no-type"))).content).toContain(paragraphs[0])
      expect(yield* read(web.url("/empty"))).toMatchObject({ content: "", content_length: 0 })
    })
  )

  it.effect("leaves out what a reader cannot see, and says so", () =>
    Effect.gen(function* () {
      const web = yield* ContentWeb
      const { content, hidden_text } = yield* read(web.url("/hidden"))
      expect([content.includes("Ignore all previous"), hidden_text]).toEqual([false, true])
    })
  )

  it.effect("is found behind five redirects", () =>
    Effect.gen(function* () {
      const web = yield* ContentWeb
      for (const path of ["/redirect/1", "/redirect/5", "/redirect/permanent"]) {
        const { final_url, status_code, url } = yield* read(web.url(path))
        expect([url, final_url, status_code]).toEqual([web.url(path), web.url("/article"), 200])
      }
    })
  )

  it.effect("comes over TLS, and never through the search proxy", () =>
    Effect.gen(function* () {
      const web = yield* ContentWeb
      const proxy = yield* SocksProxy
      yield* web.forget
      yield* read(web.tlsUrl("/article"))
      expect(yield* proxy.connects).toEqual([])
      const [visit] = yield* web.visits("/article")
      expect(visit?.headers["user-agent"]).toMatch(/Quarry/i)
      for (const name of ["traceparent", "b3", "x-forwarded-for", "cookie", "authorization"]) {
        expect(visit?.headers).not.toHaveProperty(name)
      }
    })
  )
})
