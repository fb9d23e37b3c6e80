import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { type QueryOf } from "../../../src/domain/Query.ts"
import { planOf } from "../../../src/services/search/Plan.ts"
import { candidateOf, type Player } from "../../support/Engines.ts"

const query = (changes: Partial<QueryOf["text"]> = {}): QueryOf["text"] => ({
  q: "needle",
  region: "us-en",
  safesearch: "moderate",
  max_results: 10,
  page: 1,
  backend: "auto",
  ...changes
})

const player = (name: string, given: Partial<Player> = {}): Player => ({ name, play: () => "empty", ...given })

const plan = (players: ReadonlyArray<Player>, changes: Partial<QueryOf["text"]> = {}) => {
  const { isNamed, order, unsupported } = planOf("text", players.map(candidateOf), query(changes))
  return { order: order.map(({ engine }) => engine.name), unsupported, isNamed }
}

describe("the plan of a search", () => {
  it("puts programs' sources before pages, general ones before special ones", () => {
    const players = [
      player("page", { access: "page" }),
      player("encyclopedia", { isSpecial: true }),
      player("api"),
      player("other page", { access: "page" })
    ]
    assert.deepStrictEqual(plan(players).order, ["api", "encyclopedia", "page", "other page"])
  })

  it("asks no index a second time before every other once", () => {
    const players = [
      player("duck", { index: "bing", access: "page" }),
      player("yahoo", { index: "bing", access: "page" }),
      player("bing", { access: "page" }),
      player("brave", { access: "page" })
    ]
    assert.deepStrictEqual(plan(players).order, ["duck", "brave", "yahoo", "bing"])
  })

  it("passes over who does not honour the filters, when somebody does", () => {
    const players = [player("deaf"), player("able", { honours: ["timelimit"] })]
    assert.deepStrictEqual(plan(players, { timelimit: "d" }), {
      order: ["able"],
      unsupported: ["deaf"],
      isNamed: false
    })
    assert.deepStrictEqual(plan([player("deaf")], { timelimit: "d" }).order, ["deaf"])
    assert.deepStrictEqual(plan(players).order, ["deaf", "able"])
  })

  it("never asks under safesearch=on who cannot honour it, named or not", () => {
    const players = [player("loose"), player("safe", { honours: ["safesearch"] })]
    assert.deepStrictEqual(plan(players, { safesearch: "on" }).unsupported, ["loose"])
    assert.deepStrictEqual(plan([player("loose")], { safesearch: "on" }), {
      order: [],
      unsupported: ["loose"],
      isNamed: false
    })
    assert.deepStrictEqual(plan(players, { safesearch: "on", backend: "loose" }), {
      order: [],
      unsupported: ["loose"],
      isNamed: true
    })
    assert.deepStrictEqual(plan(players, { safesearch: "off" }).order, ["loose", "safe"])
  })

  it("prefers for a region who serves it", () => {
    const players = [player("anywhere"), player("local", { access: "page", honours: ["region"] })]
    assert.deepStrictEqual(plan(players, { region: "de-de" }).order, ["local", "anywhere"])
    assert.deepStrictEqual(plan(players).order, ["anywhere", "local"])
    assert.deepStrictEqual(plan(players, { region: "wt-wt" }).order, ["anywhere", "local"])
  })

  it("asks whom the user named, in the registry's order, filters or not", () => {
    const players = [player("one"), player("two", { access: "page" }), player("three")]
    assert.deepStrictEqual(plan(players, { backend: "three,two", timelimit: "d" }), {
      order: ["two", "three"],
      unsupported: [],
      isNamed: true
    })
  })

  it("names every engine once, whatever they are", () => {
    const anyone = fc.record(
      {
        access: fc.constantFrom("api" as const, "page" as const),
        index: fc.constantFrom("bing", "google", "own"),
        honours: fc.subarray(["region", "safesearch", "timelimit"] as const)
      },
      { requiredKeys: ["access", "honours"] }
    )
    fc.assert(
      fc.property(
        fc.array(anyone, { maxLength: 8 }),
        fc.constantFrom("on" as const, "off" as const),
        fc.constantFrom({}, { timelimit: "d" as const }),
        (given, safesearch, limit) => {
          const players = given.map((one, at) => player(`e${at}`, one))
          const { order, unsupported } = plan(players, { safesearch, ...limit })
          assert.deepStrictEqual([...order, ...unsupported].sort(), players.map(({ name }) => name).sort())
        }
      )
    )
  })
})
