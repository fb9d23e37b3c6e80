import * as fc from "effect/FastCheck"
import { expect, it } from "vitest"
import { type Bucket, giveBack, take, waitFor } from "../../../../../src/services/engine/runtime/health/Bucket.ts"

it("gives a burst at once, then one at a time as the pace has it", () => {
  const pace = { perMinute: 20, burst: 2 }
  const used = take(take(null, pace, 0), pace, 0)
  expect([waitFor(null, pace, 0), waitFor(used, pace, 0), waitFor(used, pace, 1_000)]).toEqual([0, 3_000, 2_000])
  expect([waitFor(used, pace, 3_000), waitFor(take(used, pace, 3_000), pace, 3_000)]).toEqual([0, 3_000])
})

it("promises tokens one after another", () => {
  const pace = { perMinute: 60, burst: 1 }
  const promised = take(take(null, pace, 0), pace, 0)
  expect(waitFor(promised, pace, 0)).toBe(2_000)
  expect(waitFor(giveBack(promised, pace, 0), pace, 0)).toBe(1_000)
})

it("never fills above its burst", () => {
  const pace = { perMinute: 60, burst: 3 }
  const full = giveBack(take(null, pace, 0), pace, 1_000_000)
  expect(full.tokens).toBe(3)
})

it("gives no more in any time than its burst and what that time refills", () => {
  fc.assert(
    fc.property(
      fc.record({ perMinute: fc.integer({ min: 1, max: 600 }), burst: fc.integer({ min: 1, max: 20 }) }),
      fc.array(fc.nat(20_000), { maxLength: 200 }),
      (pace, pauses) => {
        let bucket: Bucket | null = null
        let now = 0
        const taken: Array<number> = []
        for (const pause of pauses) {
          now += pause
          if (waitFor(bucket, pace, now) > 0) continue
          bucket = take(bucket, pace, now)
          taken.push(now)
        }
        for (const [first, from] of taken.entries()) {
          for (const [offset, to] of taken.slice(first).entries()) {
            expect(offset + 1).toBeLessThanOrEqual(pace.burst + ((to - from) * pace.perMinute) / 60_000 + 0.001)
          }
        }
      }
    ),
    { numRuns: 50 }
  )
})
