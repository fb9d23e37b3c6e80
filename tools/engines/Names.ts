import { FileSystem } from "@effect/platform"
import { type AnyNode, hasChildren, isTag } from "domhandler"
import { Effect, Option, Schema } from "effect"
import { htmlPage } from "../../src/services/engine/toolkit/HtmlPage.ts"

const fromJson = Schema.decodeOption(Schema.parseJson())

const namesOfJson = (root: unknown): ReadonlySet<string> => {
  const names = new Set<string>()
  const waiting: Array<unknown> = [root]
  while (waiting.length > 0) {
    const value = waiting.pop()
    if (typeof value !== "object" || value === null) continue
    if (!Array.isArray(value)) for (const name of Object.keys(value)) names.add(name)
    for (const inner of Object.values(value)) waiting.push(inner)
  }
  return names
}

const namesOfMarkup = (root: AnyNode): ReadonlySet<string> => {
  const names = new Set<string>()
  const waiting: Array<AnyNode> = [root]
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (isTag(node)) {
      names.add(node.name)
      for (const [name, value] of Object.entries(node.attribs)) {
        names.add(name)
        if (name === "class" || name === "id") for (const one of value.split(/\s+/)) names.add(one)
      }
    }
    if (hasChildren(node)) for (const child of node.children) waiting.push(child)
  }
  return names
}

/** What an answer is built of: members of JSON; elements, attributes, classes and ids of markup. */
export const namesOf = (body: string): ReadonlySet<string> => {
  const json = fromJson(body)
  if (Option.isSome(json)) return namesOfJson(json.value)
  const page = htmlPage(body)
  return page === null ? new Set() : namesOfMarkup(page)
}

/** The words of an engine's own source, its selectors and members among them. Read from the root of the project. */
export const wordsOf = Effect.fnUntraced(function* (engine: string) {
  const files = yield* FileSystem.FileSystem
  const path = `src/services/engine/catalogue/${engine}`
  const inner = (yield* files.exists(path)) ? yield* files.readDirectory(path) : []
  const texts = yield* Effect.forEach([`${path}.ts`, ...inner.map((name) => `${path}/${name}`)], (file) =>
    files.readFileString(file)
  )
  return new Set(texts.flatMap((text) => text.match(/[A-Za-z_][\w-]*/g) ?? []))
})

/** The names an engine's source speaks of that the fixture has and the live answer has not. */
export const goneNames = (words: ReadonlySet<string>, fixture: string, live: string): ReadonlyArray<string> => {
  const left = namesOf(live)
  return Array.from(namesOf(fixture)).filter((name) => words.has(name) && !left.has(name))
}
