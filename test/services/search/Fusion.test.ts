import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { rawText } from "../../../src/domain/RawResult.ts"
import { type RawResult } from "../../../src/domain/ResultItem.ts"
import { fuse, type RankedList } from "../../../src/services/search/Fusion.ts"
import { kinds } from "../../../src/services/search/Kinds.ts"

const page = (name: string, body: string | null = null): RawResult<"text"> => {
  const found = rawText({ title: name, url: `https://example.com/${name}`, body })
  if (found === null) throw new Error("no item")
  return found
}

const list = (engine: string, names: ReadonlyArray<string>, weight = 1, index = engine): RankedList<"text"> => ({
  engine,
  index,
  weight,
  items: names.map((name) => page(name))
})

const order = (lists: ReadonlyArray<RankedList<"text">>) => fuse(kinds.text, lists).map(({ found }) => found.title)

/** An engine's list of different pages, in any order. */
const ownPages = fc.uniqueArray(fc.constantFrom(..."abcdefghijkl"), { maxLength: 10 })
const weight = fc.constantFrom(0.4, 0.5, 0.6, 0.8, 0.9, 1)

describe("fuse", () => {
  it("puts what several engines found before what one did", () => {
    assert.deepStrictEqual(order([list("one", ["a", "b", "c"]), list("two", ["c", "d"])]), ["c", "a", "b", "d"])
  })

  it("lets a heavier engine win ties", () => {
    assert.deepStrictEqual(order([list("light", ["a"]), list("heavy", ["b"], 2)]), ["b", "a"])
  })

  it("hears engines of one index as one voice", () => {
    const one = list("one", ["a", "b"], 1, "bing")
    const two = list("two", ["c", "b"], 1, "bing")
    assert.deepStrictEqual(order([one, two]), ["a", "c", "b"])
    assert.deepStrictEqual(order([one, { ...two, index: "own" }]), ["b", "a", "c"])
  })

  it("puts what is off behind everything of its list", () => {
    const lists = [list("one", ["a", "b", "c", ...Array.from({ length: 97 }, (_, index) => `x${index}`)])]
    const fused = fuse(kinds.text, lists, ({ title }) => title === "b").map(({ found }) => found.title)
    assert.strictEqual(fused.indexOf("b"), 99)
    assert.deepStrictEqual(fused.slice(0, 3), ["a", "c", "x0"])
  })

  it("names the engines best rank first", () => {
    const [first] = fuse(kinds.text, [list("one", ["x", "a"]), list("two", ["a"])])
    assert.strictEqual(first?.found.title, "a")
    assert.deepStrictEqual(first?.engines, ["two", "one"])
  })

  it("keeps the fullest body and title of the duplicates", () => {
    const cut = { ...page("a", "short"), title: "A long ti…" }
    const full = { ...page("a", "a much longer body"), title: "A long title" }
    const [first] = fuse(kinds.text, [
      { engine: "one", index: "one", weight: 1, items: [cut] },
      { engine: "two", index: "two", weight: 1, items: [full] }
    ])
    assert.deepInclude(first?.found, { title: "A long title", body: "a much longer body" })
  })

  it("loses nothing, repeats nothing, and depends on nothing but its input", () => {
    const names = fc.array(fc.constantFrom("a", "b", "c", "d", "e", "f", "g"), { maxLength: 12 })
    fc.assert(
      fc.property(fc.array(names, { maxLength: 4 }), (lists) => {
        const ranked = lists.map((given, index) => list(`engine${index}`, given))
        const fused = order(ranked)
        assert.strictEqual(new Set(fused).size, fused.length)
        assert.deepStrictEqual(new Set(fused), new Set(lists.flat()))
        assert.deepStrictEqual(order(ranked), fused)
      })
    )
  })

  it("leaves one engine's order", () => {
    fc.assert(fc.property(ownPages, (names) => assert.deepStrictEqual(order([list("one", names)]), names)))
  })

  it("puts what two indexes found at a rank before what one engine of the same weight found there", () => {
    const place = fc.record({ names: ownPages, at: fc.nat(), weight })
    fc.assert(
      fc.property(place, ({ at, names, weight }) => {
        const rank = at % (names.length + 1)
        const ranked = (engine: string, page: string, index = engine) =>
          list(engine, names.map((name) => `${engine}-${name}`).toSpliced(rank, 0, page), weight, index)
        const lone = ranked("three", "lone")
        const fused = order([lone, ranked("one", "agreed"), ranked("two", "agreed")])
        assert.isBelow(fused.indexOf("agreed"), fused.indexOf("lone"))
        const ofOneIndex = order([lone, ranked("one", "agreed", "bing"), ranked("two", "agreed", "bing")])
        assert.isAbove(ofOneIndex.indexOf("agreed"), ofOneIndex.indexOf("lone"))
      })
    )
  })

  it("puts the heavier engine's finds first at the same rank, and never lower for more weight", () => {
    fc.assert(
      fc.property(fc.array(ownPages, { minLength: 2, maxLength: 4 }), weight, weight, (lists, one, other) => {
        fc.pre(one !== other)
        const ordered = (first: number) =>
          order(lists.map((names, at) => list(`engine${at}`, ["first", ...names], at === 0 ? first : 1)))
        const [less, more] = [ordered(Math.min(one, other)), ordered(Math.max(one, other))]
        const own = new Set(lists[0])
        for (const name of own) {
          const before = (fused: ReadonlyArray<string>) =>
            new Set(fused.slice(0, fused.indexOf(name)).filter((above) => !own.has(above)))
          assert.isTrue(Array.from(before(more)).every((name) => before(less).has(name)))
        }
        const heavier = one > other ? "one" : "other"
        assert.strictEqual(order([list("x", ["one"], one), list("y", ["other"], other)])[0], heavier)
      })
    )
  })

  it("puts a page before another that no index has better, and one has worse or lacks", () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(ownPages, weight), { minLength: 1, maxLength: 4 }), (lists) => {
        const fused = order(lists.map(([names, heavy], at) => list(`engine${at}`, names, heavy)))
        const places = new Map(
          fused.map((name) => [name, lists.map(([names]) => (names.includes(name) ? names.indexOf(name) : Infinity))])
        )
        for (const [above, its] of places) {
          for (const [below, others] of places) {
            const isBetter = its.every((place, at) => place <= (others[at] ?? 0)) && its.join() !== others.join()
            if (isBetter) assert.isBelow(fused.indexOf(above), fused.indexOf(below))
          }
        }
      })
    )
  })
})
