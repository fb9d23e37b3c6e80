import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { platform } from "node:os"
import { timeLimits } from "../../../../src/services/extractor/dom/TimeLimit.ts"

/** Keeps the calling thread from working. */
const wait = (milliseconds: number) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds)

it.live.skipIf(platform() !== "linux")("the time of a step is that in which its thread works", () =>
  Effect.gen(function* () {
    const limits = yield* timeLimits
    const isTimeUp = limits(60)
    wait(200)
    assert.isFalse(isTimeUp(), "it had to wait")
    const started = performance.now()
    while (!isTimeUp()) {
      // It works.
    }
    assert.isAbove(performance.now() - started, 30)
    assert.isTrue(limits(0)())
  })
)
