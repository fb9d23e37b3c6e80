/** What a user's compiler has to see of the package, and a call of the typed client. */
import { FetchHttpClient } from "@effect/platform"
import { Effect } from "effect"
import { type Api, restClient, type rpcClient } from "quarry/client"
import { type SearchAnswer, TextQuery, withDefaults } from "quarry/domain"
import { type httpServer, type rpcApp } from "quarry/http"
import { type mcpApp, type stdioServer } from "quarry/mcp"
import { type Engine, type Search, type services } from "quarry/services"

type IsAny<A> = 0 extends 1 & A ? true : false

/** A declaration that does not resolve is `any`, and complains nowhere. */
export const resolved: ReadonlyArray<false> = [
  false satisfies IsAny<typeof Api>,
  false satisfies IsAny<typeof rpcClient>,
  false satisfies IsAny<SearchAnswer<"text">["results"][number]["title"]>,
  false satisfies IsAny<typeof httpServer>,
  false satisfies IsAny<typeof rpcApp>,
  false satisfies IsAny<typeof mcpApp>,
  false satisfies IsAny<typeof stdioServer>,
  false satisfies IsAny<Engine["sources"]>,
  false satisfies IsAny<typeof Search.Service>,
  false satisfies IsAny<typeof services>
]

export const given = [
  withDefaults(TextQuery, { q: "bridges" }).max_results satisfies number,
  // @ts-expect-error a page is a number
  withDefaults(TextQuery, { q: "bridges", page: "1" }),
  // @ts-expect-error there is nothing to search for
  withDefaults(TextQuery, {}),
  // @ts-expect-error no such level
  withDefaults(TextQuery, { q: "bridges", safesearch: "sometimes" })
]

const program = Effect.gen(function* () {
  const rest = yield* restClient({ baseUrl: process.argv[2] ?? "" })
  const { endpoints } = yield* rest.info()
  const { status } = yield* rest.health()
  const refused = yield* rest.fetch({ url: "http://10.0.0.1/" }).pipe(
    Effect.map(() => "read"),
    Effect.catchTag("UrlNotAllowed", ({ reason }) => Effect.succeed(reason satisfies string))
  )
  const wrong = yield* rest.text({ q: "bridges", max_results: 1_000 }).pipe(
    Effect.map(() => "found"),
    Effect.catchTag("InvalidParameters", ({ problems }) => Effect.succeed(problems.map(({ field }) => field).join()))
  )
  const paths = endpoints.map(({ path }) => path)
  yield* Effect.sync(() => process.stdout.write(JSON.stringify({ status, refused, wrong, paths })))
})

await Effect.runPromise(Effect.provide(program, FetchHttpClient.layer))
