import { assert, it } from "@effect/vitest"
import { Cause } from "effect"
import { hostNameOf, redactedCause } from "../../../src/services/logging/Redaction.ts"

const shown = (defect: unknown, sensitive: ReadonlyArray<string> = []) =>
  Cause.pretty(redactedCause(Cause.die(defect), sensitive), { renderErrorCause: true })

it("keeps name, message and frames of an error", () => {
  const text = shown(new TypeError("items is not iterable"))
  assert.include(text, "TypeError: items is not iterable")
  assert.match(text, /\n\s+at .*Redaction\.test\.ts:\d+:\d+/)
})

it("hides credentials, paths and queries of URLs, in causes too", () => {
  const url = "https://alice:hunter2@example.com:8443/private/page?token=swordfish#here"
  const text = shown(new Error(`cannot read <${url}>`, { cause: new Error(`of ${url}`) }))
  assert.include(text, "https://example.com:8443/(hidden)")
  assert.notMatch(text, /alice|hunter2|private|swordfish|#here/)
})

it.each(["a private bridge", "a+private+bridge", "a%20private%20bridge", "A PRIVATE BRIDGE"])(
  "hides the query text written as %s",
  (written) => {
    const text = shown(new Error(`no result for ${written} here`, { cause: `also ${written}` }), ["a private bridge"])
    assert.include(text, "no result for (hidden) here")
    assert.notMatch(text, /private/i)
    assert.notMatch(shown({ query: written }, ["a private bridge"]), /private/i)
  }
)

it("leaves words alone that hold a short query text", () => {
  assert.include(shown(new Error("at that place: at"), ["at"]), "(hidden) that place: (hidden)")
})

it("does not take a line of a message for a frame", () => {
  assert.notInclude(shown(new Error("no\n    at private bridge"), ["private bridge"]), "private")
})

it("names the host of a target and nothing else", () => {
  assert.strictEqual(hostNameOf("http://alice:hunter2@Example.com:81/private?q=1"), "example.com")
  assert.strictEqual(hostNameOf("no URL"), "invalid")
})
