import { assert, it } from "@effect/vitest"
import { headersOf } from "../../../../../src/services/engine/runtime/client/Persona.ts"
import { type EngineRequest } from "../../../../../src/services/engine/Engine.ts"

const page: EngineRequest = { method: "GET", url: "https://engine.test/", persona: "browser", follow: false }

const names = (request: EngineRequest) => headersOf(request).map(([name]) => name)

it("a browser sends its whole set, in its order", () => {
  assert.deepStrictEqual(names(page), [
    "User-Agent",
    "Accept",
    "Accept-Language",
    "Accept-Encoding",
    "Upgrade-Insecure-Requests",
    "Sec-Fetch-Dest",
    "Sec-Fetch-Mode",
    "Sec-Fetch-Site",
    "Sec-Fetch-User"
  ])
  const headers = new Map(headersOf(page))
  assert.match(headers.get("User-Agent") ?? "", /^Mozilla\/5\.0 .* Chrome\/\d+\.0\.0\.0 Safari\/537\.36$/)
  assert.strictEqual(headers.get("Sec-Fetch-Site"), "none")
  assert.strictEqual(headers.get("Accept-Encoding"), "gzip, deflate, br")
})

it("a form comes from the engine's own page, its type and the cookies after everything else", () => {
  const request: EngineRequest = { ...page, method: "POST", form: [["q", "a"]], cookies: { kl: "us-en", p: "-1" } }
  assert.deepStrictEqual(headersOf(request).slice(-5), [
    ["Sec-Fetch-Mode", "navigate"],
    ["Sec-Fetch-Site", "same-origin"],
    ["Sec-Fetch-User", "?1"],
    ["Content-Type", "application/x-www-form-urlencoded"],
    ["Cookie", "kl=us-en; p=-1"]
  ])
})

it("a script sends what fetch sends, and nothing of a navigation", () => {
  const headers = new Map(headersOf({ ...page, persona: "script" }))
  assert.match(headers.get("User-Agent") ?? "", /Chrome/)
  assert.strictEqual(headers.get("Sec-Fetch-Mode"), "cors")
  assert.isFalse(headers.has("Upgrade-Insecure-Requests") || headers.has("Sec-Fetch-User"))
})

it("a program says who it is", () => {
  const headers = new Map(headersOf({ ...page, persona: "program" }))
  assert.match(headers.get("User-Agent") ?? "", /^Quarry\/[\d.]+ \(\+https:\/\/\S+\)$/)
  assert.match(headers.get("Accept") ?? "", /^application\/json/)
  assert.isFalse(headers.has("Sec-Fetch-Mode"))
})

it("the engine's headers win, in the place and not the letter case of what they replace", () => {
  const headers = headersOf({
    ...page,
    headers: { accept: "*/*", "ACCEPT-LANGUAGE": "de-DE", Referer: "https://engine.test/", "X-Last": "1" }
  })
  assert.deepStrictEqual(headers.slice(1, 3), [
    ["accept", "*/*"],
    ["ACCEPT-LANGUAGE", "de-DE"]
  ])
  assert.deepStrictEqual(headers.slice(-2), [
    ["Referer", "https://engine.test/"],
    ["X-Last", "1"]
  ])
  assert.strictEqual(headers.length, 11)
})
