import { Effect } from "effect"
import { readFileSync } from "node:fs"
import { round, roundSize } from "./Round.ts"
import { addSeed } from "./Seeds.ts"
import { makeStage, stage } from "./Stage.ts"

/** Mebibytes that a process has in memory (proc(5)). */
const residentOf = (pid: number): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) / 1024

const median = (numbers: ReadonlyArray<number>): number => numbers.toSorted((a, b) => a - b)[numbers.length >> 1] ?? 0

const seconds = Number(process.argv[3] ?? 300)
const firstSeed = Number(process.env["QUARRY_FUZZ_SEED"] ?? Date.now() % 2_000_000_000)

/** `npm run fuzz [-- seconds]`: rounds of requests until the time is up; exit code 1 when an answer was wrong. */
const fuzz = Effect.gen(function* () {
  const { forget, pages, pid, pool, stderr } = yield* makeStage
  const started = performance.now()
  const elapsed = () => (performance.now() - started) / 1_000
  const memory: Array<{ readonly at: number; readonly mb: number }> = []
  let [sent, wrong, seed] = [0, 0, firstSeed]
  let told = 0
  while (elapsed() < seconds) {
    // Two at a time, so that the slow requests at the end of one keep nobody waiting.
    const first = seed
    seed += 2
    const both = yield* Effect.promise(() => Promise.all([first, first + 1].map((one) => round(pool, pages, one))))
    const found = both.flat()
    yield* forget
    for (const each of found.slice(0, 3)) {
      process.stdout.write(`${JSON.stringify(each)}\n`)
      addSeed(each.seed, each.wrong)
    }
    wrong += found.length
    sent += 2 * roundSize
    memory.push({ at: elapsed(), mb: residentOf(pid) })
    if (elapsed() - told > 20) {
      told = elapsed()
      process.stdout.write(
        `${Math.round(told)} s: ${sent} requests, ${wrong} wrong, ${Math.round(residentOf(pid))} MB\n`
      )
    }
  }
  const between = (from: number, to: number) =>
    median(memory.filter(({ at }) => at >= seconds * from && at <= seconds * to).map(({ mb }) => mb))
  // The first quarter fills what is kept: budgets, pages, windows.
  const [before, after] = [between(0.25, 0.45), between(0.8, 1.1)]
  const defects = (yield* stderr).split("\n").filter((line) => /"logLevel":"(?:ERROR|FATAL)"/.test(line))
  for (const line of defects.slice(0, 5)) process.stdout.write(`${line}\n`)
  const grown = after / before - 1
  process.stdout.write(
    `${sent} requests in ${Math.round(elapsed())} s from seed ${firstSeed}, ${wrong} wrong, ${defects.length} errors logged; ` +
      `${Math.round(before)} MB before, ${Math.round(after)} MB after (${(grown * 100).toFixed(1)} %)\n`
  )
  return wrong === 0 && defects.length === 0 && (grown < 0.2 || seconds < 60)
}).pipe(Effect.scoped, Effect.provide(stage))

process.exitCode = (await Effect.runPromise(fuzz)) ? 0 : 1
