/**
 * What fusion is worth: nDCG@10 and precision@10 of the fused list beside each engine's own, on the judged queries
 * (`test/services/search/judged`), and the engine searched alone, where Quarry does no more than to put foreign results
 * behind; then of every two and three engines beside the best of these, which nobody knows
 * beforehand, and beside their mean, which is what taking one of them blindly gives.
 *   npm run bench:fusion
 */
import {
  compare,
  judgedQueries,
  mean,
  type Worth,
  worthOfFused,
  worthOfOne
} from "../test/services/search/judged/Judged.ts"

const shown = (value: number): string => value.toFixed(3)
const columns = ({ gain, precision }: Worth) => ({ "nDCG@10": shown(gain), "P@10": shown(precision) })

console.table(
  judgedQueries.flatMap((judged) => [
    ...judged.lists.map((list) => ({
      query: judged.query,
      list: list.engine,
      index: list.index,
      weight: list.weight,
      ...columns(worthOfOne(list, judged)),
      "searched alone": shown(worthOfFused([list], judged).gain)
    })),
    { query: judged.query, list: "fused", ...columns(worthOfFused(judged.lists, judged)) }
  ])
)

const pooled = judgedQueries.filter(({ lists }) => lists.length > 1)
const best = pooled.map((judged) => Math.max(...judged.lists.map((list) => worthOfOne(list, judged).gain)))
const fused = pooled.map((judged) => worthOfFused(judged.lists, judged).gain)
console.log(
  `Mean nDCG@10 over the ${pooled.length} queries of several engines: fused ${shown(mean(fused))}, ` +
    `the best engine of each ${shown(mean(best))}.\n`
)

console.table(
  pooled.flatMap((judged) =>
    [2, 3].map((size) => {
      const compared = compare(judged, size)
      const gap = (of: keyof Worth, to: "best" | "mean") => compared.map((one) => one.fused[of] - one[to][of])
      return {
        query: judged.query,
        engines: size,
        choices: compared.length,
        "nDCG@10": shown(mean(compared.map((one) => one.fused.gain))),
        "to best, mean": shown(mean(gap("gain", "best"))),
        "to best, worst": shown(Math.min(...gap("gain", "best"))),
        "to mean, mean": shown(mean(gap("gain", "mean"))),
        "to mean, worst": shown(Math.min(...gap("gain", "mean"))),
        "P@10": shown(mean(compared.map((one) => one.fused.precision))),
        "P@10 to best": shown(mean(gap("precision", "best")))
      }
    })
  )
)

console.table(
  pooled.flatMap((judged) =>
    [2, 3].flatMap((size) =>
      compare(judged, size).map((one) => ({
        engines: one.engines.join(" "),
        ...columns(one.fused),
        "best nDCG@10": shown(one.best.gain),
        "best P@10": shown(one.best.precision)
      }))
    )
  )
)
