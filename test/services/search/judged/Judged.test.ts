import { assert, describe, it } from "@effect/vitest"
import { normalizedGain, precision } from "./Gain.ts"
import { choices, compare, type JudgedQuery, judgedQueries, mean, worthOfFused, worthOfOne } from "./Judged.ts"

/** What a few hundredths of nDCG@10 are: one page a place further up or down, a grade given otherwise. */
const noise = 0.02

const named = (query: string): JudgedQuery => {
  const found = judgedQueries.find((judged) => judged.query === query)
  if (found === undefined) throw new Error(`"${query}" is not judged.`)
  return found
}

const caffeine = named("does caffeine affect sleep")
const tutorial = named("javascript tutorial")

describe("nDCG@10 and precision@10", () => {
  it("are 1 for the best order, and for ten good pages", () => {
    assert.strictEqual(normalizedGain([3, 2, 1, 0], [0, 1, 2, 3]), 1)
    assert.strictEqual(precision([3, 3, 3, 3, 3, 2, 2, 2, 2, 2, 0, 0]), 1)
  })

  it("are what the formulas say", () => {
    assert.closeTo(normalizedGain([0, 2], [3, 2, 0]), 3 / Math.log2(3) / (7 + 3 / Math.log2(3)), 1e-12)
    assert.strictEqual(precision([3, 1, 2]), 0.2)
  })
})

describe("judged queries", () => {
  it.each(judgedQueries)("of $query, every page is judged once, and every engine answers", ({ judged, lists }) => {
    const urls = judged.flatMap((one) => one.urls)
    assert.strictEqual(new Set(urls).size, urls.length)
    assert.deepStrictEqual(new Set(lists.flatMap(({ items }) => items.map(({ url }) => url))), new Set(urls))
  })

  it("have all choices of engines", () => {
    assert.deepStrictEqual(choices(["a", "b", "c"], 2), [
      ["a", "b"],
      ["a", "c"],
      ["b", "c"]
    ])
  })
})

describe("fusion of judged queries", () => {
  it("leaves the order of a lone engine", () => {
    for (const judged of judgedQueries.filter(({ lists }) => lists.length === 1)) {
      for (const list of judged.lists) assert.deepStrictEqual(worthOfFused([list], judged), worthOfOne(list, judged))
    }
  })

  it("is better than taking one engine, in the mean even of the best one for each query", () => {
    const both = [caffeine, tutorial]
    const best = both.map((judged) => Math.max(...judged.lists.map((list) => worthOfOne(list, judged).gain)))
    assert.isAbove(mean(both.map((judged) => worthOfFused(judged.lists, judged).gain)), mean(best))
  })

  it.each([
    { judged: caffeine, gain: 0.87, precise: 0.6 },
    { judged: tutorial, gain: 0.89, precise: 1 }
  ])("of $judged.query is worth $gain at least, and as good as the best engine", ({ gain, judged, precise }) => {
    const fused = worthOfFused(judged.lists, judged)
    assert.isAtLeast(fused.gain, gain)
    assert.isAtLeast(fused.precision, precise)
    for (const list of judged.lists) assert.isAbove(fused.gain, worthOfOne(list, judged).gain - noise, list.engine)
  })

  it.each([
    { judged: caffeine, size: 2, toBest: 0, worst: -noise, toMean: 0.2 },
    { judged: caffeine, size: 3, toBest: 0, worst: -noise, toMean: 0.2 },
    { judged: tutorial, size: 2, toBest: -noise, worst: -0.05, toMean: 0.05 },
    { judged: tutorial, size: 3, toBest: -noise, worst: -0.05, toMean: 0.07 }
  ])(
    "of any $size engines of $judged.query is near the best of them, and better than one of them blindly",
    ({ judged, size, toBest, toMean, worst }) => {
      const compared = compare(judged, size)
      const gaps = compared.map(({ best, fused }) => fused.gain - best.gain)
      assert.isAtLeast(mean(gaps), toBest)
      for (const [at, gap] of gaps.entries()) assert.isAtLeast(gap, worst, compared[at]?.engines.join(" "))
      assert.isAtLeast(mean(compared.map((one) => one.fused.gain - one.mean.gain)), toMean)
    }
  )
})
