import { assert, describe, it } from "@effect/vitest"
import { rawText } from "../../../src/domain/RawResult.ts"
import { empty, fault, results } from "../../../src/services/engine/Engine.ts"
import { isIrrelevant } from "../../../src/services/search/Relevance.ts"

const page = (title: string, url = "https://example.com/", body: string | null = null) => rawText({ title, url, body })
const answer = (...items: ReadonlyArray<ReturnType<typeof page>>) => results<"text">(items, null)

describe("isIrrelevant", () => {
  it.each([
    ["suspension bridge", page("How a bridge is built")],
    ["suspension bridge", page("Engineering", "https://example.com/bridges/")],
    ["suspension bridge", page("Engineering", "https://example.com/", "About Bridges")],
    ["Brücke", page("BRUCKE")],
    ["мост", page("Engineering", "https://ru.wikipedia.org/wiki/%D0%9C%D0%BE%D1%81%D1%82")],
    ["吊り橋", page("日本の橋の一覧")],
    ["c", page("The C language")]
  ])("keeps an answer to %s in which a word of it occurs", (query, item) => {
    assert.isFalse(isIrrelevant(query, answer(page("Unrelated"), item)))
  })

  it.each(["suspension bridge", "мост", "吊り橋", "bridge -unrelated", "bridge site:example.com"])(
    "tells an answer that has nothing to do with %s",
    (query) => {
      assert.isTrue(isIrrelevant(query, answer(page("Unrelated"), page("Cheap flights", "https://flights.example/"))))
    }
  )

  it("judges no query without words, no empty answer and no failure", () => {
    const junk = answer(page("Unrelated"))
    for (const query of ["!!!", "site:example.com", "-x", "🐼"]) assert.isFalse(isIrrelevant(query, junk))
    assert.isFalse(isIrrelevant("bridge", empty))
    assert.isFalse(isIrrelevant("bridge", fault("blocked")))
  })
})
