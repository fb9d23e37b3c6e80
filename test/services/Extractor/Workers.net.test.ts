import { assert, expect, it, layer } from "@effect/vitest"
import { Duration, Effect, Either, Fiber } from "effect"
import { readdirSync, readFileSync } from "node:fs"
import { getPriority, platform } from "node:os"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { brotliCompressSync, constants, gzipSync } from "node:zlib"
import { type RawDocument } from "../../../src/services/Extractor/Document.ts"
import { type WorkerLimits } from "../../../src/services/Extractor/Workers.ts"
import { Extractor } from "../../../src/services/Extractor.ts"
import { dist } from "../../support/build.ts"
import { hostilePages } from "../../support/content/hostile.ts"
import { slowBrotli } from "../../support/content/slowBrotli.ts"

/** Built by the tests' global setup. */
const file = pathToFileURL(join(dist, "extraction-worker.js"))
const workers = (limits?: WorkerLimits) => Extractor.layerOf(file, limits)

const documentOf = (body: string | Buffer, contentType = "text/html"): RawDocument => ({
  url: "https://harbour.example/",
  contentType,
  bytes: Buffer.from(body)
})
const page = documentOf("<title>Ferry</title><p>The ferry will cross the bay twelve times a day, from spring on.</p>")
const endless = documentOf(hostilePages["table-10mb"]?.body() ?? "")

const read = (document: RawDocument) =>
  Effect.flatMap(Extractor, (extractor) => extractor.extract(document, "markdown", { offset: 4, maxLength: 20 }))

/** Threads of this process that are behind this one (proc(5): the 19th field of `stat`, behind the name in parentheses). */
const steppingBack = () =>
  Effect.sync(
    () =>
      readdirSync("/proc/self/task").filter((thread) => {
        const fields = readFileSync(`/proc/self/task/${thread}/stat`, "utf8").split(") ").at(-1)?.split(" ")
        return Number(fields?.[16]) > getPriority()
      }).length
  )

layer(workers(), { excludeTestServices: true })("a worker", (it) => {
  it.effect.skipIf(platform() !== "linux")("steps back where it reads large documents, and only there", () =>
    Effect.gen(function* () {
      yield* read(page)
      assert.strictEqual(yield* steppingBack(), 0)
      yield* read({ ...page, bytes: Buffer.concat([page.bytes, Buffer.alloc(500_000, " ")]) })
      assert.strictEqual(yield* steppingBack(), 1)
    })
  )
})

layer(workers(), { excludeTestServices: true })("workers", (it) => {
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
      for (const name of ["pdf-bomb", "pdf-string", "pdf-open-strings", "pdf-saves-plain"]) {
        const document = documentOf(hostilePages[name]?.body() ?? "", "application/pdf")
        const { content, truncatedInput } = yield* read(document)
        expect([truncatedInput, content.slice(0, 8)], name).toEqual([true, "rd of it"])
      }
    })
  )

  it.effect("go on after some were interrupted", () =>
    Effect.gen(function* () {
      for (let round = 0; round < 3; round++) {
        const fibers = yield* Effect.forEach([endless, endless, endless, page], (document) =>
          Effect.fork(read(document))
        )
        const last = fibers.at(-1)
        yield* Fiber.interruptAll(fibers.slice(0, 3))
        assert.strictEqual(last === undefined ? null : (yield* Fiber.join(last)).title, "Ferry")
      }
    })
  )

  it.effect("read a small document while large ones wait", () =>
    Effect.gen(function* () {
      const done: Array<string> = []
      const note = (name: string) => () => Effect.sync(() => done.push(name))
      const hidden = {
        ...endless,
        bytes: brotliCompressSync(endless.bytes.subarray(0, 3_000_000), {
          params: { [constants.BROTLI_PARAM_QUALITY]: 5 }
        }),
        encoding: "br"
      }
      assert.isBelow(hidden.bytes.length, 96 * 1024, "it does not show its size")
      const few = {
        ...page,
        bytes: brotliCompressSync(`<title>Few</title>${"<table>".repeat(148_000)}`),
        encoding: "br"
      }
      assert.isBelow(few.bytes.length, 100, "it may become a mebibyte, and does")
      for (const document of [endless, hidden, few]) {
        done.length = 0
        const large = yield* Effect.forEach([1, 2, 3, 4, 5, 6], () =>
          Effect.fork(Effect.tap(read(document), note("large")))
        )
        yield* Effect.yieldNow()
        yield* Effect.tap(read(page), note("small"))
        yield* Fiber.joinAll(large)
        assert.isAtMost(done.indexOf("small"), 2)
      }
    })
  )

  it.effect("refuse what would wait too long", () =>
    Effect.gen(function* () {
      const count = 40
      const fibers = yield* Effect.forEach(Array.from({ length: count }), () =>
        Effect.fork(Effect.either(read(endless)))
      )
      assert.strictEqual((yield* read(page)).title, "Ferry", "small ones are not among them")
      yield* Effect.forEach(fibers.slice(0, 28), Fiber.interrupt)
      const outcomes = yield* Fiber.joinAll(fibers.slice(28))
      const busy = outcomes.filter((outcome) => outcome._tag === "Left" && outcome.left._tag === "Busy")
      const done = outcomes.filter((outcome) => outcome._tag === "Right")
      assert.deepStrictEqual([busy.length, done.length], [count - 32, 4])
    })
  )

  it.effect("read many small documents at once", () =>
    Effect.gen(function* () {
      const titles = yield* Effect.forEach(Array.from({ length: 1_000 }), () => read(page), {
        concurrency: "unbounded"
      })
      assert.deepStrictEqual(new Set(titles.map(({ title }) => title)), new Set(["Ferry"]))
    })
  )
})

it.live("a document that takes too long is too large", () =>
  Effect.gen(function* () {
    expect(yield* Effect.flip(read(endless))).toEqual({ _tag: "Unreadable", reason: "too_large" })
    expect(yield* Effect.flip(read(endless)), "by the worker after it").toEqual({
      _tag: "Unreadable",
      reason: "too_large"
    })
  }).pipe(Effect.provide(workers({ time: Duration.millis(50), memory: 144 })))
)

it.live("what takes too long to decompress is given up", () =>
  Effect.gen(function* () {
    const slow = { ...page, bytes: gzipSync(slowBrotli(8 * 1024 * 1024)), encoding: "br, gzip" }
    expect(yield* Effect.flip(read(slow))).toEqual({ _tag: "Undecoded", reason: "too_large" })
    assert.strictEqual((yield* read(page)).title, "Ferry")
  }).pipe(Effect.provide(workers()))
)

it.live("a document that takes too much memory is too large, and the next one is read", () =>
  Effect.gen(function* () {
    const outcome = yield* Effect.flip(read(endless))
    expect(outcome).toEqual({ _tag: "Unreadable", reason: "too_large" })
    assert.strictEqual((yield* read(page)).title, "Ferry")
  }).pipe(Effect.provide(workers({ time: "20 seconds", memory: 48 })))
)
