import { Effect } from "effect"
import { type SearchKind, searchKinds } from "../../src/domain/SearchKind.ts"
import { type Engine } from "../../src/services/engine/Engine.ts"
import { enginesFor } from "../../src/services/engine/catalogue/registry.ts"
import { ask, type Asked } from "./Ask.ts"
import { described, lost, movedTo } from "./Drift.ts"
import { type Fixture, fixtureOf } from "./Fixtures.ts"
import { goneNames, wordsOf } from "./Names.ts"
import { countOf, firstWay, outcomeOf } from "./Way.ts"

/** Of each kind, what every engine of it has something for, in any year. */
const canaries: { readonly [K in SearchKind]: string } = {
  text: "linux kernel",
  images: "red panda",
  videos: "blender",
  news: "climate",
  books: "pride and prejudice"
}

/** How a source does. */
export interface Row {
  readonly engine: string
  readonly kind: SearchKind
  readonly outcome: string
  readonly count: number
  readonly tookMs: number
  readonly changes: ReadonlyArray<string>
}

/** Names that are gone are named, so many. */
const mostNames = 12

/** Outcomes whose page was not what was expected. */
const isMisread = (outcome: string): boolean => outcome === "layout_changed" || outcome === "empty"

const lossesOf = <K extends SearchKind>({ parsed }: Asked<K>, fixture: Fixture<K> | null): ReadonlyArray<string> => {
  if (fixture === null) return ["no fixture to compare with"]
  if (fixture.reading._tag !== "Results") return [`its fixture is read as ${outcomeOf(fixture.reading)}`]
  return parsed._tag === "Results" ? lost(fixture.reading, parsed) : []
}

/** What is different from the fixture, and what came where it could not be read. */
const changesOf = Effect.fnUntraced(function* <K extends SearchKind>(asked: Asked<K>, folder: string) {
  const { engine, exchanges, parsed } = asked
  const fixture = yield* fixtureOf(folder, asked)
  const way = firstWay(asked)
  const page = way.page?.answer ?? null
  const first = way.page === null ? "no answer" : outcomeOf(way.page.reading)
  const losses = lossesOf(asked, fixture)
  const gone =
    page !== null && fixture !== null && (losses.length > 0 || isMisread(first))
      ? goneNames(yield* wordsOf(engine.name), fixture.body, page.body)
      : []
  const last = exchanges.at(-1)?.answer ?? null
  const hosts = new Set(exchanges.map(movedTo).filter((host) => host !== null))
  return [
    ...(way.wasLeft ? [`its first way: ${first}${page === null ? "" : ` (${described(page)})`}`] : []),
    ...losses,
    ...Array.from(hosts, (host) => `redirected to ${host}`),
    ...(parsed._tag === "Results" || last === null ? [] : [described(last)]),
    ...(gone.length === 0
      ? []
      : [`gone: ${gone.slice(0, mostNames).join(", ")}${gone.length > mostNames ? ", …" : ""}`])
  ]
})

const check = Effect.fnUntraced(function* <K extends SearchKind>(engine: Engine, kind: K, folder: string) {
  return yield* Effect.forEach(enginesFor(kind, [engine]), ({ source }) =>
    Effect.gen(function* () {
      const asked = yield* ask(engine, kind, source, canaries[kind])
      const { parsed, tookMs } = asked
      const row: Row = {
        engine: engine.name,
        kind,
        outcome: outcomeOf(parsed),
        count: countOf(parsed),
        tookMs,
        changes: yield* changesOf(asked, folder)
      }
      return row
    })
  )
})

/** Asks every kind of an engine for its canary, one after the other. `folder` holds the fixtures. */
export const checkEngine = (engine: Engine, folder: string) =>
  Effect.map(
    Effect.forEach(searchKinds, (kind) => check(engine, kind, folder)),
    (rows) => rows.flat()
  )
