import { assert, it } from "@effect/vitest"
import { redirected } from "../../../../../src/services/engine/runtime/client/RedirectPolicy.ts"
import { type Request } from "../../../../../src/services/http-client/Response.ts"

const get: Request = { method: "GET", url: new URL("https://html.engine.test/a?b"), headers: [["A", "b"]], body: null }
const post: Request = {
  ...get,
  method: "POST",
  headers: [
    ["A", "b"],
    ["content-type", "application/x-www-form-urlencoded"]
  ],
  body: "q=a"
}

const target = (location: string | undefined, status = 302) => redirected(get, status, location)?.url.href ?? null

it.each([
  ["/c", "https://html.engine.test/c"],
  ["https://engine.test/", "https://engine.test/"],
  ["https://www.engine.test/", "https://www.engine.test/"],
  ["https://a.html.engine.test/", "https://a.html.engine.test/"],
  ["https://HTML.ENGINE.TEST:8443/", "https://html.engine.test:8443/"]
])("%s is on the engine's site", (location, url) => {
  assert.strictEqual(target(location), url)
})

it.each([
  "https://engine.example/",
  "https://otherengine.test/",
  "https://engine.test.evil.example/",
  "http://html.engine.test/",
  "https://user@html.engine.test/",
  "https://127.0.0.1/",
  "javascript:alert(1)",
  "https://[",
  ""
])("%s is not", (location) => {
  assert.isNull(target(location))
})

it("only a redirect is one", () => {
  assert.isNull(target("/c", 200))
  assert.isNull(target("/c", 304))
  assert.isNull(target(undefined))
})

it.each([301, 302, 303])("a form is not sent again after a %i", (status) => {
  const next = redirected(post, status, "/c")
  assert.deepStrictEqual([next?.method, next?.body, next?.headers], ["GET", null, [["A", "b"]]])
})

it.each([307, 308])("a form is sent again after a %i", (status) => {
  const next = redirected(post, status, "/c")
  assert.deepStrictEqual([next?.method, next?.body, next?.headers], ["POST", "q=a", post.headers])
})
