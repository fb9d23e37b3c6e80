import { assert, expect, layer } from "@effect/vitest"
import { Effect, Either } from "effect"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { gzipSync } from "node:zlib"
import { type RawDocument } from "../../../../src/services/extractor/dom/Document.ts"
import { Extractor } from "../../../../src/services/extractor/Extractor.ts"
import { dist } from "../../../support/build.ts"
import { hostilePages } from "../../../support/content/hostile.ts"
import { sample } from "../../../support/Cases.ts"

/** Built by the tests' global setup. */
const file = pathToFileURL(join(dist, "extraction-worker.js"))

const documentOf = (body: string | Buffer, contentType = "text/html"): RawDocument => ({
  url: "https://harbour.example/",
  contentType,
  bytes: Buffer.from(body)
})
const page = documentOf("<title>Ferry</title><p>The ferry will cross the bay twelve times a day, from spring on.</p>")

const read = (document: RawDocument) =>
  Effect.flatMap(Extractor, (extractor) => extractor.extract(document, "markdown", { offset: 4, maxLength: 20 }))

/** The clock of the test is the clock of the pools: no limit on time ends a document on a slow machine. */
layer(Extractor.layerOf(file))("workers", (it) => {
  it.effect("read a document as the calling thread does", () =>
    Effect.gen(function* () {
      const here = yield* Effect.provide(read(page), Extractor.layerInThread)
      assert.strictEqual(here.title, "Ferry")
      expect(yield* read(page)).toEqual(here)
    })
  )

  it.effect("tell what has no text and what is broken", () =>
    Effect.gen(function* () {
      const picture = documentOf("\u0089PNG", "image/png")
      expect(yield* Effect.flip(read(picture))).toEqual({ _tag: "NoText", contentType: "image/png" })
      const broken = documentOf("%PDF-1.7", "application/pdf")
      expect(yield* Effect.flip(read(broken))).toEqual({ _tag: "Unreadable", reason: "undecodable" })
    })
  )

  it.effect("decompress, and tell what cannot be", () =>
    Effect.gen(function* () {
      const packed = gzipSync(page.bytes)
      const outcomes = yield* Effect.forEach(
        [
          packed,
          packed.subarray(0, 50),
          Buffer.from("garbage"),
          gzipSync(Buffer.alloc(11 * 1024 * 1024)),
          gzipSync(Buffer.from("\u0089PNG", "latin1"))
        ],
        (bytes) => Effect.either(read({ ...page, bytes, encoding: "gzip" }))
      )
      assert.deepStrictEqual(
        outcomes.map((outcome) => (Either.isRight(outcome) ? outcome.right.title : outcome.left)),
        [
          "Ferry",
          { _tag: "Undecoded", reason: "truncated" },
          { _tag: "Undecoded", reason: "undecodable" },
          { _tag: "Undecoded", reason: "too_large" },
          { _tag: "NoText", contentType: "image/png" }
        ]
      )
    })
  )

  it.effect("read of a PDF that swells, or takes for ever, what comes before", () =>
    Effect.gen(function* () {
      for (const name of sample(["pdf-bomb", "pdf-string", "pdf-open-strings", "pdf-saves-plain"])) {
        const document = documentOf(hostilePages[name]?.body() ?? "", "application/pdf")
        const { content, truncatedInput } = yield* read(document)
        expect([truncatedInput, content.slice(0, 8)], name).toEqual([true, "rd of it"])
      }
    })
  )

  it.effect("read many small documents at once", () =>
    Effect.gen(function* () {
      const titles = yield* Effect.forEach(Array.from({ length: 200 }), () => read(page), {
        concurrency: "unbounded"
      })
      assert.deepStrictEqual(new Set(titles.map(({ title }) => title)), new Set(["Ferry"]))
    })
  )
})
