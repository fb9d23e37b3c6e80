import { type Row } from "./Check.ts"

const heads = ["engine", "kind", "outcome", "count", "time", "what changed"]

const cellsOf = ({ changes, count, engine, kind, outcome, tookMs }: Row): ReadonlyArray<ReadonlyArray<string>> => [
  [engine, kind, outcome, String(count), `${tookMs} ms`, changes[0] ?? ""],
  ...changes.slice(1).map((change) => ["", "", "", "", "", change])
]

/** Numbers stand to the right. */
const isNumeric = (column: number): boolean => column === 3 || column === 4

/** The rows in columns, one change a line, and how many sources are well. */
export const tableOf = (rows: ReadonlyArray<Row>): string => {
  const lines = [heads, ...rows.flatMap(cellsOf)]
  const widths = heads.map((_, column) => Math.max(...lines.map((cells) => cells[column]?.length ?? 0)))
  const padded = (cells: ReadonlyArray<string>): string =>
    cells
      .map((cell, column) =>
        isNumeric(column) ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0)
      )
      .join("  ")
      .trimEnd()
  const well = rows.filter(({ outcome }) => outcome === "ok").length
  return [...lines.map(padded), "", `${well} of ${rows.length} sources ok`].join("\n")
}
