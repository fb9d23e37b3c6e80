import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { PassThrough, Readable } from "node:stream"
import { brotliCompressSync, deflateRawSync, gzipSync } from "node:zlib"
import { decoders } from "../../../src/services/Outgoing/ContentEncoding.ts"
import { readBody } from "../../../src/services/Outgoing/Body.ts"

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

it.scopedLive("a bomb goes off no faster than it is read", () =>
  Effect.gen(function* () {
    const bombs = { gzip: gzipSync, deflate: deflateRawSync, br: brotliCompressSync }
    for (const [encoding, pack] of Object.entries(bombs)) {
      const [decoder] = decoders(encoding) ?? []
      decoder?.end(pack(Buffer.alloc(32 * MiB)))
      yield* Effect.sleep("300 millis")
      assert.isBelow(decoder?.readableLength ?? 0, MiB, encoding)
      const read = { bytes: 0 }
      decoder?.on("data", (chunk: Uint8Array) => void (read.bytes += chunk.length))
      yield* Effect.async<void>((resume) => void decoder?.once("end", () => resume(Effect.void)))
      assert.strictEqual(read.bytes, 32 * MiB, encoding)
    }
  })
)

it.scopedLive("what has grown beyond what gzip can do is a bomb, within the cap too", () =>
  Effect.gen(function* () {
    const read = (packed: Buffer, encoding: string) =>
      readBody({ stream: Readable.from([packed]), encoding, length: null, status: 200 }, cap, (effect) => effect)
    const bomb = yield* Effect.flip(read(brotliCompressSync(Buffer.alloc(8 * MiB)), "br"))
    assert.strictEqual(bomb.reason, "too_large")
    const stacked = yield* Effect.flip(read(gzipSync(gzipSync(Buffer.alloc(8 * MiB))), "gzip, gzip"))
    assert.strictEqual(stacked.reason, "too_large")
    assert.lengthOf(yield* read(gzipSync(Buffer.alloc(8 * MiB)), "gzip"), 8 * MiB)
    assert.lengthOf(yield* read(brotliCompressSync(Buffer.alloc(MiB)), "br"), MiB)
  })
)

it.scopedLive("one that waits for room and is given up leaves nothing behind", () =>
  Effect.gen(function* () {
    const stream = new PassThrough()
    stream.write(Buffer.alloc(2 * MiB))
    const result = yield* Effect.timeoutOption(
      readBody({ stream, encoding: "", length: null, status: 200 }, cap, () => Effect.never),
      "200 millis"
    )
    assert.strictEqual(result._tag, "None")
    assert.isTrue(stream.destroyed)
  })
)
