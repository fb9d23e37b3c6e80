import { expect, it } from "vitest"
import { retryAfterMs } from "../../../src/services/http-client/RetryAfter.ts"

const now = Date.UTC(2026, 10, 20, 12, 0, 0)

it.each([
  ["120", 120_000],
  [" 7 ", 7_000],
  ["Fri, 20 Nov 2026 12:05:00 GMT", 300_000],
  ["Friday, 20-Nov-26 12:05:00 GMT", 300_000]
])("reads %s", (header, ms) => {
  expect(retryAfterMs(header, now)).toBe(ms)
})

it.each([undefined, "", "0", "-5", "1.5", "soon", "soon GMT", "Fri, 20 Nov 2026 11:55:00 GMT"])(
  "finds no time to come in %s",
  (header) => {
    expect(retryAfterMs(header, now)).toBeNull()
  }
)
