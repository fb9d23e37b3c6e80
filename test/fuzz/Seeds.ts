import { Schema } from "effect"
import { readFileSync, writeFileSync } from "node:fs"

const file = "test/fuzz/seeds.json"

const Seeds = Schema.parseJson(
  Schema.Array(
    Schema.Struct({ seed: Schema.Number, found: Schema.String.annotations({ description: "What it showed." }) })
  ),
  { space: 2 }
)

/** Seeds whose rounds once went wrong, each with what was wrong. They are run again by `fuzz.test.ts`. */
export const readSeeds = () => Schema.decodeSync(Seeds)(readFileSync(file, "utf8"))

export const addSeed = (seed: number, found: string): void => {
  const known = readSeeds()
  if (known.some((one) => one.seed === seed)) return
  writeFileSync(file, `${Schema.encodeSync(Seeds)([...known, { seed, found }])}\n`)
}
