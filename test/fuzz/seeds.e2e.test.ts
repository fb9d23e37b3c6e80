import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { isSlow, sample } from "../support/Cases.ts"
import { round, roundSize } from "./Round.ts"
import { readSeeds } from "./Seeds.ts"
import { makeStage, stage } from "./Stage.ts"

it.live(
  "requests of the seeds that once found something are answered as they should be",
  () =>
    Effect.gen(function* () {
      const { pages, pool, stderr } = yield* makeStage
      for (const { found, seed } of sample(readSeeds())) {
        expect(
          yield* Effect.promise(() => round(pool, pages, seed, isSlow ? roundSize : 100)),
          `seed ${seed}: ${found}`
        ).toEqual([])
      }
      expect(yield* stderr).not.toMatch(/"logLevel":"(?:ERROR|FATAL)"/)
    }).pipe(Effect.scoped, Effect.provide(stage)),
  120_000
)
