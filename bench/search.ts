/**
 * What Quarry adds to the engines' own time: searches of the built service, through its proxy and over TLS, of a test
 * web whose engines answer after set delays with up to thirty results. Each query is new, so nothing is kept. Prints the
 * median and the 90th percentile of what is left of an answer's time after the slowest engine that it needed.
 *   npm run build && npm run bench:search [services]
 */
import { Console, Effect, Schema } from "effect"
import { type SearchKind, searchKinds } from "../src/domain/SearchKind.ts"
import { quarry } from "../test/support/Quarry.ts"
import { Server } from "../test/support/Server.ts"
import { TestWeb } from "../test/support/TestWeb.ts"
import * as Behaviour from "../test/support/upstream/Behaviour.ts"
import { isUpstream, upstreams } from "../test/support/upstream/sites.ts"

/** Milliseconds; engines take these in turn. */
const delays = [120, 60, 200, 90, 150] as const

/**
 * Searches of one kind at one service. The first ones open the connections, let the code be optimised and use up the
 * bursts of engines that tolerate few requests; those are `paced` from then on and cost no time. They are not counted.
 */
const searches = { warm: 15, counted: 10 } as const

const Answer = Schema.Struct({
  results_count: Schema.Number,
  sources: Schema.Array(Schema.Struct({ engine: Schema.String, outcome: Schema.String }))
})

const delayOf = (engine: string): number =>
  isUpstream(engine) ? (delays[upstreams.indexOf(engine) % delays.length] ?? 0) : 0

const get = (url: string) =>
  Effect.flatMap(
    Effect.promise(async (): Promise<unknown> => (await fetch(url)).json()),
    Schema.decodeUnknown(Answer)
  )

/** Milliseconds beyond the slowest engine asked, of searches of one kind at a service of its own. */
const overheads = (kind: SearchKind, round: number) =>
  Effect.gen(function* () {
    const { baseUrl } = yield* Server
    const web = yield* TestWeb
    for (const engine of upstreams) yield* web.behave(engine, Behaviour.slow(delayOf(engine), Behaviour.generated(30)))
    const measured: Array<{ readonly kind: string; readonly ms: number; readonly engines: number }> = []
    for (let search = 0; search < searches.warm + searches.counted; search += 1) {
      yield* web.forget
      const started = performance.now()
      const { results_count, sources } = yield* get(`${baseUrl}/api/search/${kind}?q=bridge+${round}-${search}`)
      const took = performance.now() - started
      // What an engine really took, its lateness included; one that wants a step first is asked twice in turn.
      const requests = yield* web.requests()
      const timeOf = (engine: string) =>
        requests
          .filter((request) => request.engine === engine)
          .reduce((sum, request) => sum + (request.endedAt() ?? NaN) - request.at, 0)
      const needed = Math.max(...sources.map(({ engine }) => timeOf(engine)))
      const isFair = results_count === 10 && sources.every(({ outcome }) => outcome === "ok" || outcome === "paced")
      if (!isFair) yield* Console.error(kind, sources)
      else if (search >= searches.warm) measured.push({ kind, ms: took - needed, engines: sources.length })
    }
    return measured
  }).pipe(Effect.provide(quarry()))

const quantile = (values: ReadonlyArray<number>, at: number): string =>
  (values.toSorted((one, other) => one - other)[Math.floor(values.length * at)] ?? NaN).toFixed(1)

const services = Number(process.argv[3] ?? 2)

await Effect.gen(function* () {
  const rounds = Array.from({ length: services }, (_, round) => searchKinds.map((kind) => ({ kind, round }))).flat()
  const all = (yield* Effect.forEach(rounds, ({ kind, round }) => overheads(kind, round))).flat()
  const rows = ["all", ...searchKinds].map((kind) => {
    const own = all.filter((one) => kind === "all" || one.kind === kind)
    const ms = own.map((one) => one.ms)
    return {
      kind,
      searches: own.length,
      engines: own[0]?.engines,
      "p50 ms": quantile(ms, 0.5),
      "p90 ms": quantile(ms, 0.9)
    }
  })
  yield* Effect.sync(() => console.table(rows))
}).pipe(Effect.runPromise)
