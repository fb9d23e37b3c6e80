/** Calls a running service with the typed clients. Run it with `node client.js http://127.0.0.1:8080`. */
import { FetchHttpClient } from "@effect/platform"
import { Effect, Stream } from "effect"
import { restClient, rpcClient } from "quarry/client"

const baseUrl = process.argv[2] ?? "http://127.0.0.1:8000"

const print = (line: string) => Effect.sync(() => process.stdout.write(`${line}\n`))

const program = Effect.gen(function* () {
  const rest = yield* restClient({ baseUrl })
  const { status, version } = yield* rest.health()
  yield* print(`health: ${status} ${version}`)

  // Parameters with a default are optional. Each failure is a typed error.
  yield* rest.fetch({ url: "http://10.0.0.1/" }).pipe(
    Effect.flatMap(({ title }) => print(`title: ${title}`)),
    Effect.catchTag("UrlNotAllowed", ({ reason }) => print(`not allowed: ${reason}`)),
    Effect.catchTag("FetchFailed", ({ reason }) => print(`failed: ${reason}`))
  )

  const rpc = yield* rpcClient({ baseUrl })
  // The stream emits each kind as soon as it is complete.
  yield* rpc.searchAll({ q: "bridges", max_results_per_type: 1 }).pipe(
    Stream.runForEach(({ kind, receipt }) => print(`${kind}: ${receipt.error?.error ?? receipt.results_count}`)),
    Effect.catchTag("SearchFailed", "SearchTimedOut", ({ _tag }) => print(`search: ${_tag}`))
  )
})

await Effect.runPromise(program.pipe(Effect.scoped, Effect.provide(FetchHttpClient.layer)))
