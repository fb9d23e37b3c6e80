import { expect, it } from "@effect/vitest"
import { withoutRow, withRow } from "../../tools/engines/SourcesTable.ts"

const row = { file: "text.html", form: "captured", source: "https://a.example/", licence: "own", date: "2026-01-02" }
const line = "| text.html | captured | https://a.example/ | own | 2026-01-02 |"
const head = "| file | kind of fixture | source | licence | date |\n|---|---|---|---|---|\n"
const other = (file: string) => `| ${file} | made | here | MIT | 2026-01-01 |\n`

it("begins a table, adds by name, changes in place, and leaves the rest alone", () => {
  expect(withRow(null, row)).toBe(`${head}${line}\n`)
  const [before, after] = [other("images.json"), other("videos.json")]
  expect(withRow(`${head}${before}${after}`, row)).toBe(`${head}${before}${line}\n${after}`)
  expect(withRow(`${head}${before}\nA remark.\n`, row)).toBe(`${head}${before}${line}\n\nA remark.\n`)
  expect(withRow(`${head}${other("text.html")}${after}`, row)).toBe(`${head}${line}\n${after}`)
})

it("keeps a cell one cell", () => {
  expect(withRow(null, { ...row, source: "a | b\nc" })).toContain("| a \\| b c |")
})

it("takes a row out", () => {
  expect(withoutRow(`${head}${line}\n${other("videos.json")}`, "text.html")).toBe(`${head}${other("videos.json")}`)
})
