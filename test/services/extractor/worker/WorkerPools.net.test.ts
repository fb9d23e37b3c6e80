import { assert, expect, layer, vi } from "@effect/vitest"
import { Context, Effect, Fiber, Layer, Queue, TestClock } from "effect"
import { sample } from "../../../support/Cases.ts"
import { availableParallelism, constants, getPriority, platform } from "node:os"
import { brotliCompressSync } from "node:zlib"
import { type RawDocument } from "../../../../src/services/extractor/dom/Document.ts"
import { Extractor } from "../../../../src/services/extractor/Extractor.ts"
import { ControlledWorker, controlledWorkers } from "../../../support/ControlledWorkers.ts"

/** Starts many threads, each of which loads its code. */
vi.setConfig({ testTimeout: 120_000 })

/** Threads of each of the two pools. */
const poolSize = Math.min(4, Math.max(2, availableParallelism()))

const documentOf = (path: string, bytes: Buffer, encoding = ""): RawDocument => ({
  url: `https://harbour.example/${path}`,
  contentType: "text/html",
  bytes,
  encoding
})
const small = Buffer.from("<title>Ferry</title><p>The ferry will cross the bay twelve times a day.</p>")
const padded = (length: number) => Buffer.concat([small, Buffer.alloc(length - small.length, " ")])
const rows = (count: number) =>
  Buffer.concat([
    small,
    Buffer.from(Array.from({ length: count }, (_, row) => `<p>Ferry number ${row} leaves.`).join(""))
  ])
const compressed = (bytes: Buffer) => documentOf("held", brotliCompressSync(bytes), "br")

const heldSmall = documentOf("held", small)
const heldLarge = documentOf("held", padded(500_000))

const tooLarge = { _tag: "Unreadable", reason: "too_large" }

/** Workers whose documents end when the test says so. The clock of the test is the clock of the pools' limits. */
const pools = Effect.gen(function* () {
  const controlled = yield* controlledWorkers
  const { extract } = Context.get(yield* Layer.build(Extractor.layerOf(controlled.file)), Extractor)
  return { ...controlled, read: (document: RawDocument) => extract(document, "text", { offset: 0, maxLength: 20 }) }
})

const largeDocuments: ReadonlyArray<readonly [string, RawDocument]> = [
  ["large", documentOf("held", padded(500_000))],
  ["larger without their encoding", compressed(rows(15_000))],
  ["a hundred bytes that become a mebibyte", compressed(padded(1024 * 1024))]
]

layer(ControlledWorker.layer, { timeout: "2 minutes" })("the pools of threads", (it) => {
  it.scoped.skipIf(platform() !== "linux")("threads that read large documents have a lower priority", () =>
    Effect.gen(function* () {
      const { finishAll, read, readings } = yield* pools
      yield* finishAll
      yield* read(heldSmall)
      yield* read(heldLarge)
      const priorities = Array.from(yield* Queue.takeAll(readings), ({ priority }) => priority)
      const lowered = Math.min(constants.priority.PRIORITY_LOW, getPriority() + 5)
      assert.deepStrictEqual(priorities, [getPriority(), lowered])
    })
  )

  it.scoped.each(sample(largeDocuments))(
    "a small document is read while as many as there are threads are held: %s",
    ([, document]) =>
      Effect.gen(function* () {
        const { finishAll, read, readings } = yield* pools
        const large = yield* Effect.replicateEffect(Effect.fork(read(document)), poolSize + 2)
        yield* Queue.takeN(readings, poolSize)
        assert.strictEqual((yield* read(documentOf("small", small))).title, "Ferry")
        assert.strictEqual(yield* Queue.size(readings), 0, "no more are read at once than there are threads")
        yield* finishAll
        for (const { title } of yield* Fiber.joinAll(large)) assert.strictEqual(title, "Ferry")
      })
  )

  it.scoped("documents beyond 320 MiB are refused at once, and taken again when others have left", () =>
    Effect.gen(function* () {
      const { finishAll, read, readings } = yield* pools
      const document = documentOf("held", padded(10 * 1024 * 1024))
      const accepted = yield* Effect.replicateEffect(Effect.fork(read(document)), 32)
      yield* Queue.takeN(readings, poolSize)
      for (let more = 0; more < 8; more++) expect(yield* Effect.flip(read(document))).toEqual({ _tag: "Busy" })
      assert.strictEqual((yield* read(documentOf("small", small))).title, "Ferry", "the other pool has room")
      yield* Fiber.interruptAll(accepted.slice(0, 28))
      const late = yield* Effect.replicateEffect(Effect.fork(read(document)), 2)
      yield* finishAll
      for (const { title } of yield* Fiber.joinAll([...accepted.slice(28), ...late])) assert.strictEqual(title, "Ferry")
    })
  )

  it.scoped("threads whose documents nobody waits for are replaced", () =>
    Effect.gen(function* () {
      const { finishAll, read, readings } = yield* pools
      const threads: Array<number> = []
      for (let round = 0; round < 2; round++) {
        const fibers = yield* Effect.replicateEffect(Effect.fork(read(heldLarge)), poolSize)
        const taken = yield* Queue.takeN(readings, poolSize)
        threads.push(...Array.from(taken, ({ thread }) => thread))
        yield* Fiber.interruptAll(fibers)
      }
      yield* finishAll
      assert.strictEqual((yield* read(heldLarge)).title, "Ferry")
      assert.strictEqual(new Set(threads).size, 2 * poolSize)
    })
  )

  it.scoped("a document may take five seconds, and costs its thread the life after that", () =>
    Effect.gen(function* () {
      const { finishAll, read, readings } = yield* pools
      const threads: Array<number> = []
      for (let round = 0; round < 2; round++) {
        const reading = yield* Effect.fork(Effect.flip(read(heldSmall)))
        threads.push((yield* Queue.take(readings)).thread)
        yield* TestClock.adjust("4999 millis")
        assert.strictEqual((yield* Fiber.poll(reading))._tag, "None")
        yield* TestClock.adjust("1 millis")
        expect(yield* Fiber.join(reading)).toEqual(tooLarge)
      }
      const last = yield* Effect.fork(read(heldSmall))
      const { thread } = yield* Queue.take(readings)
      yield* TestClock.adjust("4999 millis")
      yield* finishAll
      assert.strictEqual((yield* Fiber.join(last)).title, "Ferry")
      assert.strictEqual(new Set([...threads, thread]).size, 3)
    })
  )

  it.scoped("a document that takes too much memory is too large, and the next one is read", () =>
    Effect.gen(function* () {
      const { read } = yield* pools
      expect(yield* Effect.flip(read(documentOf("memory", small)))).toEqual(tooLarge)
      assert.strictEqual((yield* read(documentOf("small", small))).title, "Ferry")
    })
  )
})
