import { FileSystem } from "@effect/platform"
import { Clock, Console, Effect } from "effect"
import { type SearchKind } from "../../src/domain/SearchKind.ts"
import { type Engine, type Reading } from "../../src/services/engine/Engine.ts"
import { enginesFor } from "../../src/services/engine/catalogue/registry.ts"
import { Settings } from "../../src/services/settings/Settings.ts"
import { ask, type Asked } from "./Ask.ts"
import { endingOf, filesOf } from "./Fixtures.ts"
import { hidden } from "./Hidden.ts"
import { type SourceRow, withoutRow, withRow } from "./SourcesTable.ts"
import { countOf, firstWay, outcomeOf, type Read, readBody } from "./Way.ts"

/** Where captures go, and whether over those that are there. */
export interface Target {
  readonly folder: string
  readonly force: boolean
}

/** A file to write. `also` are those of its name with another ending, which it takes the place of. */
interface Page {
  readonly stem: string
  readonly body: string
  readonly row: SourceRow
  /** What it means when read as a fixture. */
  readonly alone: string
  readonly there: ReadonlyArray<string>
}

/** What a page is called among the fixtures; null for an answer that makes no fixture. One to repair is one of results. */
const variantOf = <K extends SearchKind>(reading: Reading<K>): string | null => {
  switch (reading._tag) {
    case "Results":
      return ""
    case "Empty":
      return ".empty"
    case "Step":
      return ".step"
    case "Fault":
      return reading.fault === "layout_changed" ? "" : reading.fault === "blocked" ? ".block" : null
  }
}

const pageOf = Effect.fnUntraced(function* <K extends SearchKind>(
  { engine, kind, query, source }: Asked<K>,
  { answer, cursor, method, reading }: Read<K>,
  { folder }: Target
) {
  const { engineKeys } = yield* Settings
  const variant = variantOf(reading)
  if (variant === null || answer.body.trim() === "") return null
  const stem = `${kind}${variant}`
  const ending = endingOf(answer)
  const body = hidden(answer.body, engineKeys)
  const whole = ending === "html" ? "full page" : "full response"
  const today = new Date(yield* Clock.currentTimeMillis).toISOString().slice(0, 10)
  const url = hidden(answer.url, engineKeys).replaceAll("|", "%7C")
  const page: Page = {
    stem,
    body,
    row: {
      file: `${stem}.${ending}`,
      form: `captured (${whole}${body === answer.body ? "" : "; a key hidden"})`,
      source: method === "GET" ? url : `POST ${url}, query "${hidden(query.text, engineKeys)}"`,
      licence: "the engine's own content",
      date: today
    },
    alone: outcomeOf(readBody(source, query, cursor, body)),
    there: yield* filesOf(folder, engine.name, stem)
  }
  return page
})

const write = Effect.fnUntraced(function* (folder: string, { body, row, there }: Page) {
  const files = yield* FileSystem.FileSystem
  yield* files.makeDirectory(folder, { recursive: true })
  const stale = there.filter((name) => name !== row.file)
  for (const name of stale) yield* files.remove(`${folder}/${name}`)
  yield* files.writeFileString(`${folder}/${row.file}`, body)
  const list = `${folder}/SOURCES.md`
  const table = (yield* files.exists(list)) ? yield* files.readFileString(list) : null
  const kept = stale.reduce((text, name) => (text === null ? null : withoutRow(text, name)), table)
  yield* files.writeFileString(list, withRow(kept, row))
})

/** What is written, in words. A page that is another thing without its status and headers makes no good fixture. */
const told = ({ alone, row }: Page, outcome: string): string =>
  `wrote ${row.file}${alone === outcome ? "" : ` (its body alone is read as ${alone})`}`

/** Writes what came in the source's first way. Answers what it did, and whether something was written. */
const save = Effect.fnUntraced(function* <K extends SearchKind>(asked: Asked<K>, target: Target) {
  const { page, steps } = firstWay(asked)
  if (page === null) return { isSaved: false, said: ["nothing to write: no page came in its first way"] }
  const main = yield* pageOf(asked, page, target)
  if (main === null) return { isSaved: false, said: [`nothing to write of a page that is ${outcomeOf(page.reading)}`] }
  const last = steps.at(-1)
  const step = last === undefined ? null : yield* pageOf(asked, last, target)
  // A step that is told by its status or headers cannot be a fixture.
  const pages = step?.alone === "step" ? [step, main] : [main]
  const there = pages.flatMap((one) => one.there)
  if (there.length > 0 && !target.force)
    return { isSaved: false, said: [`${there.join(", ")}: there already; -- --force`] }
  const folder = `${target.folder}/${asked.engine.name}`
  yield* Effect.forEach(pages, (one) => write(folder, one), { discard: true })
  return { isSaved: true, said: pages.map((one) => told(one, one === main ? outcomeOf(page.reading) : "step")) }
})

/** Asks an engine for its first page of a kind, saves what came, and says what it was. Answers whether all was saved. */
export const capture = Effect.fn("capture")(function* <K extends SearchKind>(
  engine: Engine,
  kind: K,
  text: string,
  target: Target
) {
  const saved = yield* Effect.forEach(enginesFor(kind, [engine]), ({ source }) =>
    Effect.gen(function* () {
      const asked = yield* ask(engine, kind, source, text)
      const { isSaved, said } = yield* save(asked, target)
      const came = `${engine.name} ${kind}: ${outcomeOf(asked.parsed)}, ${countOf(asked.parsed)} results`
      const { page, wasLeft } = firstWay(asked)
      const way = wasLeft ? [`its first way: ${page === null ? "no answer" : outcomeOf(page.reading)}`] : []
      yield* Console.log([came, ...way, ...said].join("; "))
      return isSaved
    })
  )
  return saved.every((isSaved) => isSaved)
})
