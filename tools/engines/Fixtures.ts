import { FileSystem } from "@effect/platform"
import { Effect } from "effect"
import { type SearchKind } from "../../src/domain/SearchKind.ts"
import { type EngineAnswer, firstPage, type Reading } from "../../src/services/engine/Engine.ts"
import { type Asked } from "./Ask.ts"
import { readBody } from "./Way.ts"

/** Where the fixtures are, seen from the root of the project. */
export const usualFolder = "test/engines/fixtures"

const endings = ["html", "json", "xml"] as const

/** The files `<stem>.<html|json|xml>` of an engine that are there. */
export const filesOf = Effect.fnUntraced(function* (folder: string, engine: string, stem: string) {
  const files = yield* FileSystem.FileSystem
  const names = endings.map((ending) => `${stem}.${ending}`)
  return yield* Effect.filter(names, (name) => files.exists(`${folder}/${engine}/${name}`))
})

const bodyOf = Effect.fnUntraced(function* (folder: string, engine: string, stem: string) {
  const files = yield* FileSystem.FileSystem
  const [name] = yield* filesOf(folder, engine, stem)
  return name === undefined ? null : yield* files.readFileString(`${folder}/${engine}/${name}`)
})

/** A fixture's body, and what the engine reads in it now. */
export interface Fixture<K extends SearchKind> {
  readonly body: string
  readonly reading: Reading<K>
}

/** The page of results among an engine's fixtures; null when there is none. */
export const fixtureOf = Effect.fnUntraced(function* <K extends SearchKind>(
  folder: string,
  { engine, kind, query, source }: Asked<K>
) {
  const body = yield* bodyOf(folder, engine.name, kind)
  if (body === null) return null
  const step = yield* bodyOf(folder, engine.name, `${kind}.step`)
  const stepped = step === null ? null : readBody(source, query, firstPage, step)
  const cursor = stepped?._tag === "Step" ? stepped.cursor : firstPage
  const fixture: Fixture<K> = { body, reading: readBody(source, query, cursor, body) }
  return fixture
})

/** `html`, `json` or `xml`, by what the answer says that it is, or else by how it begins. */
export const endingOf = ({ body, headers }: EngineAnswer): (typeof endings)[number] => {
  const type = headers["content-type"] ?? ""
  if (/json/i.test(type) || /^\s*[[{]/.test(body)) return "json"
  return (/xml/i.test(type) && !/xhtml/i.test(type)) || /^\s*<(?:\?xml|rss|feed)/i.test(body) ? "xml" : "html"
}
