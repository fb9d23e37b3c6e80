import { Effect } from "effect"
import { ContentWeb } from "./ContentWeb.ts"
import { quarry } from "./Quarry.ts"
import { Server } from "./Server.ts"
import { TestWeb } from "./TestWeb.ts"
import * as Behaviour from "./upstream/Behaviour.ts"

/**
 * The service over the test web, for trying it by hand without the internet. Engines answer their captured pages, or
 * with the argument `generated` three hundred made-up results each. `PORT` is obeyed.
 */
const demo = Effect.gen(function* () {
  const { baseUrl } = yield* Server
  const content = yield* ContentWeb
  const web = yield* TestWeb
  if (process.argv.includes("generated")) yield* web.behaveAll(Behaviour.generated(300))
  process.stdout.write(
    [
      `Quarry over its test web: ${baseUrl}`,
      `  curl '${baseUrl}/api/search/text?q=javascript+tutorial&max_results=3'`,
      `  curl '${baseUrl}/api/content/fetch?url=${encodeURIComponent(content.url("/article"))}'`,
      "Ctrl-C ends it.",
      ""
    ].join("\n")
  )
  return yield* Effect.never
})

const port = process.env["PORT"]
const interrupted = Effect.async<void>((resume) => {
  process.once("SIGINT", () => resume(Effect.void))
  process.once("SIGTERM", () => resume(Effect.void))
})

await demo.pipe(
  Effect.provide(quarry(port === undefined ? {} : { PORT: port })),
  Effect.race(interrupted),
  Effect.runPromise
)
