/**
 * Asks the live engines a canary query of each kind and prints what came of it, beside their fixtures. Exit code 1 when
 * a source is not ok.
 *   npm run engines:check [name ...] [-- --fixtures <folder>]
 */
import { Console, Effect } from "effect"
import { checkEngine } from "./Check.ts"
import { tableOf } from "./Table.ts"
import { commandLine, engineNamed, runTool, usableEngines } from "./Tool.ts"

/** Engines asked at once. */
const atOnce = 6

runTool(
  Effect.gen(function* () {
    const { positionals, values } = yield* commandLine
    const chosen = positionals.length === 0 ? yield* usableEngines : yield* Effect.forEach(positionals, engineNamed)
    const rows = yield* Effect.forEach(new Set(chosen), (engine) => checkEngine(engine, values.fixtures), {
      concurrency: atOnce
    })
    yield* Console.log(tableOf(rows.flat()))
    return rows.flat().every(({ outcome }) => outcome === "ok")
  })
)
