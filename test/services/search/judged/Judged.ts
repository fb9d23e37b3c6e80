import { Schema } from "effect"
import { readdirSync, readFileSync } from "node:fs"
import { resolve } from "node:path"
import { type RawResult } from "../../../../src/domain/ResultItem.ts"
import { enginesFor } from "../../../../src/services/engine/catalogue/registry.ts"
import { fuse, type RankedList } from "../../../../src/services/search/Fusion.ts"
import { kinds } from "../../../../src/services/search/Kinds.ts"
import { contradicts } from "../../../../src/services/search/Language.ts"
import { indexOf } from "../../../../src/services/search/Plan.ts"
import { itemsOf, query, read } from "../../../engines/Asking.ts"
import { type Grades, normalizedGain, precision } from "./Gain.ts"

const Judged = Schema.parseJson(
  Schema.Struct({
    query: Schema.NonEmptyString,
    answers: Schema.NonEmptyArray(Schema.Struct({ engine: Schema.String, fixture: Schema.String })),
    judged: Schema.NonEmptyArray(
      Schema.Struct({
        grade: Schema.Int.pipe(Schema.between(0, 3)),
        urls: Schema.NonEmptyArray(Schema.String),
        why: Schema.String
      })
    )
  })
)

/** From the project's folder: a bundle has another place than its sources. */
const folder = resolve("test/services/search/judged")
const fixtures = resolve("test/engines/fixtures")

export interface JudgedQuery {
  readonly query: string
  /** In the order of the registry. */
  readonly lists: ReadonlyArray<RankedList<"text">>
  readonly judged: typeof Judged.Type.judged
}

export const judgedQueries: ReadonlyArray<JudgedQuery> = readdirSync(folder)
  .filter((name) => name.endsWith(".json"))
  .map((name) => {
    const { answers, judged, query: text } = Schema.decodeSync(Judged)(readFileSync(resolve(folder, name), "utf8"))
    const lists = enginesFor("text").flatMap((candidate) => {
      const { engine, source } = candidate
      const answer = answers.find((one) => one.engine === engine.name)
      if (answer === undefined) return []
      const body = readFileSync(resolve(fixtures, answer.fixture), "utf8")
      const items = itemsOf(read(source, body, {}, query({ text })))
      return [{ engine: engine.name, index: indexOf({ kind: "text", ...candidate }), weight: source.weight, items }]
    })
    if (lists.length !== answers.length) throw new Error(`${name} names an engine that there is not.`)
    return { query: text, lists, judged }
  })

/** Grades of a list; a page that was there before is worth nothing. */
const gradesOf = (items: ReadonlyArray<RawResult<"text">>, { judged, query: text }: JudgedQuery): Grades => {
  const shown = new Set<unknown>()
  return items.map(({ url }) => {
    const judgement = judged.find(({ urls }) => urls.includes(url))
    if (judgement === undefined) throw new Error(`${url} is not judged for "${text}".`)
    const isRepeated = shown.has(judgement)
    shown.add(judgement)
    return isRepeated ? 0 : judgement.grade
  })
}

/** Both from 0 to 1, of the first ten. */
export interface Worth {
  readonly gain: number
  readonly precision: number
}

const worthOf = (items: ReadonlyArray<RawResult<"text">>, judged: JudgedQuery): Worth => {
  const grades = gradesOf(items, judged)
  const all = judged.judged.map(({ grade }) => grade)
  return { gain: normalizedGain(grades, all), precision: precision(grades) }
}

/** An engine's list as the engine gave it. */
export const worthOfOne = ({ items }: RankedList<"text">, judged: JudgedQuery): Worth => worthOf(items, judged)

/** What a search under `auto` would show of these lists. */
export const worthOfFused = (lists: ReadonlyArray<RankedList<"text">>, judged: JudgedQuery): Worth => {
  const isForeign = contradicts(query().region, judged.query)
  const fused = fuse(kinds.text, lists, (found) => isForeign(kinds.text.said(found)))
  return worthOf(
    fused.map(({ found }) => found),
    judged
  )
}

/** An engine alone: as it gave its list, or as Quarry puts foreign results behind, whatever is better. */
const worthAlone = (list: RankedList<"text">, judged: JudgedQuery): Worth => {
  const own = worthOfOne(list, judged)
  const searched = worthOfFused([list], judged)
  return searched.gain > own.gain ? searched : own
}

/** All choices of so many of the given, in their order. */
export const choices = <A>(given: ReadonlyArray<A>, size: number): ReadonlyArray<ReadonlyArray<A>> =>
  size === 0
    ? [[]]
    : given.flatMap((first, index) => choices(given.slice(index + 1), size - 1).map((rest) => [first, ...rest]))

export const mean = (values: ReadonlyArray<number>): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length

/** A fusion of some engines of a query beside the best and the mean of these alone. */
export interface Compared {
  readonly query: string
  readonly engines: ReadonlyArray<string>
  readonly fused: Worth
  readonly best: Worth
  readonly mean: Worth
}

const over = (worths: ReadonlyArray<Worth>, of: (values: ReadonlyArray<number>) => number): Worth => ({
  gain: of(worths.map(({ gain }) => gain)),
  precision: of(worths.map((worth) => worth.precision))
})

/** Every choice of so many engines of a query. */
export const compare = (judged: JudgedQuery, size: number): ReadonlyArray<Compared> =>
  choices(judged.lists, size).map((lists) => {
    const worths = lists.map((list) => worthAlone(list, judged))
    return {
      query: judged.query,
      engines: lists.map(({ engine }) => engine),
      fused: worthOfFused(lists, judged),
      best: over(worths, (values) => Math.max(...values)),
      mean: over(worths, mean)
    }
  })
