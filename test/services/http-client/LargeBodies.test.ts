import { assert, it } from "@effect/vitest"
import { Deferred, Effect, Fiber, TestClock } from "effect"
import { PassThrough, Readable } from "node:stream"
import { brotliCompressSync, gzipSync } from "node:zlib"
import { decompress } from "../../../src/services/http-client/ContentEncoding.ts"
import { readBody } from "../../../src/services/http-client/Body.ts"
import { slowBrotli } from "../../support/content/slowBrotli.ts"

const MiB = 1024 * 1024
const cap = { maxBytes: 10 * MiB, past: "fault" } as const

it.scopedLive("of many large bodies few are read at once, small ones wait for nobody, and all come to their end", () =>
  Effect.gen(function* () {
    const permits = yield* Effect.makeSemaphore(2)
    const state = { inside: 0, most: 0 }
    const room = <A, E>(effect: Effect.Effect<A, E>) =>
      permits.withPermits(1)(
        Effect.acquireUseRelease(
          Effect.sync(() => {
            state.most = Math.max(state.most, ++state.inside)
          }),
          () => effect,
          () => Effect.sync(() => void state.inside--)
        )
      )
    const read = (mebibytes: number) =>
      Effect.suspend(() => {
        const stream = new PassThrough()
        const chunk = Buffer.alloc(MiB / 4, 65)
        for (let quarter = 0; quarter < mebibytes * 4; quarter++) stream.write(chunk)
        stream.end()
        return readBody({ stream, encoding: "", length: null, status: 200 }, cap, room)
      })
    const sizes = [3, 3, 3, 3, 3, 3, 0.5, 0.5, 11]
    const results = yield* Effect.forEach(sizes, (size) => Effect.either(read(size)), { concurrency: "unbounded" })
    assert.deepStrictEqual(
      results.map((result) => (result._tag === "Right" ? result.right.length / MiB : result.left.reason)),
      [3, 3, 3, 3, 3, 3, 0.5, 0.5, "too_large"]
    )
    assert.deepStrictEqual(state, { inside: 0, most: 2 })
  })
)

it.scopedLive("what dies while it waits for room is told at once", () =>
  Effect.gen(function* () {
    const stream = new PassThrough()
    stream.write(Buffer.alloc(2 * MiB))
    const waiting = yield* Deferred.make<void>()
    const room = () => Effect.zipRight(Deferred.succeed(waiting, undefined), Effect.never)
    const fiber = yield* Effect.fork(readBody({ stream, encoding: "", length: null, status: 200 }, cap, room))
    yield* Deferred.await(waiting)
    stream.destroy(new Error("gone"))
    const { reason, status } = yield* Effect.flip(Fiber.join(fiber))
    assert.deepStrictEqual([reason, status], ["truncated", 200])
  })
)

it.scopedLive("pieces that bring next to nothing are too many, long before the body is large", () =>
  Effect.gen(function* () {
    const crumbs = (count: number, size: number) =>
      readBody(
        {
          stream: Readable.from(Array.from({ length: count }, () => Buffer.alloc(size))),
          encoding: "",
          length: null,
          status: 200
        },
        cap,
        (effect) => effect
      )
    assert.strictEqual((yield* Effect.flip(crumbs(20_000, 1))).reason, "too_large")
    assert.lengthOf(yield* crumbs(9_000, 1), 9_000)
    assert.lengthOf(yield* crumbs(20_000, 64), 1_280_000)
  })
)

it.effect("what has grown beyond what gzip can do is a bomb, within the cap too", () =>
  Effect.gen(function* () {
    const read = (packed: Buffer, encoding: string) =>
      Effect.match(decompress(encoding, packed, cap), {
        onFailure: ({ reason }) => reason,
        onSuccess: ({ length }) => length
      })
    assert.strictEqual(yield* read(brotliCompressSync(Buffer.alloc(8 * MiB)), "br"), "too_large")
    assert.strictEqual(yield* read(gzipSync(gzipSync(Buffer.alloc(8 * MiB))), "gzip, gzip"), "too_large")
    assert.strictEqual(yield* read(gzipSync(Buffer.alloc(8 * MiB)), "gzip"), 8 * MiB)
    assert.strictEqual(yield* read(brotliCompressSync(Buffer.alloc(MiB)), "br"), MiB)
  })
)

it.scopedLive("one that waits for room and is given up leaves nothing behind", () =>
  Effect.gen(function* () {
    const stream = new PassThrough()
    stream.write(Buffer.alloc(2 * MiB))
    const waiting = yield* Deferred.make<void>()
    const room = () => Effect.zipRight(Deferred.succeed(waiting, undefined), Effect.never)
    const fiber = yield* Effect.fork(readBody({ stream, encoding: "", length: null, status: 200 }, cap, room))
    yield* Deferred.await(waiting)
    yield* Fiber.interrupt(fiber)
    assert.deepStrictEqual([stream.isPaused(), stream.listenerCount("data")], [true, 0])
  })
)

it.effect("what takes two seconds to decompress is given up", () =>
  Effect.gen(function* () {
    const slow = yield* Effect.fork(Effect.flip(decompress("br", slowBrotli(4 * MiB), cap)))
    yield* TestClock.adjust("1999 millis")
    assert.strictEqual((yield* Fiber.poll(slow))._tag, "None")
    yield* TestClock.adjust("1 millis")
    assert.strictEqual((yield* Fiber.join(slow)).reason, "too_large")
  })
)
