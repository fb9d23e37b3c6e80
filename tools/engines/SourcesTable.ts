/** A line of an engine's `SOURCES.md`. */
export interface SourceRow {
  readonly file: string
  readonly form: string
  readonly source: string
  readonly licence: string
  /** YYYY-MM-DD. */
  readonly date: string
}

const head = "| file | kind of fixture | source | licence | date |\n|---|---|---|---|---|\n"

const cell = (text: string): string => text.replace(/\s+/g, " ").replaceAll("|", "\\|")

const lineOf = ({ date, file, form, licence, source }: SourceRow): string =>
  `| ${[file, form, source, licence, date].map(cell).join(" | ")} |`

const fileIn = (line: string): string | null => /^\| (\S+\.\S+) \|/.exec(line)?.[1] ?? null

/** The table with a row added in its place by name, or changed; a table of its own where there was none. */
export const withRow = (table: string | null, row: SourceRow): string => {
  const lines = (table ?? head).trimEnd().split("\n")
  const at = lines.findIndex((line) => fileIn(line) === row.file)
  if (at >= 0) return `${lines.with(at, lineOf(row)).join("\n")}\n`
  const files = lines.map(fileIn)
  const after = files.findIndex((file) => file !== null && file > row.file)
  const last = files.findLastIndex((file) => file !== null)
  const index = after >= 0 ? after : last >= 0 ? last + 1 : lines.length
  return `${lines.toSpliced(index, 0, lineOf(row)).join("\n")}\n`
}

/** The table without the row of a file. */
export const withoutRow = (table: string, file: string): string =>
  table
    .split("\n")
    .filter((line) => fileIn(line) !== file)
    .join("\n")
