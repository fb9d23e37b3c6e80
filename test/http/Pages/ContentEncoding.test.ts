import { expect, it } from "@effect/vitest"
import { encodingFor } from "../../../src/http/Pages/AcceptEncoding.ts"

it.each([
  [undefined, "identity"],
  ["", "identity"],
  ["identity", "identity"],
  ["gzip", "gzip"],
  ["x-gzip", "gzip"],
  ["gzip, deflate, br, zstd", "br"],
  ["BR", "br"],
  ["*", "br"],
  ["br;q=0, *", "gzip"],
  ["br;q=0.5, gzip;q=0.9", "gzip"],
  ["br; q=1.000 , gzip", "br"],
  ["gzip;q=0.5, identity", "identity"],
  ["gzip;q=0, br;q=0", "identity"],
  ["gzip; q = 0", "identity"],
  ["deflate", "identity"],
  // Nothing that is offered is acceptable: the page is sent as it is.
  ["identity;q=0", "identity"],
  ["*;q=0", "identity"],
  // What is no weight (RFC 9110, section 12.4.2) is no wish.
  ["br;q=2, gzip;q=0.1", "gzip"],
  ["br;q=, gzip", "gzip"],
  [",;,;q=1,gzip,", "gzip"]
])("%s is answered in %s", (field, expected) => {
  expect(encodingFor(field)).toBe(expected)
})
