import { describe, expect, it } from "@effect/vitest"
import * as FastCheck from "effect/FastCheck"
import { isoOfMillis, isoOfSeconds, isoOfText, oldestWithin } from "../../src/domain/Dates.ts"

const now = Date.UTC(2026, 6, 31, 12, 30)
const iso = (text: string) => isoOfText(text, now)

describe("isoOfText", () => {
  it("resolves relative dates against the clock", () => {
    expect(iso("5 hours ago")).toBe("2026-07-31T07:30:00.000Z")
    expect(iso("5h")).toBe("2026-07-31T07:30:00.000Z")
    expect(iso("20 mins ago")).toBe("2026-07-31T12:10:00.000Z")
    expect(iso("1 day ago · ")).toBe("2026-07-30T12:30:00.000Z")
    expect(iso("3d")).toBe("2026-07-28T12:30:00.000Z")
    expect(iso("2 weeks ago -")).toBe("2026-07-17T12:30:00.000Z")
    expect(iso("an hour ago")).toBe("2026-07-31T11:30:00.000Z")
    expect(iso("1 month ago")).toBe("2026-06-30T12:30:00.000Z")
    expect(iso("5 months ago")).toBe("2026-02-28T12:30:00.000Z")
    expect(iso("2 years ago")).toBe("2024-07-31T12:30:00.000Z")
    expect(iso("yesterday")).toBe("2026-07-30T12:30:00.000Z")
    expect(iso("Just now")).toBe("2026-07-31T12:30:00.000Z")
  })

  it("reads the dates that engines write", () => {
    const day = (text: string) => iso(text)?.slice(0, 10)
    expect(day("July 8, 2024")).toBe("2024-07-08")
    expect(day("Dec 13, 2024 -")).toBe("2024-12-13")
    expect(day("Sep 20, 2026 · ")).toBe("2026-09-20")
    expect(day("Jul 16, 2025\u00a0·\u00a0")).toBe("2025-07-16")
    expect(day("2 Sep 2014 ... ")).toBe("2014-09-02")
    expect(day("02.08.2025 ...")).toBe("2025-08-02")
    expect(day("20.08.2025 — ")).toBe("2025-08-20")
    expect(day("12/31/2025")).toBe("2025-12-31")
    expect(iso("Sat, 30 May 2026 07:00:00 GMT")).toBe("2026-05-30T07:00:00.000Z")
    expect(iso("Sat, 30 May 2026 07:00:00 +0200")).toBe("2026-05-30T05:00:00.000Z")
    expect(iso("2026-03-02T00:00:00.0000000")).toBe("2026-03-02T00:00:00.000Z")
    expect(iso("2024-05-11T08:12:13.456Z")).toBe("2024-05-11T08:12:13.456Z")
    expect(iso("2024-05-11 08:12+02:00")).toBe("2024-05-11T06:12:00.000Z")
    expect(iso("2024-05-11")).toBe("2024-05-11T00:00:00.000Z")
  })

  it("makes nothing of anything else", () => {
    for (const text of [
      "",
      "soon",
      "31.02.2025",
      "13/45/2025",
      "Foo 3, 2024",
      "2024-13-01",
      "5 parsecs ago",
      "99999 days ago",
      "x".repeat(1000),
      "Mon, 99 Foo 2024 07:00 GMT"
    ]) {
      expect(iso(text)).toBeNull()
    }
    expect(isoOfText(null, now)).toBeNull()
  })

  it("is ISO 8601 UTC or null, for any text", () => {
    FastCheck.assert(
      FastCheck.property(FastCheck.string(), FastCheck.integer({ min: 0, max: 4e12 }), (text, clock) => {
        expect(isoOfText(text, clock) ?? "1970-01-01T00:00:00.000Z").toMatch(
          /^[+-]?\d{4,6}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/
        )
      })
    )
  })
})

it("takes Unix times, and none that no date can hold", () => {
  expect(isoOfSeconds(1_672_531_200)).toBe("2023-01-01T00:00:00.000Z")
  expect(isoOfMillis(1_672_531_200_000)).toBe("2023-01-01T00:00:00.000Z")
  for (const bad of [Number.NaN, Infinity, 1e300, null, undefined]) expect(isoOfSeconds(bad)).toBeNull()
})

it("reaches back as far as a time limit says", () => {
  expect(isoOfMillis(oldestWithin("d", now))).toBe("2026-07-30T12:30:00.000Z")
  expect(isoOfMillis(oldestWithin("m", now))).toBe("2026-06-30T12:30:00.000Z")
})
