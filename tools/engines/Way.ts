import { type SearchKind } from "../../src/domain/SearchKind.ts"
import { readAnswer } from "../../src/services/engine/runtime/ParsedAnswer.ts"
import {
  type Cursor,
  type EngineAnswer,
  type EngineQuery,
  firstPage,
  type Reading,
  type Source
} from "../../src/services/engine/Engine.ts"
import { type Asked } from "./Ask.ts"

/** An answer with the cursor that it was asked for with, and what it means. */
export interface Read<K extends SearchKind> {
  readonly answer: EngineAnswer
  readonly method: "GET" | "POST"
  readonly cursor: Cursor
  readonly reading: Reading<K>
}

/** The way an engine was asked in first: the answers that were steps, then the page; null where none came. */
export interface FirstWay<K extends SearchKind> {
  readonly steps: ReadonlyArray<Read<K>>
  readonly page: Read<K> | null
  /** Whether the source's other way was tried after it. */
  readonly wasLeft: boolean
}

/** Reads the exchanges again, as the service did, to tell which was what. */
export const firstWay = <K extends SearchKind>({ exchanges, query, source }: Asked<K>): FirstWay<K> => {
  const steps: Array<Read<K>> = []
  let cursor = firstPage
  for (const [index, { answer, request }] of exchanges.entries()) {
    const wasLeft = index + 1 < exchanges.length
    if (answer === null) return { steps, page: null, wasLeft }
    const read = { answer, method: request.method, cursor, reading: readAnswer(source, answer, query, cursor) }
    if (read.reading._tag !== "Step") return { steps, page: read, wasLeft }
    steps.push(read)
    cursor = read.reading.cursor
  }
  return { steps, page: null, wasLeft: false }
}

/** What a body alone means, as fixtures are read: under 200 and without headers. */
export const readBody = <K extends SearchKind>(
  source: Source<K>,
  query: EngineQuery<K>,
  cursor: Cursor,
  body: string
): Reading<K> => {
  const { url } = source.request(query, cursor)
  return readAnswer(source, { status: 200, headers: {}, url, body }, query, cursor)
}

/** `ok`, `empty`, `step` or the fault. */
export const outcomeOf = <K extends SearchKind>(reading: Reading<K>): string => {
  if (reading._tag === "Fault") return reading.fault
  return reading._tag === "Results" ? "ok" : reading._tag.toLowerCase()
}

export const countOf = <K extends SearchKind>(reading: Reading<K>): number =>
  reading._tag === "Results" ? reading.items.length : 0
