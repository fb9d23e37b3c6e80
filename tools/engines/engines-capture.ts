/**
 * Saves what a live engine answers as its fixture: `<kind>`, `<kind>.empty` or `<kind>.block` by what it is, the step
 * before it as `<kind>.step`, with their rows in SOURCES.md. Exit code 1 when something was not saved.
 *   npm run engines:capture <name> "query" [kind] [-- --force] [--fixtures <folder>]
 */
import { Effect } from "effect"
import { searchKinds } from "../../src/domain/SearchKind.ts"
import { capture } from "./Capture.ts"
import { commandLine, engineNamed, runTool, WrongUse } from "./Tool.ts"

const use = new WrongUse({ message: 'use: npm run engines:capture <name> "query" [kind] [-- --force]' })

runTool(
  Effect.gen(function* () {
    const { positionals, values } = yield* commandLine
    const [name = "", given = "", kind, ...more] = positionals
    const text = given.trim()
    if (name === "" || text === "" || more.length > 0) return yield* use
    const engine = yield* engineNamed(name)
    const all = searchKinds.filter((one) => engine.sources[one] !== undefined)
    const kinds = kind === undefined ? all : all.filter((one) => one === kind)
    if (kinds.length === 0)
      return yield* new WrongUse({ message: `${engine.name} has no ${kind}; it has ${all.join(", ")}` })
    const target = { folder: values.fixtures, force: values.force }
    const saved = yield* Effect.forEach(kinds, (one) => capture(engine, one, text, target))
    return saved.every((isSaved) => isSaved)
  })
)
