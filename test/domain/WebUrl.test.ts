import { assert, it } from "@effect/vitest"
import { canParseUrl, webUrl } from "../../src/domain/WebUrl.ts"

it("takes characters of Latin-1 after its code is optimized", () => {
  // `URL.canParse` returns false from about the 5,000th call on.
  for (let call = 0; call < 30_000; call++) assert.isTrue(canParseUrl("https://münchen.example/ü"))
  assert.strictEqual(webUrl("https://münchen.example/ü"), "https://xn--mnchen-3ya.example/%C3%BC")
  assert.isFalse(canParseUrl("no URL"))
  assert.isTrue(canParseUrl("/path", "https://a.example/"))
})
