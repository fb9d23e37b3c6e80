import { expect, it } from "@effect/vitest"
import { countOf, secondsOf } from "../../src/services/engine/toolkit/Figures.ts"
import { withoutDate } from "../../src/services/engine/toolkit/Snippet.ts"
import { now } from "./Asking.ts"

it("lengths are minutes and seconds, with hours in front", () => {
  expect(["42:46", " 1:02:05 ", "00:07", "0:00", "LIVE", "1:2", "", null].map(secondsOf)).toEqual([
    ...[2_566, 3_725, 7],
    ...[null, null, null, null, null]
  ])
})

it("counts are English numbers, shortened or not", () => {
  expect(["119.3K views", "65,696,000+ views", "1.2M", "7", "20.7万", "views", "9GAG", "", null].map(countOf)).toEqual([
    ...[119_300, 65_696_000, 1_200_000, 7],
    ...[null, null, null, null, null]
  ])
})

it("snippets lose the date in front, and nothing else", () => {
  const cut = (text: string) => withoutDate(text, now)
  expect(cut("Jul 16, 2025 · Drinking caffeine")).toBe("Drinking caffeine")
  expect(cut("5 days ago\u00a0· How")).toBe("How")
  expect(cut("20.08.2025 — Wie")).toBe("Wie")
  for (const text of ["Today - a film", "Chapter 2 - The end", "Well-known · 2 things", ""])
    expect(cut(text)).toBe(text)
})
